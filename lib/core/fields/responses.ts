import * as z from "zod/mini";
import { customShapes, factsOf, fieldFacts, fieldsOf, isOf, responseFields } from "@/lib/core/fields/facts";
import type { EntriesOf, EntryOf, Shape, ValueOf } from "@/lib/core/fields/shapes";

// The schema of the API's response, derived from a record's schema.

/** A record as returned: its id, a value for each field, nested records under their plain names. */
type ResponseShape<S extends Shape> = { id: z.ZodMiniInt } & {
  [Name in Exclude<keyof S, "id" | "_destroy">]: ResponseField<S[Name]>;
};
type ResponseField<Field> =
  Field extends EntryOf<infer Inner>
    ? z.ZodMiniNullable<z.ZodMiniObject<ResponseShape<Inner>>>
    : Field extends EntriesOf<infer Row>
      ? z.ZodMiniArray<z.ZodMiniObject<ResponseShape<Row>>>
      : z.ZodMiniType<ValueOf<Field>>;

function answerField(schema: z.core.$ZodType): z.core.$ZodType {
  // Fields that a PUT may omit are returned like any other.
  const field = isOf(schema, "optional") ? schema._zod.def.innerType : schema;
  const facts = factsOf(field) ?? factsOf(schema);
  const orNull = (inner: z.core.$ZodType) => (facts?.required ? inner : z.nullable(inner));
  switch (facts?.kind) {
    case "flag":
      return z.boolean();
    case "count":
      return facts.initial === null ? z.nullable(z.int()) : z.int();
    case "minutes":
    case "whole":
    case "version":
      return z.int();
    case "money":
      return z.number();
    case "choice":
      return z.enum([
        ...new Set([
          ...(facts.blank === null ? [] : [facts.blank]),
          ...facts.choices.map(({ value }) => String(value)),
        ]),
      ]);
    case "day":
      return orNull(z.iso.date());
    case "lookup":
      return orNull(z.int());
    case "lookups":
      return z.array(z.int());
    case "entry":
      return z.nullable(responseSchema(field));
    case "entries":
      return z.array(responseSchema(field));
    case "custom": {
      const values = z.record(z.string(), z.unknown());
      fieldFacts.add(values, facts);
      const shape = customShapes.get(schema);
      if (shape) customShapes.set(values, shape);
      return values;
    }
    default:
      return z.string();
  }
}

const responseSchema = (schema: z.core.$ZodType): z.ZodMiniObject =>
  z.object({
    id: z.int(),
    ...Object.fromEntries(
      fieldsOf(schema)
        .filter(({ facts }) => facts.kind !== "id" && facts.kind !== "removal")
        .map(({ name, schema: field }) => [name, withLabel(answerField(field), field)]),
    ),
  });

function withLabel(response: z.core.$ZodType, of: z.core.$ZodType): z.core.$ZodType {
  responseFields.set(response, of);
  return response;
}

/**
 * Returns the schema of the API's response for a record or a row of a list. Add keys that are not fields with
 * `z.extend`.
 */
export const responseOf = <S extends Shape>(
  schema: z.ZodMiniObject<S> | EntryOf<S> | EntriesOf<S>,
): z.ZodMiniObject<ResponseShape<S>> => responseSchema(schema) as z.ZodMiniObject<ResponseShape<S>>;
