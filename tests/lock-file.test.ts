import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";

// `npm ci` checks a package's content only against a checksum that the lock file has.

type Entry = { version?: string; integrity?: string; link?: boolean; inBundle?: boolean };
type Entries = Record<string, Entry>;

/** The packages of a lock file that `npm ci` would install unchecked. Bundled ones are inside a checked package. */
const unchecked = (packages: Entries): string[] =>
  Object.entries(packages)
    .filter(([place, { integrity = "", link, inBundle }]) => {
      const isInstalled = place.includes("node_modules/") && !link && !inBundle;
      return isInstalled && !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity);
    })
    .map(([place]) => place);

const lockFile = async (): Promise<{ packages: Entries }> =>
  JSON.parse(await readFile("package-lock.json", "utf8"));

test("the lock file has a checksum for every package", async () => {
  const { packages } = await lockFile();
  expect(Object.keys(packages).length).toBeGreaterThan(300);
  expect(unchecked(packages)).toEqual([]);
});

test("a package without a checksum, or with a weak one, is found", async () => {
  const { packages } = await lockFile();
  const next: Entry = { ...packages["node_modules/next"] };
  expect(
    unchecked({
      ...packages,
      "node_modules/next": { ...next, integrity: "sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=" },
    }),
  ).toEqual(["node_modules/next"]);
  const { integrity: _, ...without } = next;
  expect(unchecked({ ...packages, "node_modules/a/node_modules/next": without })).toEqual([
    "node_modules/a/node_modules/next",
  ]);
});

test("package.json pins every package to one version", async () => {
  const { dependencies, devDependencies } = JSON.parse(await readFile("package.json", "utf8"));
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies }))
    expect(version, name).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
});
