import type * as z from "zod/mini";
import { type FieldFacts, fieldsOf, isNested } from "@/lib/core/fields/facts";
import { NOT_A_DATE } from "@/lib/core/fields/words";
import { isRecord } from "@/lib/core/objects";
import { type MaskName, masks, parseDate, whole } from "@/lib/core/text/format";
import { withoutInvisible } from "@/lib/core/text/invisible";

const PHONE_MAX = 40;

/** Returns the problem of a text with a mask, or null. */
const PROBLEMS: Record<MaskName, (text: string) => string | null> = {
  phone(text) {
    if (text.length > PHONE_MAX) return `must be at most ${whole(PHONE_MAX)} characters`;
    return /\p{Nd}/u.test(text) ? null : "must have at least one digit";
  },
  ssn: (text) => (/^[0-9]{3}-[0-9]{2}-[0-9]{4}$/.test(text) ? null : "must be like 123-45-6789"),
  tin: (text) => (/^[0-9]{2}-[0-9]{8}$/.test(text) ? null : "must be like 12-34567890"),
  date: (text) => (parseDate(text) ? null : NOT_A_DATE),
};

/**
 * Returns the texts of a record that do not fit their masks, as `{path: problem}`. A text that one of the `stored` records
 * has there fits: it may be older than the rule, and nobody touched it.
 */
export function unfitTexts(
  schema: z.core.$ZodType,
  record: unknown,
  { path, stored = [] }: { path: string; stored?: readonly unknown[] },
): Record<string, string> {
  if (!isRecord(record)) return {};
  const before = stored.filter(isRecord);
  const problems: Record<string, string> = {};
  for (const { name, facts, schema: field } of fieldsOf(schema)) {
    const at = path ? `${path}.${name}` : name;
    const value = record[name];
    const former = before.map((one) => one[name]);
    if (isNested(facts)) Object.assign(problems, unfitTexts(field, value, { path: at, stored: former }));
    else if (facts.kind === "text" && facts.mask && typeof value === "string") {
      const text = masks[facts.mask](withoutInvisible(value));
      const problem = text === "" || former.includes(value) ? null : PROBLEMS[facts.mask](text);
      if (problem !== null) problems[at] = problem;
    }
  }
  return problems;
}

/**
 * True if the value is the stored text in the format of the field's mask. Such a value is no change: a text that is stored
 * without its mask gets it by being read.
 */
export const isMaskOf = (facts: FieldFacts, value: unknown, stored: unknown): boolean =>
  facts.kind === "text" &&
  facts.mask !== undefined &&
  typeof stored === "string" &&
  masks[facts.mask](stored) === value;
