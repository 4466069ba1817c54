import "server-only";
import type { SessionUser } from "@/lib/core/access/permissions";
import { constant, join, type Sql, sql } from "@/lib/core/sql";
import { countsClients, UNITS } from "@/lib/reports/definitions";

/** SQL for a list of the units that count clients. */
export const CLIENT_UNITS = join(UNITS.filter(countsClients).map(constant));

/**
 * SQL for the part of a line's count in `report_submission_lines` that is hidden from the actor. A submission is
 * stored whole, as the funder got it; for purged clients only this number remains. It is negative for contacts that were
 * linked to a hidden client: for the actor they count.
 */
export const withheldCount = ({ userId, hiddenClients }: SessionUser): Sql => {
  if (hiddenClients.length === 0) return sql`0`;
  const hidden = sql`${hiddenClients}::int[]`;
  const same = (table: Sql) =>
    sql`${table}.submission_id = report_submission_lines.submission_id AND ${table}.line = report_submission_lines.line`;
  return sql`(coalesce((
      SELECT CASE WHEN report_submission_lines.unit IN (${CLIENT_UNITS}) THEN count(DISTINCT r.client_id) ELSE sum(r.amount) END
      FROM report_submission_records r WHERE ${same(sql`r`)} AND r.client_id = ANY(${hidden})), 0)
    - coalesce((SELECT sum(r.amount) FROM report_submission_contacts r WHERE ${same(sql`r`)} AND r.client_id = ANY(${hidden})), 0)
    + coalesce((
      SELECT w.count FROM report_submission_withheld w WHERE ${same(sql`w`)} AND w.user_id = ${userId}::int), 0))::int`;
};
