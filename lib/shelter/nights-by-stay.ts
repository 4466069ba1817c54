import "server-only";
import { type Hiding, notHidden } from "@/lib/core/access/scope";
import { type Sql, sql } from "@/lib/core/sql";
import { today } from "@/lib/core/text/format";

/** The first and last day, both inclusive. */
type Days = { from: Sql; to: Sql };

/**
 * SQL for the last night of the stay `st` through today; before its first day if it has not begun. A stay that ends on
 * the day it began has one night. A night that has not begun does not exist.
 */
export const lastNight = (): Sql =>
  sql`least(greatest(st.entered_on, coalesce(st.left_on - 1, ${today()}::date)), ${today()}::date)`;

/** Nights are numbered by the days since this one. */
const ORIGIN = sql`DATE '2000-01-01'`;

/**
 * SELECT of `client_id`, `night`, and `stay_id`: the nights in a period, without clients hidden from the reader. Each night of
 * a client belongs to one stay, the one that began later, or was recorded later: after a move, the later shelter. `counting`
 * is a SELECT of the days on which shelters count: `source`, the id as text, `first`, and `last`.
 */
export const nightsSql = (reader: Hiding, { from, to }: Days, counting: Sql): Sql =>
  sql`SELECT DISTINCT ON (st.client_id, number) st.client_id, ${ORIGIN} + number AS night, st.id AS stay_id
      FROM stays st JOIN (${counting}) AS counting ON counting.source = st.shelter_id::text
        CROSS JOIN generate_series(greatest(st.entered_on, ${from}, counting.first) - ${ORIGIN},
          least(${lastNight()}, ${to}, counting.last) - ${ORIGIN}) AS number
      WHERE st.entered_on <= ${to} AND (st.left_on IS NULL OR st.left_on >= ${from})
        AND ${notHidden(reader, sql`st.client_id`)}
      ORDER BY st.client_id, number, st.entered_on DESC, st.id DESC`;

/** SELECT of `stay_id` and `nights`: the number of nights in a period that belong to each stay that has some. */
export const nightsByStay = (reader: Hiding, days: Days, counting: Sql): Sql =>
  sql`SELECT stay_id, count(*)::int AS nights FROM (${nightsSql(reader, days, counting)}) AS nights GROUP BY stay_id`;
