import { z } from "zod/mini";
import {
  type FieldFacts,
  type FieldKind,
  factsOf,
  fieldFacts,
  fieldsOf,
  isOf,
  ownShapes,
  responseFields,
} from "@/lib/core/fields/facts";

// Types and values derived from a record's schema: a screen's initial blanks, and the schema of the API's response.

type Shape = z.core.$ZodLooseShape;
type EntryOf<S extends Shape> = z.ZodMiniOptional<z.ZodMiniNullable<z.ZodMiniObject<S>>>;
type EntriesOf<S extends Shape> = z.ZodMiniOptional<z.ZodMiniArray<z.ZodMiniObject<S>>>;
type ValueOf<Field> = Exclude<z.output<Field>, undefined>;
type Bookkeeping = "id" | "_destroy" | "lockVersion";

/** Optional fields have a blank value; required choices start as null. */
type BlankValue<Field> =
  Field extends z.ZodMiniOptional<infer Kept>
    ? BlankValue<Kept>
    : undefined extends z.input<Field>
      ? ValueOf<Field>
      : string extends z.output<Field>
        ? string
        : z.output<Field> extends boolean
          ? boolean
          : z.output<Field> | null;

/** The values of a record's fields while a user fills it in. */
export type Blank<S extends Shape> = {
  [Name in Exclude<keyof S, Bookkeeping>]: S[Name] extends EntryOf<infer Inner>
    ? Blank<Inner>
    : S[Name] extends EntriesOf<infer _>
      ? ValueOf<S[Name]>
      : BlankValue<S[Name]>;
};

/** A record as returned: its id, a value for each field, nested records under their plain names. */
export type ResponseShape<S extends Shape> = { id: z.ZodMiniInt } & {
  [Name in Exclude<keyof S, "id" | "_destroy">]: ResponseField<S[Name]>;
};
type ResponseField<Field> =
  Field extends EntryOf<infer Inner>
    ? z.ZodMiniNullable<z.ZodMiniObject<ResponseShape<Inner>>>
    : Field extends EntriesOf<infer Row>
      ? z.ZodMiniArray<z.ZodMiniObject<ResponseShape<Row>>>
      : z.ZodMiniType<ValueOf<Field>>;

/** Returns the value of a field in a new record. */
export function blankOf(facts: FieldFacts, schema: z.core.$ZodType): unknown {
  switch (facts.kind) {
    case "flag":
      return false;
    case "minutes":
      return 0;
    case "count":
      return facts.initial;
    case "choice":
      return facts.initial ?? facts.blank;
    case "day":
      return facts.initial?.() ?? null;
    case "whole":
    case "money":
    case "lookup":
      return null;
    case "lookups":
    case "choices":
    case "entries":
      return [];
    case "entry":
    case "own":
      return blanks(schema);
    default:
      return "";
  }
}

/** Kinds that a new record does not have. */
const STORED_ONLY: ReadonlySet<FieldKind> = new Set(["id", "removal", "version"]);

const blanks = (schema: z.core.$ZodType): Record<string, unknown> =>
  Object.fromEntries(
    fieldsOf(schema)
      .filter(({ facts }) => !STORED_ONLY.has(facts.kind))
      .map(({ name, facts, schema: field }) => [name, blankOf(facts, field)]),
  );

/**
 * Returns the initial values of a new record: unticked, empty, nothing chosen; nested records are present with theirs.
 */
export const blanksOf = <S extends Shape>(schema: z.ZodMiniObject<S> | EntryOf<S>): Blank<S> =>
  blanks(schema) as Blank<S>;

function answerField(schema: z.core.$ZodType): z.core.$ZodType {
  // Fields that a PUT may omit are returned like any other.
  const field = isOf(schema, "optional") ? schema._zod.def.innerType : schema;
  const facts = factsOf(field) ?? factsOf(schema);
  const orNull = (inner: z.core.$ZodType) => (facts?.required ? inner : z.nullable(inner));
  switch (facts?.kind) {
    case "flag":
      return z.boolean();
    case "minutes":
    case "count":
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
    case "own": {
      const values = z.record(z.string(), z.unknown());
      fieldFacts.add(values, facts);
      const shape = ownShapes.get(schema);
      if (shape) ownShapes.set(values, shape);
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
