import "server-only";
import { createHash } from "node:crypto";
import type pg from "pg";
import { isPooled } from "@/lib/core/database/settings";
import type { Sql } from "@/lib/core/sql";

// PostgreSQL plans a named statement once per connection, and planning often takes longer than running. Each
// connection stores its prepared statements, so only a limited number of statements get names.

/** A text gets a name after it has been sent this often. */
const NAMED_AFTER = 5;
/** The most texts that get a name, and the most that are counted at a time. */
const MOST_NAMED = 400;
const MOST_COUNTED = 1_000;

/** The texts with a name, by their length: hashing a text of 10 KB takes longer than comparing it. */
const named = new Map<number, { text: string; name: string }[]>();
let namedCount = 0;
const timesSent = new Map<string, number>();

/**
 * Returns the name under which a text is prepared. Undefined behind a pooler, which shares connections; for a text
 * that is not sent often, or when too many have names; and without values, because the text may then be several
 * statements, which cannot be prepared.
 */
export function statementName(text: string, values: readonly unknown[]): string | undefined {
  if (isPooled() || values.length === 0) return undefined;
  const sameLength = named.get(text.length) ?? [];
  const existing = sameLength.find((one) => one.text === text)?.name;
  if (existing || namedCount >= MOST_NAMED) return existing;
  const times = (timesSent.get(text) ?? 0) + 1;
  if (times < NAMED_AFTER) {
    if (timesSent.size >= MOST_COUNTED) timesSent.clear();
    timesSent.set(text, times);
    return undefined;
  }
  timesSent.delete(text);
  const name = createHash("sha256").update(text).digest("hex").slice(0, 32);
  named.set(text.length, [...sameLength, { text, name }]);
  namedCount += 1;
  return name;
}

/** Returns the statement as `pg` sends it. */
export function preparedQuery({ text, values }: Sql): pg.QueryConfig {
  return { name: statementName(text, values), text, values };
}
