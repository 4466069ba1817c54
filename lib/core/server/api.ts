import * as z from "zod/mini";
import { endpoint } from "@/lib/core/api/endpoint";

export const getHealth = endpoint("GET /api/health", {
  permission: "guest",
  response: z.object({ status: z.string(), version: z.optional(z.string()) }),
  queued: false,
  head: true,
  about:
    "Ready: the database responds and accepts changes. Only administrators see the version. HEAD responds with the status alone.",
});

export const getLiveness = endpoint("GET /api/health/live", {
  permission: "guest",
  response: z.object({ status: z.string() }),
  queued: false,
  head: true,
  about: "The process responds, with or without its database. HEAD responds with the status alone.",
});

export const recordBrowserError = endpoint("POST /api/browser_errors", {
  permission: "guest",
  /** The body that components/shell/error-reporter.tsx sends. */
  body: z.object({
    name: z.string().check(z.regex(/^[A-Z]\w{0,60}$/, { error: "is not the name of an error" })),
    frames: z
      .array(
        z.object({
          file: z
            .string()
            .check(
              z.regex(/^(\[masked\]|_next\/static\/[\w.~/-]{1,200}\.js)$/, { error: "is not a script" }),
            ),
          line: z.int().check(z.minimum(0), z.maximum(9_999_999)),
          column: z.int().check(z.minimum(0), z.maximum(9_999_999)),
        }),
      )
      .check(z.maxLength(50)),
    /** The URL of the page. Only its route is logged and reported. */
    path: z.string().check(z.maxLength(2_000)),
  }),
  response: null,
  errors: ["too_many"],
  isReported: false,
});
