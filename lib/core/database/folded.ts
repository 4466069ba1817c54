import "server-only";
import { type Sql, sql } from "@/lib/core/sql";
import { foldText } from "@/lib/core/text/fold-text";

/** Returns the key that sorts texts as people look for them, in the same order on every server. */
export const textKey = (text: Sql): Sql => sql`fold_text(${text}) COLLATE "C"`;

/** Returns the condition that a text contains the typed text, both folded. If folding removes all of it, compares it as typed. */
export function containsText(text: Sql, typed: string): Sql {
  const key = foldText(typed);
  return key === "" ? sql`strpos(${text}, ${typed.trim()}) > 0` : sql`strpos(fold_text(${text}), ${key}) > 0`;
}
