import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import next from "next/package.json" with { type: "json" };
import { startNode } from "@/lib/dev/child";
import { freePort } from "@/lib/ops/embedded";

// An app with one empty page on the same Next. The report shows the size of our pages' scripts as a ratio to it.

/** Inside the project, where Next finds its packages. Git ignores it, and the next run uses it again. */
const FOLDER = `.next-empty-page-${next.version}`;
const NEXT = "node_modules/next/dist/bin/next";
const FILES = {
  "app/layout.jsx": 'export default ({ children }) => <html lang="en"><body>{children}</body></html>;',
  "app/page.jsx": "export default () => <main>Empty</main>;",
  // Without its own, Next would take the product's, which needs a database.
  "instrumentation.js": "export function register() {}",
  "next.config.mjs": `export default { turbopack: { root: ${JSON.stringify(process.cwd())} } };`,
};
const env = { NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" } as const;

/** Builds the app if necessary, and serves it while `work` runs. */
export async function withEmptyApp<T>(work: (url: string) => Promise<T>): Promise<T> {
  if (!existsSync(`${FOLDER}/.next/BUILD_ID`)) await build();
  const port = String(await freePort());
  const app = await startNode([NEXT, "start", FOLDER, "--port", port], env, "Ready in");
  try {
    return await work(`http://localhost:${port}`);
  } finally {
    await app.stop();
  }
}

async function build(): Promise<void> {
  await mkdir(`${FOLDER}/app`, { recursive: true });
  for (const [name, content] of Object.entries(FILES)) await writeFile(`${FOLDER}/${name}`, content);
  execFileSync(process.execPath, [NEXT, "build", FOLDER], {
    env: { ...process.env, ...env },
    stdio: "inherit",
  });
}
