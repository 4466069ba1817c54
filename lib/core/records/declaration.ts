import type { z } from "zod/mini";
import type { Permission } from "@/lib/core/access/permissions";
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
 * archive follow from this (lib/records). `plural` is its table, its path, and its key in responses.
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
  /** The fields by which the list can be filtered, in addition to day and user: choices, and records of a list. */
  filters: readonly (keyof S & string)[];
  /** The fields that a search reads: texts, and records of a list by name. */
  searched: readonly (keyof S & string)[];
};

/** Declares a record. It checks that the named fields exist. */
export const declareRecord = <S extends Shape, const D extends RecordDeclaration<S>>(
  declaration: D & { schema: z.ZodMiniObject<S> },
): D => declaration;

/** Returns the name of a field in responses and sorts: `activityKindId` refers to the `activityKind`. */
export const itemName = (field: string): string => field.replace(/Id$/, "");
