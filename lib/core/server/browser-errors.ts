import "server-only";
import { tooMany } from "@/lib/core/errors";
import { type Frame, placesOf } from "@/lib/core/process/error-frames";
import { reportBrowserError } from "@/lib/core/process/error-reports";
import { log } from "@/lib/core/process/log";

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
  if (!reportBrowserError({ name, frames, route }, address)) throw tooMany(60);
  log.error({ name, frames: placesOf(frames), route }, "A page failed in the browser");
}
