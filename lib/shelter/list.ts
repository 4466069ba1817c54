import "server-only";
import { ownerInFile } from "@/lib/audit/list-export";
import { byAdvocate } from "@/lib/clients/list";
import type { SessionUser } from "@/lib/core/access/permissions";
import { seesClients, visibleStaysWhere } from "@/lib/core/access/scope";
import { namedItem, person } from "@/lib/core/api/response";
import { containsText, textKey } from "@/lib/core/database/folded";
import type { List } from "@/lib/core/database/list";
import { columnsJson, recordJson } from "@/lib/core/database/record-read";
import { type Sql, sql } from "@/lib/core/database/sql";
import { today } from "@/lib/core/fields/format";
import { env } from "@/lib/core/server/env";
import type { StayListQuery } from "@/lib/shelter/api-schema";
import { staySchema } from "@/lib/shelter/schema";

const SHELTER = sql`(SELECT ${columnsJson(namedItem, "shelter")} FROM shelters shelter WHERE shelter.id = st.shelter_id)`;

/** SQL for a whole stay as the API returns it (`stayResponse`); the row's alias is `st`. */
export const STAY_JSON = recordJson(staySchema, "st", {
  stays: {
    clientId: sql`st.client_id`,
    shelter: SHELTER,
    userId: sql`st.user_id`,
    user: sql`(SELECT ${columnsJson(person, "owner")} FROM users owner WHERE owner.id = st.user_id)`,
  },
});

/** SQL for the name of the client of the visible stay `st`. */
// biome-ignore lint/plugin: the client of a visible stay
export const NAME_OF_CLIENT = sql`(SELECT c.name FROM clients c WHERE c.id = st.client_id)`;

/** Returns SQL for a whole stay as exported files show it (`stayColumns`). */
export const stayInFile = (actor: SessionUser): Sql =>
  recordJson(staySchema, "st", {
    stays: {
      clientId: sql`st.client_id`,
      client: seesClients(actor) ? NAME_OF_CLIENT : sql`NULL`,
      user: ownerInFile(sql`st.user_id`),
    },
  });

/** SQL condition: the stay `st` was open on the day, or later if it had not begun. */
export const notEndedOn = (day: string): Sql => sql`(st.left_on IS NULL OR st.left_on > ${day}::date)`;

/** SQL condition: the stay `st` is open and longer than `STAY_ALERT_DAYS`. */
export const isLongOpen = (): Sql =>
  sql`st.left_on IS NULL AND ${today()}::date - st.entered_on > ${env().STAY_ALERT_DAYS}`;

const BY_DAY = sql`st.entered_on`;

/** Returns the list of the stays that the actor may see, under the query's filters. */
export function staysList(actor: SessionUser, query: StayListQuery): List {
  return {
    name: "stays",
    from: sql`stays st`,
    id: sql`st.id`,
    item: STAY_JSON,
    where: [visibleStaysWhere(actor), ...filtersOf(query)],
    sorts: {
      enteredOn: { keys: [BY_DAY] },
      leftOn: { keys: [sql`st.left_on`], nullable: true },
      shelter: {
        join: sql`JOIN (SELECT id, row_number() OVER (ORDER BY ${textKey(sql`name`)}, id) AS place FROM shelters)
          AS shelters_by_name ON shelters_by_name.id = st.shelter_id`,
        keys: [sql`shelters_by_name.place`],
      },
      advocate: byAdvocate(sql`st.user_id`),
    },
    ties: BY_DAY,
    // Names of clients are shown only on request, so a search does not find them.
    search: async (search) =>
      sql`st.shelter_id IN (SELECT id FROM shelters WHERE ${containsText(sql`name`, search)})`,
  };
}

function* filtersOf({ filters: { clientId, shelterId, open, from, to } }: StayListQuery): Generator<Sql> {
  if (clientId !== null) yield sql`st.client_id = ${clientId}`;
  if (shelterId !== null) yield sql`st.shelter_id = ${shelterId}`;
  if (open !== null) yield open === "true" ? sql`st.left_on IS NULL` : sql`st.left_on IS NOT NULL`;
  if (from !== null) yield sql`(st.left_on IS NULL OR st.left_on >= ${from}::date)`;
  if (to !== null) yield sql`st.entered_on <= ${to}::date`;
}
