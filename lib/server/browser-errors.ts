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

/** Logs and reports an exception of the browser. Anyone may call, since a page can fail before sign-in: 429 past the bound. */
export function reportBrowserError(
  { name, frames, path }: z.output<typeof browserErrorBody>,
  address: string,
): void {
  const route = routeOf(path);
  if (UNREPORTED.includes(route)) return;
  if (!report({ name, frames, route, origin: "browser" }, address)) throw tooMany(60);
  console.error(errorLine({ name, frames, route }));
}
