import "server-only";
import { isTimeOut } from "@/lib/core/database/errors";
import { log } from "@/lib/core/process/log";
import { requestContext } from "@/lib/core/process/request-context";

const SLOW_MS = 1_000;

const WRITTEN =
  /\b(insert into|delete from|update|lock table)\s+(?:"?public"?\.)?"?(?!set\b|of\b|skip\b|nowait\b|audit_events\b)([a-z_]+)/i;
const READ = /\bfrom\s+(?:"?public"?\.)?"?([a-z_]+)/i;

/** Returns the verb and the table of a statement, from its text: `update forms`, `select clients`. */
function nameOf(text: string): string {
  const [, verb, written] = WRITTEN.exec(text) ?? [];
  if (verb) return `${verb.split(" ")[0]} ${written}`.toLowerCase();
  let outer = text;
  let inner = "";
  while (outer !== inner) [outer, inner] = [outer.replace(/\([^()]*\)/g, ""), outer];
  const [command = ""] = outer.trim().split(/\W/, 1);
  return [command.toLowerCase(), (READ.exec(outer) ?? READ.exec(text))?.[1]].filter(Boolean).join(" ");
}

/**
 * Returns a function to call with PostgreSQL's response to a statement: its error or null. A statement that was slow or
 * timed out is logged with `label` or a name from its text, never with values.
 */
export function watchStatement(text: string, label?: string): (error: Error | null) => void {
  const begin = performance.now();
  // Responses arrive outside the request's context.
  const request = requestContext();
  return (error) => {
    const ms = Math.round(performance.now() - begin);
    const code = isTimeOut(error) ? "too_slow" : undefined;
    if (code || ms > SLOW_MS) logSlow(label ?? nameOf(text), ms, code, request);
  };
}

/** Logs a slow statement, of the current request unless another is given. */
export function logSlow(statement: string, ms: number, code?: "too_slow", request = requestContext()): void {
  log.warn({ requestId: request?.id, route: request?.route, statement, ms, code }, "A statement was slow");
}
