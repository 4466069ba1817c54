import "server-only";
import { type Hiding, notHidden } from "@/lib/core/access/scope";
import { type Sql, sql } from "@/lib/core/database/sql";

/** The first and last day, both inclusive. */
type Period = { from: string; to: string };

/**
 * SQL for the last night of the stay `st`, or `to` for an open one; later than `to` if the stay ends or begins later. A
 * stay that ends on the day it began has one night.
 */
export const lastNight = (to: string): Sql =>
  sql`greatest(st.entered_on, coalesce(st.left_on - 1, ${to}::date))`;

/** Nights are numbered by the days since this one. */
const ORIGIN = sql`DATE '2000-01-01'`;

/**
 * SELECT of `stay_id` and `nights`: the nights in a period of each stay that has some, without clients hidden from the
 * reader. Each night of a client counts once, for the stay that began later: after a move, the night belongs to the later
 * shelter.
 */
export const nightsByStay = (reader: Hiding, { from, to }: Period): Sql =>
  sql`SELECT stay_id, count(*)::int AS nights FROM (
      SELECT DISTINCT ON (st.client_id, night) st.id AS stay_id
      FROM stays st CROSS JOIN generate_series(greatest(st.entered_on, ${from}::date) - ${ORIGIN},
        least(${lastNight(to)}, ${to}::date) - ${ORIGIN}) AS night
      WHERE st.entered_on <= ${to}::date AND (st.left_on IS NULL OR st.left_on >= ${from}::date)
        AND ${notHidden(reader, sql`st.client_id`)}
      ORDER BY st.client_id, night, st.entered_on DESC, st.id DESC) AS nights
    GROUP BY stay_id`;
