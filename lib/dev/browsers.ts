import "server-only";
import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import path from "node:path";
import { PlainError } from "@/lib/core/process/plain-error";

/** The Chromium without windows, for tests. Its pages need a third of a whole browser's processor time. */
const SHELL = "chromium-headless-shell";
const BROWSERS = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const FIXED = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";
const ESR = "firefox-esr";
const FIREFOXES = [ESR, "firefox"];
const FIXED_FIREFOX = "/Applications/Firefox.app/Contents/MacOS/firefox";

/**
 * Returns the path of the Chromium for tests, or undefined for Playwright's own. In this order: the one in
 * PLAYWRIGHT_CHROMIUM, this machine's headless shell, Playwright's (downloaded once), Debian's (installed if the caller
 * may), and any Chromium or Chrome. Throws a PlainError if there is none.
 */
export function ensureChromium(): string | undefined {
  const named = process.env.PLAYWRIGHT_CHROMIUM;
  if (named) {
    if (runs(named)) return named;
    throw new PlainError(`PLAYWRIGHT_CHROMIUM names ${named}, which does not run.`);
  }
  const shell = onPath(SHELL);
  if (shell) return shell;
  console.log("Looking for Chromium's headless shell…");
  if (downloadPlaywrights()) return undefined;
  const found = installDebians(SHELL) ?? BROWSERS.map(onPath).find(Boolean) ?? [FIXED].find(runs);
  if (found) return found;
  throw new PlainError(
    "The browser tests need Chromium, and it could not be installed. Install it (Debian: apt-get install chromium-headless-shell) or name one in PLAYWRIGHT_CHROMIUM.",
  );
}

function onPath(name: string): string | undefined {
  const folders = (process.env.PATH ?? "").split(path.delimiter);
  return folders.map((folder) => path.join(folder, name)).find(runs);
}

/** True if Playwright's own is installed. Without a network, the download fails soon. */
function downloadPlaywrights(): boolean {
  const { status } = spawnSync(
    process.execPath,
    ["node_modules/playwright/cli.js", "install", "--only-shell", "chromium"],
    {
      env: { ...process.env, PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: "5000" },
      stdio: "ignore",
      timeout: 300_000,
    },
  );
  return status === 0;
}

/**
 * Returns the path of the Firefox for tests: the one in FIREFOX, this machine's, or Debian's (installed if the caller
 * may). Playwright's own is a changed build. Throws a PlainError if there is none.
 */
export function ensureFirefox(): string {
  const named = process.env.FIREFOX;
  if (named) {
    if (runs(named)) return named;
    throw new PlainError(`FIREFOX names ${named}, which does not run.`);
  }
  const found = FIREFOXES.map(onPath).find(Boolean) ?? [FIXED_FIREFOX].find(runs) ?? installDebians(ESR);
  if (found) return found;
  throw new PlainError(
    "The browser tests need Firefox, and it could not be installed. Install it (Debian: apt-get install firefox-esr) or name one in FIREFOX.",
  );
}

/** Installs Debian's package of this name if the caller may, and returns its program's path. */
function installDebians(name: string): string | undefined {
  if (process.getuid?.() !== 0 || !onPath("apt-get")) return undefined;
  const quick = "-o Acquire::Retries=0 -o Acquire::http::Timeout=10";
  const install = `DEBIAN_FRONTEND=noninteractive apt-get ${quick} install -y ${name}`;
  spawnSync("sh", ["-c", `apt-get ${quick} update && ${install}`], { stdio: "ignore", timeout: 300_000 });
  return onPath(name);
}

function runs(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
  } catch {
    return false;
  }
  return spawnSync(file, ["--version"], { stdio: "ignore", timeout: 20_000 }).status === 0;
}
