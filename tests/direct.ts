import { inject } from "vitest";

/** The file's own database without the pooler of `npm test -- --pooler`, for what needs a session or more time. */
export function directUrl(): string {
  const url = new URL(inject("templateUrl"));
  url.pathname = new URL(String(process.env.DATABASE_URL)).pathname;
  return url.href;
}
