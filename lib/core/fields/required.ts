import type * as z from "zod/mini";
import type { CustomField } from "@/lib/core/fields/definitions";
import { type FieldFacts, fieldsOf, isAsked, isNested } from "@/lib/core/fields/facts";
import { isPresent } from "@/lib/core/fields/presence";
import { isRemoved } from "@/lib/core/fields/removed-rows";
import { REQUIRED } from "@/lib/core/fields/words";
import { isRecord } from "@/lib/core/objects";
import { today } from "@/lib/core/text/format";

// The rules of fields that the organization requires or retires, for the screens and the server.

/** True if a field that is required from that day on is required on `day`. */
const isRequiredOn = (requiredFrom: string | null, day: string | null): boolean =>
  requiredFrom !== null && day !== null && day >= requiredFrom;

/** True if the organization requires a value of the field on the day. */
export const requires = ({ requiredFrom = null, hidden }: FieldFacts, day: string | null): boolean =>
  !hidden && isRequiredOn(requiredFrom, day);

/** True if a field or a choice is no longer asked. */
export const isRetired = ({ retiredFrom }: { retiredFrom?: string | null }): boolean =>
  typeof retiredFrom === "string" && retiredFrom <= today();

/** True if the custom field must have a value on `day`. A box always has one. */
export const requiresCustom = (field: CustomField, day: string | null): boolean =>
  field.kind !== "flag" && !isRetired(field) && isRequiredOn(field.requiredFrom, day);

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
  if (!isRecord(record) || isRemoved(record)) return {};
  const before = isRecord(stored) ? stored : null;
  const problems: Record<string, string> = {};
  for (const { name, facts, schema: field } of fieldsOf(schema)) {
    if (!isAsked(facts, record)) continue;
    const at = `${path}.${name}`;
    if (isNested(facts))
      Object.assign(
        problems,
        missingAnswers(field, record[name], { path: at, day, stored: before && (before[name] ?? {}) }),
      );
    else if (
      requires(facts, day) &&
      isMissing(facts, record[name]) &&
      !(before && isMissing(facts, before[name]))
    )
      problems[at] = REQUIRED;
  }
  return problems;
}
