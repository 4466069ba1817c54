import type * as z from "zod/mini";
import { type FieldFacts, factsOf, fieldIn, schemasAlong } from "@/lib/core/fields/facts";
import { plainName } from "@/lib/core/fields/wire-names";
import { isRecord } from "@/lib/core/objects";
import { MASKED } from "@/lib/core/process/error-frames";

// The parts of a body that may leave the machine: names of known fields, and values whose facts allow it. A name
// outside the schema could itself be personal data.

/** Returns the path of a field in a validation error, with names outside the schema masked: `form.[masked]`. */
export const maskPath = (schema: z.core.$ZodType | undefined, path: string): string =>
  schema
    ? [...schemasAlong(schema, path.split("."))]
        .map(({ name, schema: known }) => (known && !/^\d{5}/.test(name) ? name : MASKED))
        .join(".")
    : MASKED;

/** Excludes telephone numbers and the like. */
const isSmall = (value: unknown) => typeof value === "number" && Math.abs(value) < 1_000_000;

function isShown(facts: FieldFacts | undefined, value: unknown): boolean {
  if (!facts?.inErrorReports) return false;
  if (facts.kind === "choice") return facts.choices.some((choice) => choice.value === value);
  return typeof value === "boolean" || isSmall(value);
}

/** Returns a submitted body with its structure, but only with values that reveal nothing about a person. */
export function maskBody(schema: z.core.$ZodType | undefined, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => maskBody(schema, item));
  if (isRecord(value)) {
    const entries = Object.entries(value).map(([name, inner], index) => {
      const field = fieldIn(schema, plainName(name));
      return field ? [name, maskBody(field, inner)] : [`${MASKED} ${index + 1}`, MASKED];
    });
    return Object.fromEntries(entries);
  }
  if (value === null || value === "") return value;
  return isShown(schema && factsOf(schema), value) ? value : MASKED;
}
