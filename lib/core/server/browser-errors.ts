import "server-only";
import { tooMany } from "@/lib/core/api/errors";
import { type Frame, placesOf } from "@/lib/core/server/error-frames";
import { sendErrorReport } from "@/lib/core/server/error-reports";
import { log } from "@/lib/core/server/log";

/** Routes of pages whose failures are not reported: Login and Update Password. */
const UNREPORTED = ["/", "/update_password/{token}"];

/**
 * Logs and reports an exception in a browser. Open to everyone, since a page can fail before sign-in. Throws 429 above
 * the limit.
 */
export function recordBrowserError(
  { name, frames, route }: { name: string; frames: Frame[]; route: string },
  address: string,
): void {
  if (UNREPORTED.includes(route)) return;
  if (!sendErrorReport({ name, frames, route, origin: "browser" }, address)) throw tooMany(60);
  log.error({ name, frames: placesOf(frames), route }, "A page failed in the browser");
}
