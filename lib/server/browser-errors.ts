import "server-only";
import { z } from "zod";
import { tooMany } from "@/lib/api/errors";
import { routeOf } from "@/lib/api/paths";
import { errorLine, report } from "@/lib/server/error-reports";

/** The body of `POST /api/browser_errors`, as components/shell/error-reporter.tsx makes it. */
export const browserErrorBody = z.object({
  name: z.string().regex(/^[A-Z]\w{0,60}$/),
  frames: z
    .array(
      z.object({
        file: z.string().regex(/^(\[masked\]|_next\/static\/[\w.~/-]{1,200}\.js)$/),
        line: z.number().int().min(0).max(9_999_999),
        column: z.number().int().min(0).max(9_999_999),
      }),
    )
    .max(50),
  /** Of the page; only its route goes further. */
  path: z.string().max(2_000),
});

/** Whose failures are not reported (spec §8): Login and Update Password. */
const UNREPORTED = ["/", "/update_password/{token}"];

const PER_MINUTE = { address: 10, all: 100 };
let minute = 0;
let counts = new Map<string, number>();

/** Throws 429 when an address, or all of them together, have reported too often in this minute. */
function limit(address: string): void {
  const now = Math.floor(Date.now() / 60_000);
  if (now !== minute) {
    minute = now;
    counts = new Map();
  }
  // The address first: what is refused of one must not use up what is left for all.
  for (const [subject, most] of [
    [address, PER_MINUTE.address],
    ["all", PER_MINUTE.all],
  ] as const) {
    const count = (counts.get(subject) ?? 0) + 1;
    if (count > most) throw tooMany(60 - (Math.floor(Date.now() / 1000) % 60));
    counts.set(subject, count);
  }
}

/** Logs and reports an exception of the browser. Anyone may call: a page can fail before sign-in. */
export function reportBrowserError(
  { name, frames, path }: z.output<typeof browserErrorBody>,
  address: string,
): void {
  limit(address);
  const route = routeOf(path);
  if (UNREPORTED.includes(route)) return;
  console.error(errorLine({ name, frames, route }));
  report({ name, frames, route, origin: "browser" });
}
