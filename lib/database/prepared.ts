import "server-only";
import { createHash } from "node:crypto";
import { isPooled } from "@/lib/database/settings";

// PostgreSQL plans a statement with a name once for each connection, and planning often takes longer than running. Each
// connection keeps what was prepared, so only few statements may have names.

/** How many texts get a name. Those of a search, for instance, vary with the number of words and their lengths. */
const MOST = 400;
/** How often any text is sent before it gets a name, how many of those do, and how many are counted at a time. */
const [OFTEN, MOST_REPEATED, COUNTED] = [5, 100, 1_000];

const names = new Map<string, string>();
const sent = new Map<string, number>();
let repeated = 0;

/**
 * The name under which a text is prepared; undefined behind a pooler, which shares connections, and for texts that come
 * when many have a name already. Only for texts that are sent often.
 */
export function preparedName(name: string, text: string): string | undefined {
  if (isPooled()) return undefined;
  let known = names.get(text);
  if (!known && names.size < MOST) {
    known = `${name.slice(0, 40)} ${createHash("sha256").update(text).digest("hex").slice(0, 16)}`;
    names.set(text, known);
  }
  return known;
}

/**
 * The same for any text: it gets a name when it has been sent often, as long as there are not too many with one. Without
 * values it may be several statements, which cannot be prepared.
 */
export function nameIfOften(text: string, values: readonly unknown[]): string | undefined {
  if (values.length === 0) return undefined;
  const known = names.get(text);
  if (known || repeated >= MOST_REPEATED) return known;
  const times = (sent.get(text) ?? 0) + 1;
  if (times >= OFTEN) {
    sent.delete(text);
    repeated += 1;
    return preparedName("repeated", text);
  }
  if (sent.size >= COUNTED) sent.clear();
  sent.set(text, times);
  return undefined;
}
