import "server-only";
import { withoutActor } from "@/lib/core/access/scope";
import type { Query } from "@/lib/core/database/client";
import { identifier, type Sql, sql } from "@/lib/core/sql";

// A merge may give a client two stays at one time. The database's constraint leaves out the one that moved, until its days
// or those of the other stay are corrected.

/** For statements on stays of clients that the caller has locked for its actor. */
const visible = withoutActor("the caller has locked the clients for its actor");

/** SQL for the days of a stay without its last, so that a move is no overlap. */
export const stayDays = (alias: string): Sql =>
  sql`daterange(${identifier(alias)}.entered_on, ${identifier(alias)}.left_on)`;

/** SQL that is true if the stay `r` overlaps a stay of the client. */
export const overlapsStayOf = (clientId: number): Sql =>
  sql`EXISTS (SELECT FROM stays other WHERE other.client_id = ${clientId} AND ${stayDays("other")} && ${stayDays("r")}
    AND ${visible})`;

/** Makes the constraint apply again to the client's stays that no longer overlap another one. */
export async function includeInConstraint(query: Query, clientId: number): Promise<void> {
  await query(
    sql`UPDATE stays st SET overlapping = FALSE WHERE st.client_id = ${clientId} AND st.overlapping AND ${visible}
       AND NOT EXISTS (SELECT FROM stays other
         WHERE other.client_id = st.client_id AND other.id <> st.id AND ${stayDays("other")} && ${stayDays("st")})`,
  );
}
