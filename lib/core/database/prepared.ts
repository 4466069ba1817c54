import "server-only";
import { createHash } from "node:crypto";
import type pg from "pg";
import { isPooled } from "@/lib/core/database/settings";
import type { Sql } from "@/lib/core/database/sql";

// PostgreSQL plans a statement with a name once for each connection, and planning often takes longer than running. Each
// connection keeps what was prepared, so only a limited number of statements have names.

/** A text gets a name when it has been sent this often. */
const OFTEN = 5;
/** The most texts that get a name, and that are counted at a time. */
const [MOST_NAMED, MOST_COUNTED] = [400, 1_000];

const names = new Map<string, string>();
const timesSent = new Map<string, number>();

/**
 * Returns the name under which a text is prepared. Undefined behind a pooler, which shares connections; for a text that
 * is not sent often, or when many have a name already; and without values, because it may then be several statements,
 * which cannot be prepared.
 */
export function statementName(text: string, values: readonly unknown[]): string | undefined {
  if (isPooled() || values.length === 0) return undefined;
  const known = names.get(text);
  if (known || names.size >= MOST_NAMED) return known;
  const times = (timesSent.get(text) ?? 0) + 1;
  if (times < OFTEN) {
    if (timesSent.size >= MOST_COUNTED) timesSent.clear();
    timesSent.set(text, times);
    return undefined;
  }
  timesSent.delete(text);
  const name = createHash("sha256").update(text).digest("hex").slice(0, 32);
  names.set(text, name);
  return name;
}

/** The statement as `pg` sends it. */
export function preparedQuery({ text, values }: Sql): pg.QueryConfig {
  return { name: statementName(text, values), text, values };
}
