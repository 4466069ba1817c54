import { chmod, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

/** A new temporary data folder, which as root PostgreSQL's own account can enter too. */
export async function tempDataDir(): Promise<string> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "lanternbook-test-"));
  await chmod(dataDir, 0o711);
  return dataDir;
}
