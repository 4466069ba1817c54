import type * as z from "zod/mini";
import { type FieldFacts, fieldsOf, isNested } from "@/lib/core/fields/facts";
import { isReported } from "@/lib/core/fields/reported";
import { isRecord } from "@/lib/core/objects";

/** A field with a value, by its path in the record. */
type Reported = { path: string; facts: FieldFacts; value: unknown };

/**
 * Yields the fields that report something, from a record and everything nested in it. Rows of a list share paths. Hidden
 * fields are omitted, because the organization does not use them.
 */
export function* reportedFields(schema: z.core.$ZodType, values: unknown, path = ""): Generator<Reported> {
  if (Array.isArray(values)) for (const row of values) yield* reportedFields(schema, row, path);
  if (!isRecord(values)) return;
  for (const { name, facts, schema: field } of fieldsOf(schema)) {
    const at = path ? `${path}.${name}` : name;
    const value = values[name];
    if (facts.hidden) continue;
    if (isNested(facts) || facts.kind === "custom") yield* reportedFields(field, value, at);
    else if (isReported(facts, value)) yield { path: at, facts, value };
  }
}
