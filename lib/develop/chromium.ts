import "server-only";
import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import path from "node:path";
import { PlainError } from "@/lib/server/plain-error";

// The first does without all that no test looks at, and takes a quarter of the time less.
const NAMES = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
];
const FIXED = ["/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"];

/** The path of a Chromium that runs: the named one, the machine's, Playwright's, or one installed now. Never none. */
export async function ensureChromium(): Promise<string> {
  const named = process.env.PLAYWRIGHT_CHROMIUM;
  if (named) {
    if (runs(named)) return named;
    throw new PlainError(`PLAYWRIGHT_CHROMIUM names ${named}, which does not run.`);
  }
  const folders = (process.env.PATH ?? "").split(path.delimiter);
  const { chromium } = await import("@playwright/test");
  const found = () =>
    [
      ...NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name))),
      ...FIXED,
      chromium.executablePath(),
    ].find(runs);

  const already = found();
  if (already) return already;
  console.log("No Chromium on this machine; installing one…");
  for (const [command, ...args] of installers()) {
    spawnSync(command, args, { stdio: "ignore", timeout: 300_000 });
    const installed = found();
    if (installed) return installed;
  }
  throw new PlainError(
    "The browser tests need Chromium, and it could not be installed. Install it (Debian: apt-get install chromium) or name one in PLAYWRIGHT_CHROMIUM.",
  );
}

function installers(): [string, ...string[]][] {
  const playwright: [string, ...string[]] = [
    process.execPath,
    "node_modules/playwright/cli.js",
    "install",
    "chromium",
  ];
  if (process.getuid?.() !== 0) return [playwright];
  const install = "DEBIAN_FRONTEND=noninteractive apt-get install -y";
  return [
    playwright,
    ["sh", "-c", `apt-get update && (${install} chromium-headless-shell || ${install} chromium)`],
  ];
}

function runs(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
  } catch {
    return false;
  }
  return spawnSync(file, ["--version"], { stdio: "ignore", timeout: 20_000 }).status === 0;
}
