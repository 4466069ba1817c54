import type { z } from "zod";
import { type FieldFacts, fieldsOf, isAsked, isNested } from "@/lib/core/fields/facts";
import { isRecord } from "@/lib/core/fields/plain";
import { isPresent } from "@/lib/core/fields/presence";
import { REQUIRED } from "@/lib/core/fields/words";

// The rule for fields that the organization requires from a day on. Screens and the server apply it.

/** True if the organization requires a value on the day. */
export const isRequiredOn = ({ requiredFrom, hidden }: FieldFacts, day: string | null): boolean =>
  Boolean(requiredFrom && day && requiredFrom <= day && !hidden);

/** True if a value can be missing. A box and a number always have one, and a choice may have no blank. */
export const canBeMissing = (facts: FieldFacts): boolean =>
  ["text", "longText", "day", "lookup", "lookups"].includes(facts.kind) ||
  (facts.kind === "choice" && facts.blank !== null);

const isMissing = (facts: FieldFacts, value: unknown): boolean =>
  canBeMissing(facts) && (!isPresent(value) || (facts.kind === "choice" && value === facts.blank));

/**
 * Returns the fields that lack a required value, as `{path: problem}`. Leaves out absent entries, and fields whose boxes do
 * not ask for them. With `stored`, also fields that had no value before.
 */
export function missingAnswers(
  schema: z.core.$ZodType,
  record: unknown,
  { path, day, stored }: { path: string; day: string | null; stored?: unknown },
): Record<string, string> {
  if (Array.isArray(record)) {
    const rows = record.map((row, index) => missingAnswers(schema, row, { path: `${path}.${index}`, day }));
    return Object.assign({}, ...rows);
  }
  if (!isRecord(record) || record._destroy === true) return {};
  const before = isRecord(stored) ? stored : null;
  const problems: Record<string, string> = {};
  for (const { name, facts, schema: field } of fieldsOf(schema)) {
    if (!isAsked(facts, record)) continue;
    const at = `${path}.${name}`;
    if (isNested(facts))
      Object.assign(problems, missingAnswers(field, record[name], { path: at, day, stored: before && (before[name] ?? {}) }));
    else if (
      isRequiredOn(facts, day) &&
      isMissing(facts, record[name]) &&
      !(before && isMissing(facts, before[name]))
    )
      problems[at] = REQUIRED;
  }
  return problems;
}
