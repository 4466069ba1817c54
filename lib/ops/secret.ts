import "server-only";
import { randomBytes } from "node:crypto";
import { chown, link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";

/**
 * Returns the secret in `file` (mode 600), and creates it if it is missing. A killed process never leaves half of one.
 */
export async function ensureSecret(
  file: string,
  owner: { uid?: number; gid?: number } = {},
): Promise<string> {
  const known = await readFile(file, "utf8").catch(() => null);
  if (known) return known;
  await mkdir(path.dirname(file), { recursive: true });
  const draft = `${file}.${randomBytes(4).toString("hex")}`;
  await writeFile(draft, randomBytes(32).toString("hex"), { mode: 0o600 });
  if (owner.uid !== undefined) await chown(draft, owner.uid, owner.gid ?? owner.uid);
  // Unlike a rename, a link never replaces the secret of a faster process.
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  await rm(draft);
  return readFile(file, "utf8");
}
