import "server-only";
import { seesClients } from "@/lib/core/access/scope";
import { env } from "@/lib/core/process/env";
import { type Sql, sql } from "@/lib/core/sql";
import { today } from "@/lib/core/text/format";
import { recordReads } from "@/lib/declared-records/reads";
import type { Stay } from "@/lib/shelter/api-schema";
import { listedStays, stayColumns } from "@/lib/shelter/columns";
import { stays } from "@/lib/shelter/record";

/** SQL for the name of the client of the visible stay `st`. */
// biome-ignore lint/plugin: the client of a visible stay
export const NAME_OF_CLIENT = sql`(SELECT c.name FROM clients c WHERE c.id = st.client_id)`;

/** SQL condition: the stay `st` was open on the day, or later if it had not begun. */
export const notEndedOn = (day: string): Sql => sql`(st.left_on IS NULL OR st.left_on > ${day}::date)`;

/** SQL condition: the stay `st` is open and longer than `STAY_ALERT_DAYS`. */
export const isLongOpen = (): Sql =>
  sql`st.left_on IS NULL AND ${today()}::date - st.entered_on > ${env().STAY_ALERT_DAYS}`;

/** The reads of stays; the alias of a row is `st`. */
export const stayReads = recordReads<Stay>(stays, {
  row: "st",
  keys: (actor, inFile) => ({
    clientId: sql`st.client_id`,
    // Names of clients are shown only on request, and in whole files to those who see clients.
    ...(inFile && { client: seesClients(actor) ? NAME_OF_CLIENT : sql`NULL` }),
  }),
  columns: stayColumns,
  cells: listedStays,
  *conditions({ filters: { clientId, shelterId, open, from, to } }) {
    if (clientId != null) yield sql`st.client_id = ${clientId}`;
    if (shelterId != null) yield sql`st.shelter_id = ${shelterId}`;
    if (open != null) yield open === "true" ? sql`st.left_on IS NULL` : sql`st.left_on IS NOT NULL`;
    if (from != null) yield sql`(st.left_on IS NULL OR st.left_on >= ${from}::date)`;
    if (to != null) yield sql`st.entered_on <= ${to}::date`;
  },
});
