import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { keysOf } from "@/lib/core/objects";
import { environmentVariables } from "@/lib/core/process/env";
// Sets the messages of rejected values.
import "@/lib/core/fields/validation";

// The documents in the repository: their links, the commands and files they name, and the references in the code.

const read = (file: string) => readFileSync(file, "utf8");
const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));

const documents = [
  ...["README.md", "CONTRIBUTING.md", "CHANGELOG.md", ".github/SECURITY.md"],
  ...filesIn("docs").filter((file) => file.endsWith(".md")),
];
const sources = [
  ...["app", "components", "emails", "lib", "prisma", "tests", "e2e"]
    .flatMap(filesIn)
    .filter(
      (file) =>
        /\.(tsx?|mjs|sh|sql|css|prisma|grit)$/.test(file) &&
        !/^(lib\/generated|prisma\/migrations)\//.test(file),
    ),
  ...[".env.example", "Caddyfile", "Dockerfile", "docker-compose.yml", "vitest.config.ts"],
].filter((file) => !["tests/comments.test.ts", "tests/docs.test.ts"].includes(file));

/** Returns a document without its code blocks. */
const proseOf = (file: string) => read(file).replace(/^ *```[\s\S]*?^ *```/gm, "\n");

/** Returns the anchors of a document's headings, as GitHub makes them. */
const anchorsIn = (file: string) =>
  [...proseOf(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );

/** Returns the links of a document that lead nowhere. */
function brokenLinks(file: string): string[] {
  const targets = [...proseOf(file).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
  return targets
    .filter((target) => !/^(https?|mailto):/.test(target))
    .filter((target) => {
      const [name = "", anchor] = target.split("#");
      const to = name === "" ? file : path.join(path.dirname(file), name);
      return !existsSync(to) || (anchor !== undefined && !anchorsIn(to).includes(anchor));
    })
    .map((target) => `${file}: ${target}`);
}

/** Returns the paragraphs and list items of a document, each as its lines. */
function paragraphsOf(file: string): string[][] {
  const paragraphs: string[][] = [[]];
  for (const line of proseOf(file).split("\n")) {
    if (/^(\s*$|#|\|)/.test(line)) paragraphs.push([]);
    else if (/^\s*([-*]|\d+\.) /.test(line)) paragraphs.push([line]);
    else paragraphs.at(-1)?.push(line);
  }
  return paragraphs;
}

describe("the documents", () => {
  test("link only to files and headings that exist", () => {
    expect(documents.flatMap(brokenLinks)).toEqual([]);
  });

  test("name only files of the repository that exist", () => {
    const folders = "app|components|docs|e2e|emails|lib|prisma|tests";
    const named = documents.flatMap((file) =>
      [...proseOf(file).matchAll(new RegExp(`\`((?:${folders})/[^\`\\s…{}*]+)\``, "g"))].map(
        ([, name = ""]) => `${file}: ${name}`,
      ),
    );
    expect(named.length).toBeGreaterThan(200);
    expect(named.filter((line) => !existsSync(line.slice(line.indexOf(": ") + 2)))).toEqual([]);
  });

  test("name only npm scripts that exist", () => {
    const { scripts } = JSON.parse(read("package.json"));
    const named = documents
      .filter((file) => file !== "CHANGELOG.md")
      .flatMap((file) => [...read(file).matchAll(/npm run (?:--silent )?([\w:]+)/g)].map(([, name]) => name));
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => !Object.hasOwn(scripts, String(name)))).toEqual([]);
  });

  test("have no paragraph and no list item of more than five lines", () => {
    const long = documents.flatMap((file) =>
      paragraphsOf(file)
        .filter(({ length }) => length > 5)
        .map(([first]) => `${file}: ${first}`),
    );
    expect(long).toEqual([]);
  });
});

describe("the code", () => {
  test("refers only to documents that exist, by their whole path", () => {
    const named = sources.flatMap((file) =>
      [...read(file).matchAll(/(?<![\w/.])docs\/[\w./-]*\w/g)].map(([name]) => `${file}: ${name}`),
    );
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((line) => !/\.md$/.test(line) || !existsSync(line.split(": ")[1] ?? ""))).toEqual([]);
  });

  test("refers to no document that is not in the repository", () => {
    const foreign =
      /\((?:README|CONTRIBUTING)\b|\b(?:spec|contract|design)(?:\.md)? §|\(decision \d|\bissue #?\d+\b/;
    expect(sources.filter((file) => foreign.test(read(file)))).toEqual([]);
  });
});

describe("README.md", () => {
  test("has at most 100 lines and 6 KB", () => {
    expect(read("README.md").split("\n").length).toBeLessThanOrEqual(101);
    expect(Buffer.byteLength(read("README.md"))).toBeLessThanOrEqual(6 * 1024);
  });
});

const CONFIGURATION_PAGE = "docs/operate/configure.md";
type Variable = keyof typeof environmentVariables;

/** Values that break a rule, if the variable has one. */
const PROBES = ["?", "x".repeat(1_000)];

/** Returns the rule for a value, in the words with which the start rejects an invalid one. */
function ruleOf(name: Variable): string {
  const rejected = PROBES.map((probe) => environmentVariables[name].safeParse(probe).error?.issues ?? []);
  const issues = rejected.find(({ length }) => length > 0) ?? [{ message: "text" }];
  return issues
    .map(({ message }) => message)
    .join("; ")
    .replace(/^must (be |name |have |list )?/, "")
    .replace(/^Invalid option: expected one of /, "")
    .replace(/^Too big: expected string to have <=(\d+) characters$/, "at most $1 characters")
    .replaceAll("|", " or ")
    .replaceAll('"', "");
}

/** Returns the default for a blank variable; "" if there is none. */
function defaultOf(name: Variable): string {
  const value = environmentVariables[name].safeParse(undefined).data;
  return value === undefined || String(value) === "" ? "" : `\`${String(value)}\``;
}

describe("docs/operate/configure.md", () => {
  test("explains each variable that the program reads, in the schema's order, with its rule and default", () => {
    const [, table = ""] = read(CONFIGURATION_PAGE).split("## All settings of the program");
    const rows = [...table.matchAll(/^\| `(\w+)` \| (.+) \| (.*) \| (.*) \|$/gm)];
    expect(rows.map(([, name, , rule, preset]) => [name, rule, preset])).toEqual(
      keysOf(environmentVariables).map((name) => [name, ruleOf(name), defaultOf(name)]),
    );
  });

  test("names every variable that docker-compose.yml reads", () => {
    const variables = new Set(
      [...read("docker-compose.yml").matchAll(/\$\{([A-Z0-9_]+)/g)].map(([, name]) => name),
    );
    expect(variables.size).toBeGreaterThan(30);
    const page = read(CONFIGURATION_PAGE);
    expect([...variables].filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });
});

describe("docs/decisions/index.md", () => {
  test("lists every decision with its title", () => {
    const decisions = readdirSync("docs/decisions").filter((name) => /^\d{3}-/.test(name));
    const index = read("docs/decisions/index.md");
    const titles = decisions.map((name) => {
      const [, number, title] = /^# (\d{3}) · (.+)$/m.exec(read(`docs/decisions/${name}`)) ?? [];
      return `[${number} ${title}](${name})`;
    });
    expect(titles.filter((line) => !index.includes(line))).toEqual([]);
  });
});
