import "server-only";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";

/**
 * Loads the route files, which bind the endpoints to their handlers. The build replaces this module with one that imports
 * every route file (lib/ops/bundle.ts).
 */
export async function loadRoutes(): Promise<void> {
  const files = await readdir("app/api", { recursive: true });
  for (const file of files.filter((file) => path.basename(file) === "route.ts"))
    await import(pathToFileURL(path.resolve("app/api", file)).href);
}
