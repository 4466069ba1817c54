import "server-only";
import type { Bind } from "@/lib/database/bind";
import { Prisma } from "@/lib/generated/prisma/client";

/** A piece of SQL with its values. `sql` binds every value that is not itself a piece of SQL. */
export type Sql = Prisma.Sql;
export const { sql, join, raw, empty } = Prisma;

/** All of the conditions; TRUE if there are none. */
export const and = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0 ? sql`TRUE` : join([...conditions], " AND ");

/** The piece of SQL that a function of the `bind` style makes. */
export function bound(make: (bind: Bind) => string): Sql {
  const values: unknown[] = [];
  const text = make((value) => `\u0000${values.push(value) - 1}\u0000`);
  const parts = text.split("\u0000");
  const strings = parts.filter((_, index) => index % 2 === 0);
  const places = parts.filter((_, index) => index % 2 === 1);
  return new Prisma.Sql(
    strings,
    places.map((place) => values[Number(place)]),
  );
}
