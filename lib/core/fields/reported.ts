import type { z } from "zod/mini";
import { type FieldFacts, fieldsOf, isNested } from "@/lib/core/fields/facts";
import { isRecord } from "@/lib/core/fields/plain";

/** A field with a value, by its path in the record. */
export type Reported = { path: string; facts: FieldFacts; value: unknown };

/**
 * True if the value reports something: a ticked box, another choice than the initial one, or an entered value. A blank
 * reports nothing, not even a "no".
 */
export const isReported = (facts: FieldFacts, value: unknown): boolean => {
  if (facts.kind === "whole") return typeof value === "number";
  if (facts.kind === "choice" && (value === facts.blank || value === facts.initial)) return false;
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
};

/**
 * Yields the fields of a record, and of everything nested in it, that report something. Rows of a list share paths. Hidden
 * fields are left out: the organization does not work with them.
 */
export function* reportedFields(schema: z.core.$ZodType, values: unknown, path = ""): Generator<Reported> {
  if (Array.isArray(values)) for (const row of values) yield* reportedFields(schema, row, path);
  if (!isRecord(values)) return;
  for (const { name, facts, schema: field } of fieldsOf(schema)) {
    const [at, value] = [path ? `${path}.${name}` : name, values[name]];
    if (facts.hidden) continue;
    if (isNested(facts) || facts.kind === "own") yield* reportedFields(field, value, at);
    else if (isReported(facts, value)) yield { path: at, facts, value };
  }
}
