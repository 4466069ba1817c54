import "server-only";
import { empty, type Sql, sql } from "@/lib/core/sql";

// Copies of checked forms (lib/forms/review/checked.ts) hold values about the client of the form at that time. A form that
// was moved to another client keeps its copy.

/** SQL that deletes the copies with values about removed clients. That they existed is kept: the form has changed since. */
export const forgetChecked = (clientIds: Sql): Sql =>
  sql`UPDATE form_checks SET content = NULL WHERE client_id IN (${clientIds})`;

/** SQL that assigns the copies of a client to another one, or only those of the forms `only`. */
export const moveChecked = (from: number, to: number, only?: readonly number[]): Sql =>
  sql`UPDATE form_checks SET client_id = ${to} WHERE client_id = ${from}
    ${only ? sql`AND form_id = ANY(${only}::int[])` : empty}`;
