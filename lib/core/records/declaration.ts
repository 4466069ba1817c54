import type { z } from "zod/mini";
import type { Permission } from "@/lib/core/access/permissions";
import { fieldsOf } from "@/lib/core/fields/facts";
import type { Shape } from "@/lib/core/fields/shapes";

/** The words of a record on screens. `record` is its name in a sentence, such as "activity". */
export type RecordWords = {
  title: string;
  record: string;
  /** Stated where records are entered, such as that no name belongs there. */
  notice: string;
};

/**
 * A kind of record that is about no client, declared once. Its endpoints, list, form, files, history, audit, import, and
 * archive follow from this (lib/records). `plural` is its table and its path, in snake case.
 */
export type RecordDeclaration<S extends Shape = Shape> = {
  entity: string;
  plural: string;
  schema: z.ZodMiniObject<S>;
  permission: Permission;
  words: RecordWords;
  /** The field with the day. It decides if the record is in a closed period; lists begin with the newest day. */
  day: keyof S & string;
  /** Holders of the permission see and change their own records, and those with All Forms all; or every holder all. */
  seenBy: "owner" | "all";
  /** The fields of the list, in order. The advocate is the last column. */
  columns: readonly (keyof S & string)[];
  /** The fields that filter the list, in addition to day and user. They are choices or records of a list. */
  filters: readonly (keyof S & string)[];
  /** The fields that a search reads: texts, and records of a list by name. */
  searched: readonly (keyof S & string)[];
};

/** Declares a record. Throws for a filter or a search by a kind of field that cannot have one. */
export function declareRecord<S extends Shape, const D extends RecordDeclaration<S>>(
  declaration: D & { schema: z.ZodMiniObject<S> },
): D {
  const { entity, schema, filters, searched } = declaration;
  const kindOf = (name: string) => fieldsOf(schema).find((field) => field.name === name)?.facts.kind ?? "";
  const unfit = [
    ...filters.filter((name) => !["lookup", "choice"].includes(kindOf(name))),
    ...searched.filter((name) => !["lookup", "text", "longText"].includes(kindOf(name))),
  ];
  if (unfit.length > 0)
    throw new Error(`The list of ${entity} cannot be filtered or searched by ${unfit.join(", ")}`);
  return declaration;
}

/** Returns the name of a field in responses and sorts: `activityKindId` refers to the `activityKind`. */
export const itemName = (field: string): string => field.replace(/Id$/, "");

/** Returns the key of a list in responses: `vehicle_trips` are `vehicleTrips`. */
export const listKey = (plural: string): string =>
  plural.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
