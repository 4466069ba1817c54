import { chmod, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

/**
 * Returns a new temporary data folder. If the tests run as root, PostgreSQL's own account can enter it too.
 */
export async function tempDataDir(): Promise<string> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "lanternbook-test-"));
  await chmod(dataDir, 0o711);
  return dataDir;
}
