import type * as z from "zod/mini";
import { type FieldFacts, type FieldKind, fieldsOf, isAsked, isNested } from "@/lib/core/fields/facts";
import { isRecord } from "@/lib/core/objects";

// The blanks of fields, derived from a record's schema: of a new record, and of fields that are not asked.

export type Shape = z.core.$ZodLooseShape;
export type EntryOf<S extends Shape> = z.ZodMiniOptional<z.ZodMiniNullable<z.ZodMiniObject<S>>>;
export type EntriesOf<S extends Shape> = z.ZodMiniOptional<z.ZodMiniArray<z.ZodMiniObject<S>>>;
export type ValueOf<Field> = Exclude<z.output<Field>, undefined>;
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

/** Returns the value of a field in a new record. */
export function blankOf(facts: FieldFacts, schema: z.core.$ZodType): unknown {
  switch (facts.kind) {
    case "flag":
      return facts.initial ?? false;
    case "minutes":
      return facts.min > 0 ? null : 0;
    case "count":
      return facts.required ? null : facts.initial;
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
    case "custom":
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

/**
 * Returns a record, or a list of them, in which every field that its boxes do not ask is blank, also in nested entries.
 * Fields are cleared in the order of the schema, so a cleared box clears the fields that depend on it. An entry keeps its
 * id.
 */
export function withoutUnasked<Values>(schema: z.core.$ZodType, values: Values): Values;
export function withoutUnasked(schema: z.core.$ZodType, values: unknown): unknown {
  if (Array.isArray(values)) return values.map((row) => withoutUnasked(schema, row));
  if (!isRecord(values)) return values;
  const cleared = { ...values };
  for (const { name, facts, schema: field } of fieldsOf(schema)) {
    const value = cleared[name];
    // An absent entry stays absent, because a blank one would be stored.
    if (isNested(facts) && !value) continue;
    if (!isAsked(facts, cleared))
      cleared[name] = isRecord(value)
        ? { ...(value.id !== undefined && { id: value.id }), ...blanks(field) }
        : blankOf(facts, field);
    else if (isNested(facts)) cleared[name] = withoutUnasked(field, value);
  }
  return cleared;
}
