import "server-only";
import type * as z from "zod/mini";
import { withoutBlanks } from "@/lib/core/fields/custom";
import {
  declaredShape,
  type FieldFacts,
  factsOf,
  fieldsOf,
  isHidden,
  isNested,
} from "@/lib/core/fields/facts";
import { isRemoved } from "@/lib/core/fields/removed-rows";
import { blankOf } from "@/lib/core/fields/shapes";
import { isRecord } from "@/lib/core/objects";

type Values = Readonly<Record<string, unknown>>;
/** Problems by plain path. */
type Problems = Record<string, string>;

/**
 * Merges the sent values into the stored ones. An omitted nested object does not change, null removes it, an object
 * replaces it, except for hidden fields that it lacks; a list replaces the whole list. Rows that are marked as removed
 * stay, so that checks can name rows by their places in the request. Adds ids that belong to another parent to `problems`.
 */
export function merge<Record extends object>(
  schema: z.core.$ZodType<Record>,
  stored: object | null,
  sent: Record,
  path: string,
  problems: Problems,
): Record {
  return mergeRecord(schema, stored as Values | null, sent as Values, path, problems) as Record;
}

function mergeRecord(
  schema: z.core.$ZodType,
  stored: Values | null,
  sent: Values,
  path: string,
  problems: Problems,
): Values {
  if (sent.id !== undefined && sent.id !== stored?.id) problems[`${path}.id`] = "belongs to another record";
  const merged: Record<string, unknown> = { ...stored };
  for (const [name, field] of Object.entries(declaredShape(schema))) {
    const value = sent[name];
    const before = stored?.[name];
    const at = `${path}.${name}`;
    const facts = factsOf(field);
    if (value === undefined && before === undefined && facts && !isNested(facts) && isHidden(field))
      merged[name] = blankOf(facts, field);
    if (value === undefined || name === "id") continue;
    // Custom fields that were not sent keep their values.
    if (facts?.kind === "custom")
      merged[name] = withoutBlanks({ ...(isRecord(before) && before), ...(isRecord(value) && value) });
    else if (!isNested(facts)) merged[name] = value;
    else if (Array.isArray(value))
      merged[name] = mergeRows(field, before, value, at, problems, onceIn(facts));
    else if (isRecord(value))
      merged[name] = mergeRecord(field, isRecord(before) ? before : null, value, at, problems);
    else merged[name] = value;
  }
  return merged;
}

function mergeRows(
  schema: z.core.$ZodType,
  before: unknown,
  sent: readonly Values[],
  path: string,
  problems: Problems,
  once: string | undefined,
): Values[] {
  const stored: Values[] = Array.isArray(before) ? before : [];
  const claimed = new Set<unknown>();
  return sent.map((row, index) => {
    const existing = row.id === undefined ? null : (stored.find(({ id }) => id === row.id) ?? null);
    if (existing && claimed.has(row.id)) problems[`${path}.${index}.id`] = "is given twice";
    claimed.add(row.id);
    // A removed row has no values, so it names no record.
    if (once === undefined || isRemoved(row) || (row.id !== undefined && !existing))
      return mergeRecord(schema, existing, row, `${path}.${index}`, problems);
    // The row of the record that it names, whatever its id: a row never begins to name another one.
    const named = stored.find((other) => other[once] === row[once]) ?? null;
    return mergeRecord(schema, named, { ...row, id: named?.id }, `${path}.${index}`, problems);
  });
}

const onceIn = (facts: FieldFacts | undefined) => (facts?.kind === "entries" ? facts.once : undefined);

/** Returns the merged values without the rows that are marked as removed. */
export function withoutRemoved<Record extends object>(schema: z.core.$ZodType, values: Record): Record {
  const kept: { [name: string]: unknown } = Object.fromEntries(Object.entries(values));
  for (const { name, facts, schema: field } of fieldsOf(schema)) {
    const value = kept[name];
    if (facts.kind === "entry" && isRecord(value)) kept[name] = withoutRemoved(field, value);
    else if (facts.kind === "entries" && Array.isArray(value))
      kept[name] = value.filter((row) => !isRemoved(row)).map((row) => withoutRemoved(field, row));
  }
  return kept as Record;
}
