import type { z } from "zod/mini";
import type { Prisma } from "@/lib/generated/prisma/client";

// The tables of prisma/schema.prisma. Database names follow one convention: rows that belong to `survivor_entries` refer
// to it by `survivor_entry_id`; its `secondary_victimizations` are in the join table
// `survivor_entry_secondary_victimizations`.

/** `survivorEntry` → `survivor_entry` */
type Snake<Name extends string, Done extends string = ""> = Name extends `${infer Letter}${infer Rest}`
  ? Snake<Rest, `${Done}${Letter extends Lowercase<Letter> ? Letter : `_${Lowercase<Letter>}`}`>
  : Done;

type Plural<Name extends string> = Name extends `${infer Stem}us`
  ? `${Stem}uses`
  : Name extends `${string}${"a" | "e"}y`
    ? `${Name}s`
    : Name extends `${infer Stem}y`
      ? `${Stem}ies`
      : `${Name}s`;

/** The models whose table has a name of its own. */
type OwnNames = {
  AuditRetention: "audit_retention";
  FieldDefinitions: "field_definitions";
  ReportSubmissionWithheld: "report_submission_withheld";
};
type TableOf<Model extends Prisma.ModelName> = Model extends keyof OwnNames
  ? OwnNames[Model]
  : Plural<Snake<Uncapitalize<Model>>>;

/** The models by table. */
type Models = { [Model in Prisma.ModelName as TableOf<Model>]: Model };
export type Table = keyof Models;

type Payload<T extends Table> = Prisma.TypeMap["model"][Models[T]]["payload"];
type Scalars<T extends Table> = Payload<T>["scalars"];
type Relations<T extends Table> = Payload<T>["objects"];

/** The type of a column's value in the schemas: days as `YYYY-MM-DD`, exact decimals as numbers. */
type Stored<Value> = Value extends Date ? string : Value extends Prisma.Decimal ? number : Value;

/** The allowed type for a field of this name; never if the table has no such column or relation. */
type Field<T extends Table, Name> = Name extends keyof Scalars<T>
  ? z.core.$ZodType<Stored<Scalars<T>[Name]> | undefined>
  : Name extends keyof Relations<T>
    ? z.core.$ZodType<object | null | undefined>
    : Name extends `${infer Relation}Ids`
      ? `${Relation}s` extends keyof Relations<T>
        ? z.core.$ZodType<number[] | undefined>
        : never
      : never;

/** Fields that can each be stored in their column of the table. */
export type Columns<T extends Table, Shape> = { [Name in keyof Shape]: Field<T, Name> };

/** `survivor_entries` → `survivor_entry`. */
export const singular = (table: string): string =>
  table
    .replace(/ies$/, "y")
    .replace(/uses$/, "us")
    .replace(/([^u])s$/, "$1");

/** The inverse, also for a singular in camel case or in words: `ageBracket` → `ageBrackets`. */
export const plural = (name: string): string =>
  /y$/.test(name) ? name.replace(/y$/, "ies") : `${name}${/us$/.test(name) ? "es" : "s"}`;

/** Returns the column in other tables that refers to an owner in this one. */
export const ownerColumn = (table: string): string => `${singular(table)}_id`;

/** Returns the join table between `table` and `list`, with its columns. */
export const pairsTable = (table: string, list: string) => ({
  table: `${singular(table)}_${list}`,
  own: ownerColumn(table),
  other: ownerColumn(list),
});

/**
 * `childAges` → `child_ages`: the column of a field, or the table of a list that responses call `ageBrackets`.
 */
export const columnName = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
