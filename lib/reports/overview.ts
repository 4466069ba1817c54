import "server-only";
import { can, type SessionUser } from "@/lib/core/access/permissions";
import { type Hiding, notHidden, selectForms, visibleFormsWhere } from "@/lib/core/access/scope";
import { replicaReader } from "@/lib/core/database/replica";
import { empty, sql } from "@/lib/core/database/sql";
import { listRows } from "@/lib/core/database/statements";
import type { Question } from "@/lib/reports/blocks";
import { lineOf, REASON_LINES, type ReportKey } from "@/lib/reports/definitions";
import { monthOf, yearsOf } from "@/lib/reports/periods";
import { readHits, readSetup } from "@/lib/reports/reports";

type Month = { month: string; served: number; fresh: number; minutes: number; forms: number };

/** `yearStart` is the month (1–12) from which an individual can be new again. */
export type Months = { months: Month[]; yearStart: number };

const MONTHS = 12;

/**
 * Returns the twelve months up to and including the month of `today`: individuals served and new, service minutes, and
 * forms of any status. Clients hidden from the actor do not count. New individuals follow the year of the PMT report.
 */
export async function readMonths(actor: Hiding, today: string): Promise<Months> {
  const [first, last] = [monthOf(today, 1 - MONTHS).from, monthOf(today).to];
  const { yearStart } = await readSetup("pmt");
  const years = yearsOf(yearStart, first, last);
  const months = await (await replicaReader(0)).rows<Month>(
    "report overview",
    sql`WITH written AS MATERIALIZED (
       SELECT f.id, f.client_id, f.service_on, f.service_status, date_trunc('month', f.service_on)::date AS month,
         (SELECT sum(p.minutes)::int FROM service_entries e JOIN service_provided_entries p ON p.service_entry_id = e.id
          WHERE e.form_id = f.id AND p.minutes > 0 AND f.service_status <> 'Not Served') AS minutes
       FROM forms f WHERE f.reconciled IN (TRUE, FALSE) AND f.service_on BETWEEN ${years[0]}::date AND ${last}::date
         AND ${notHidden(actor, sql`f.client_id`)}),
     fresh AS (
       SELECT date_trunc('month', first_on)::date AS month, count(*)::int AS fresh FROM (
         SELECT min(service_on) AS first_on FROM written WHERE minutes > 0
         GROUP BY client_id, width_bucket(service_on, ${years}::date[])) AS firsts GROUP BY 1)
     SELECT to_char(m, 'YYYY-MM-DD') AS month, coalesce(served, 0) AS served, coalesce(fresh, 0) AS fresh,
       coalesce(minutes, 0) AS minutes, coalesce(forms, 0) AS forms
     FROM generate_series(${first}::date, ${last}::date, '1 month') m
       LEFT JOIN (SELECT month, count(DISTINCT client_id) FILTER (WHERE minutes > 0)::int AS served,
           sum(minutes)::int AS minutes, count(*)::int AS forms FROM written GROUP BY month) AS w ON w.month = m
       LEFT JOIN fresh ON fresh.month = m
     ORDER BY m`,
  );
  return { months, yearStart };
}

export type Reason = { label: string; count: number };

/**
 * Returns the reasons why primary victims were not or only partially served in the period, each person once per
 * reason.
 */
export async function readReasons(question: Question): Promise<Reason[]> {
  const report: ReportKey = "pccd";
  const reasons = await readHits<{ line: string; count: number }>(
    "services",
    question,
    sql`SELECT line, count(DISTINCT client_id)::int AS count FROM hits
      WHERE line = ANY(${Object.values(REASON_LINES)}::text[]) GROUP BY line ORDER BY count DESC, line`,
    (await replicaReader(0)).rows,
  );
  return reasons.map(({ line, count }) => ({ label: lineOf(report, line)?.label ?? line, count }));
}

/** Returns the number of unreconciled forms the actor may see, counted up to 10,001; null without Forms. */
export async function countWaiting(actor: SessionUser): Promise<number | null> {
  if (!can(actor, "forms")) return null;
  const [row] = await listRows<{ waiting: number }>(
    "report waiting",
    sql`SELECT count(*)::int AS waiting
     FROM (${selectForms(empty, visibleFormsWhere(actor), sql`NOT f.reconciled`)} LIMIT 10001) AS unreconciled`,
  );
  return row?.waiting ?? 0;
}
