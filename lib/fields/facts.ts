import { z } from "zod";
import type { MaskName } from "@/lib/fields/format";
import type { Table } from "@/lib/fields/tables";

/** A list of records that a field can point to, by its table. */
export type ListName = Table;

export type Choice = { value: string; label: string };

type Common = {
  /** As the screens show it. */
  label: string;
  /** Somebody must fill it in: the screens mark it with a star. */
  required: boolean;
  hint?: string;
  /** It tells who somebody is, or holds free words, which may. */
  sensitive: boolean;
  /** Its numbers, booleans and choices may be seen in an error report; free words never are. */
  inErrorReports: boolean;
};

/** What is known of a field beside its schema. `kind` decides the control, the text on paper and the column. */
export type FieldFacts = Common &
  (
    | { kind: "text"; max: number; mask?: MaskName; unique: boolean }
    | { kind: "longText"; max: number }
    | { kind: "email"; max: number; unique: boolean }
    /** A password or a token: never logged, reported, exported or recorded. */
    | { kind: "secret" }
    | { kind: "flag" }
    /** `YYYY-MM-DD`; bounds inclusive. */
    | { kind: "day"; earliest: string; latest: () => string; initial?: () => string }
    | { kind: "minutes" | "count" | "whole" | "money"; min: number; max: number }
    /** One of some fixed words. `blank` is the value that says nothing was chosen; null: there is none. */
    | { kind: "choice"; choices: readonly Choice[]; blank: string | null; initial?: string }
    /** The id of a record of `list`. */
    | { kind: "lookup"; list: ListName }
    /** Ids of records of `list`. */
    | { kind: "lookups"; list: ListName; max: number }
    /** What a body carries, a record nested in it, and a list of those: `objectIn` gives its schema. */
    | { kind: "record" | "entry" | "entries"; table: Table }
    /** What the wire carries and no screen shows: a row's id, its removal, the version that was read. */
    | { kind: "id" | "removal" | "version" }
  );

export type FieldKind = FieldFacts["kind"];

/** Facts stand by instance: `.optional()` and its like make one without them, so they are registered last. */
export const fieldFacts = z.registry<FieldFacts>();

/** The facts of a field; undefined for what is not of the vocabulary. */
export const factsOf = (schema: z.core.$ZodType): FieldFacts | undefined => fieldFacts.get(schema);

export type RecordFacts = Extract<FieldFacts, { table: Table }>;

/** The facts of a record or of a nested entry, which has a table. */
export function recordFacts(schema: z.core.$ZodType): RecordFacts {
  const facts = factsOf(schema);
  if (!facts || !("table" in facts)) throw new Error("Only a record of the vocabulary has a table");
  return facts;
}

/** The object schema inside optional, nullable, list, preprocessing and transforming wrappers; null: there is none. */
export function objectIn(schema: unknown): z.ZodObject | null {
  if (schema instanceof z.ZodObject) return schema;
  if (schema instanceof z.ZodArray) return objectIn(schema.element);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return objectIn(schema.unwrap());
  if (schema instanceof z.ZodPipe) return objectIn(schema.in) ?? objectIn(schema.out);
  return null;
}

export type Field = { name: string; facts: FieldFacts; schema: z.core.$ZodType };

/** The fields of a record, or of the records in a list, in the order of its schema. */
export const fieldsOf = (schema: z.core.$ZodType): Field[] =>
  Object.entries<z.core.$ZodType>(objectIn(schema)?.shape ?? {}).flatMap(([name, field]) => {
    const facts = factsOf(field);
    return facts ? [{ name, facts, schema: field }] : [];
  });

const WIRE_SUFFIX = "Attributes";

/** Whether a field is a nested object or list, which the wire accepts under `…Attributes` (contract §1). */
export const isNested = (facts: FieldFacts | undefined) =>
  facts?.kind === "entry" || facts?.kind === "entries";

/** What the wire calls a field in a request. */
export const wireName = (name: string, facts: FieldFacts | undefined) =>
  isNested(facts) ? name + WIRE_SUFFIX : name;

/** A name of the wire as the schemas have it; nothing else ends like a nested object. */
export const plainName = (name: string) =>
  name.endsWith(WIRE_SUFFIX) ? name.slice(0, -WIRE_SUFFIX.length) : name;

/** The schema of a record's field; undefined when it has none of that name. */
export function fieldIn(schema: z.core.$ZodType | undefined, name: string): z.core.$ZodType | undefined {
  const shape: z.core.$ZodShape = objectIn(schema)?.shape ?? {};
  return Object.hasOwn(shape, name) ? shape[name] : undefined;
}

/**
 * Each segment of a path (`form.serviceEntry.serviceProvidedEntries.0.minutes`, equally with `…Attributes`) with its
 * schema, undefined from the first segment on that the schema does not know. At an index it is still the list's.
 */
export function* schemasAlong(root: z.core.$ZodType, path: readonly string[]) {
  let schema: z.core.$ZodType | undefined = root;
  for (const name of path) {
    if (!/^\d+$/.test(name)) schema = fieldIn(schema, plainName(name));
    yield { name, schema, facts: schema && factsOf(schema) };
  }
}
