import type * as z from "zod/mini";
import type { SeenBy } from "@/lib/core/access/scope";
import { type Field, type FieldFacts, fieldsOf, rowNameField } from "@/lib/core/fields/facts";
import type { Shape } from "@/lib/core/fields/shapes";
import { withArticle } from "@/lib/core/text/format";

/** The words of a record on screens. `record` is its name in a sentence, such as "activity". */
type RecordWords = {
  title: string;
  record: string;
  /** Stated where records are entered, such as that no name belongs there. */
  notice: string;
};

/**
 * A kind of record, declared once. Its endpoints, list, form, files, history, audit, import, and
 * archive follow from this (lib/declared-records). `plural` is its
 * table and its path, in snake case. If holders see it by its client, the table has `client_id`.
 */
export type RecordDeclaration<S extends Shape = Shape> = SeenBy & {
  entity: string;
  plural: string;
  schema: z.ZodMiniObject<S>;
  words: RecordWords;
  /** The field with the day. It decides if the record is in a closed period; lists begin with the newest day. */
  day: keyof S & string;
  /** The fields of the list, in order. The advocate is the last column. */
  columns: readonly (keyof S & string)[];
  /** The fields that filter the list, in addition to day and user. They are choices or records of a list. */
  filters: readonly (keyof S & string)[];
  /** The fields that a search reads: texts, the labels of choices, and records of a list by name. */
  searched: readonly (keyof S & string)[];
  /** The fields that another record like this one begins with. If missing, records are not copied. */
  copied?: readonly (keyof S & string)[];
};

/**
 * Declares a record. Throws for a column, a filter, or a search by a kind of field that cannot have one, and for a list
 * without the day, whose cell opens the record.
 */
export function declareRecord<S extends Shape, const D extends RecordDeclaration<S>>(
  declaration: D & { schema: z.ZodMiniObject<S> },
): D {
  const { entity, schema, day, columns, filters, searched } = declaration;
  const kindOf = (name: string) => fieldsOf(schema).find((field) => field.name === name)?.facts.kind ?? "";
  const unfit = [
    ...columns.filter((name) => ["entries", "lookups", "choices"].includes(kindOf(name))),
    ...filters.filter((name) => !["lookup", "choice"].includes(kindOf(name))),
    ...searched.filter((name) => !["lookup", "choice", "text", "longText"].includes(kindOf(name))),
  ];
  if (unfit.length > 0)
    throw new Error(`The list of ${entity} cannot show, filter, or search ${unfit.join(", ")}`);
  if (!columns.includes(day)) throw new Error(`The list of ${entity} needs the column ${day}`);
  return declaration;
}

/** Returns the title of the entry of new records: `Record an activity`. */
export const recordTitle = ({ words }: Pick<RecordDeclaration, "words">): string =>
  `Record ${withArticle(words.record)}`;

/** Returns the name of a field in responses and sorts: `activityKindId` refers to the `activityKind`. */
export const itemName = (field: string): string => field.replace(/Id$/, "");

/** Returns the key of a list in responses: `vehicle_trips` are `vehicleTrips`. */
export const listKey = (plural: string): string =>
  plural.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** True if a person or a file can give the field: the program does not set it, or a field that it depends on. */
export const isTyped = (schema: z.core.$ZodType, { entered, dependsOn }: FieldFacts): boolean =>
  entered && !fieldsOf(schema).some(({ name, facts }) => !facts.entered && dependsOn?.boxes.includes(name));

/** Returns the lists of rows within a record, with the field that names a row and the others. */
export const rowLists = (schema: z.core.$ZodType) =>
  fieldsOf(schema).flatMap(({ name, facts, schema: rows }) => {
    if (facts.kind !== "entries") return [];
    const fields = fieldsOf(rows).filter(({ facts }) => facts.entered);
    const named = rowNameField(rows);
    if (!named) throw new Error(`No field names a row of ${facts.label}`);
    return [{ name, facts, named, others: fields.filter((field) => field.name !== named.name) }];
  });

/** Returns the fields that refer to a record of a list, and whose record responses name: the list shows or searches it. */
export const namedFields = ({ schema, columns, searched }: RecordDeclaration): Field[] =>
  fieldsOf(schema).filter(
    ({ name, facts }) => facts.kind === "lookup" && (columns.includes(name) || searched.includes(name)),
  );
