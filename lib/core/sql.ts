import "server-only";
import { Prisma } from "@/lib/generated/prisma/client";

/** A piece of SQL with its values. `sql` binds every value that is not itself a piece of SQL. */
export type Sql = Prisma.Sql;
export const { sql, join, empty } = Prisma;

/** Joins all conditions with AND; TRUE if there are none. */
export const and = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0 ? sql`TRUE` : join([...conditions], " AND ");

/**
 * Returns the name of a table, a column, an alias or a part of a statement. Throws if it is not a plain lower-case
 * name.
 */
export function identifier(name: string): Sql {
  if (!/^[a-z_][a-z0-9_]*$/.test(name)) throw new Error(`Not a name in the database: ${name}`);
  return Prisma.raw(name);
}

/**
 * Returns a constant of the program, written into the text, so that PostgreSQL plans with it. Never for a value that
 * varies, because each value makes another text to prepare.
 */
export const constant = (value: string | number): Sql =>
  Prisma.raw(typeof value === "number" ? String(value) : `'${value.replaceAll("'", "''")}'`);

/** Returns a `json_build_object(…)` with these keys. */
export const jsonObject = (expressions: Readonly<Record<string, Sql>>): Sql =>
  sql`json_build_object(${join(
    Object.entries(expressions).map(([key, expression]) => sql`${constant(key)}, ${expression}`),
  )})`;
