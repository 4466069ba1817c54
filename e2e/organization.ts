import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test as base } from "@/e2e/fixtures";

// A server of an organization with a name, a logo, a help line and a backup folder. Its advocates see that colleagues
// have forms about their clients. Tests share it, because starting one more server takes longer than most tests.

export const HELP = "Help: extension 214, or it@example.org";
/** An image of one pixel. */
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const TWO_DAYS_MS = 2 * 86_400_000 + 60_000;

/** Tests on one server that these files share. */
export const test = base.extend<object, { folder: string }>({
  folder: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from this pattern which fixtures it needs.
    async ({}, use) => {
      const folder = await mkdtemp(path.join(tmpdir(), "lanternbook-home-"));
      await writeFile(path.join(folder, "logo.png"), Buffer.from(PNG, "base64"));
      const made = new Date(Date.now() - TWO_DAYS_MS).toISOString().replace(/\.\d+|:/g, "");
      await writeFile(path.join(folder, `lanternbook-${made}.dump.gpg`), "");
      await use(folder);
      await rm(folder, { recursive: true });
    },
    { scope: "worker" },
  ],
  serverEnv: [
    async ({ folder }, use) =>
      use({
        BACKUP_DIR: folder,
        ORGANIZATION_NAME: "Safe Harbor",
        ORGANIZATION_LOGO: path.join(folder, "logo.png"),
        ORGANIZATION_HELP: HELP,
        SHOW_COLLEAGUES_FORMS: "true",
      }),
    { scope: "worker" },
  ],
});
