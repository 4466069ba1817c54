import type { z } from "zod";
import type { Prisma } from "@/lib/generated/prisma/client";

/**
 * Database names follow one convention: `model SurvivorEntry` is the table `survivor_entries`; rows that belong to it
 * refer to it by `survivor_entry_id`; its `secondary_victimizations` are in the join table
 * `survivor_entry_secondary_victimizations`.
 */
type Singular<T extends string> = T extends `${infer S}ies`
  ? `${S}y`
  : T extends `${infer S}uses`
    ? `${S}us`
    : T extends `${infer S}s`
      ? S
      : T;
type Pascal<T extends string> = T extends `${infer A}_${infer B}`
  ? `${Capitalize<A>}${Pascal<B>}`
  : Capitalize<T>;
type Plural<T extends string> = T extends `${string}ey`
  ? `${T}s`
  : T extends `${infer S}y`
    ? `${S}ies`
    : T extends `${infer S}us`
      ? `${S}uses`
      : `${T}s`;
type Snake<T extends string> = T extends `${infer A}${infer B}`
  ? B extends Uncapitalize<B>
    ? `${Uncapitalize<A>}${Snake<B>}`
    : `${Uncapitalize<A>}_${Snake<B>}`
  : T;

/** The tables of prisma/schema.prisma. */
export type Table = { [Model in Prisma.ModelName]: Plural<Snake<Model>> }[Prisma.ModelName];

type Payload<T extends Table> = Prisma.TypeMap["model"][Pascal<Singular<T>> & Prisma.ModelName]["payload"];
type Scalars<T extends Table> = Payload<T>["scalars"];
type Relations<T extends Table> = Payload<T>["objects"];

/** The type of a column's value in the schemas: days as `YYYY-MM-DD`, exact decimals as numbers. */
type Stored<Value> = Value extends Date ? string : Value extends Prisma.Decimal ? number : Value;

/** The allowed type for a field of this name; never if the table has no such column or relation. */
type Field<T extends Table, Name> = Name extends keyof Scalars<T>
  ? z.ZodType<Stored<Scalars<T>[Name]> | undefined>
  : Name extends keyof Relations<T>
    ? z.ZodType<object | null | undefined>
    : Name extends `${infer Relation}Ids`
      ? Plural<Relation> extends keyof Relations<T>
        ? z.ZodType<number[] | undefined>
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

/** The converse, also of a singular in camel case or in words: `ageBracket` → `ageBrackets`. */
export const plural = (name: string): string =>
  /y$/.test(name) ? name.replace(/y$/, "ies") : `${name}${/us$/.test(name) ? "es" : "s"}`;

/** The column by which rows of other tables refer to their owner in this one. */
export const ownerColumn = (table: string): string => `${singular(table)}_id`;

/** The join table between `table` and `list`, with its columns. */
export const pairsTable = (table: string, list: string) => ({
  table: `${singular(table)}_${list}`,
  own: ownerColumn(table),
  other: ownerColumn(list),
});

/** `childAges` → `child_ages`: the column of a field, or the table of a list that answers name `ageBrackets`. */
export const columnName = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
