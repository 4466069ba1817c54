import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import next from "next/package.json" with { type: "json" };
import { end } from "@/lib/dev/bench/place";
import { freePort } from "@/lib/ops/embedded";

// An app with one empty page on the same Next. The report shows the size of our pages' scripts as a ratio to it.

/** Inside the project, where Next finds its packages. Git ignores it, and the next run uses it again. */
const FOLDER = `.next-empty-page-${next.version}`;
const NEXT = "node_modules/next/dist/bin/next";
const FILES = {
  "app/layout.jsx": 'export default ({ children }) => <html lang="en"><body>{children}</body></html>;',
  "app/page.jsx": "export default () => <main>Empty</main>;",
  "next.config.mjs": `export default { turbopack: { root: ${JSON.stringify(process.cwd())} } };`,
};
const env = { ...process.env, NODE_ENV: "production" as const, NEXT_TELEMETRY_DISABLED: "1" };

/** Builds the app if necessary, and serves it while `work` runs. */
export async function withEmptyApp<T>(work: (url: string) => Promise<T>): Promise<T> {
  if (!existsSync(`${FOLDER}/.next/BUILD_ID`)) await build();
  const port = String(await freePort());
  const url = `http://localhost:${port}`;
  const child = spawn(process.execPath, [NEXT, "start", FOLDER, "--port", port], { env, stdio: "ignore" });
  try {
    while (!(await fetch(url).catch(() => null))?.ok) {
      if (child.exitCode !== null) throw new Error("The empty app did not start");
      await sleep(100);
    }
    return await work(url);
  } finally {
    await end(child);
  }
}

async function build(): Promise<void> {
  await mkdir(`${FOLDER}/app`, { recursive: true });
  for (const [name, content] of Object.entries(FILES)) await writeFile(`${FOLDER}/${name}`, content);
  const { status } = spawnSync(process.execPath, [NEXT, "build", FOLDER], { env, stdio: "inherit" });
  if (status !== 0) throw new Error("The empty app was not built");
}
