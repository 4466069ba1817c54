import "server-only";
import type { SessionUser } from "@/lib/core/access/permissions";
import { type Hiding, notHidden } from "@/lib/core/access/scope";
import { unlessTooSlow } from "@/lib/core/api/unless-too-slow";
import { db } from "@/lib/core/database/client";
import { replicaReader } from "@/lib/core/database/replica";
import { sql } from "@/lib/core/sql";
import { addDays, utcDay, whole } from "@/lib/core/text/format";
import { seesAllNumbers } from "@/lib/reports/access";
import { type Counted, countsNothing } from "@/lib/reports/counts-nothing";
import { REPORT_KEYS, type ReportKey } from "@/lib/reports/definitions";
import { firstDue } from "@/lib/reports/due";
import { lastShared, monthOf, type Period, quarterOf, yearsOf } from "@/lib/reports/periods";
import { readSetup, reportWithGaps } from "@/lib/reports/reports";
import { countingSubmission } from "@/lib/reports/submissions/submissions";

export type Month = { month: string; served: number; fresh: number; minutes: number; forms: number };

export type Months = {
  /** The twelve months of last year, then those up to the current one. */
  months: Month[];
  /** The month (1–12) from which an individual can be new again. */
  yearStart: number;
  /** The current quarter. */
  quarter: Period;
  /** Individuals served in the current quarter, and in the same quarter last year. */
  served: number;
  servedBefore: number;
};

const MONTHS = 24;

/**
 * Returns the two years up to the month of `today`, by month: individuals served and new, minutes, and all forms.
 * Clients hidden from the actor do not count. New individuals follow the year of the PMT report.
 */
export async function readMonths(actor: Hiding, today: string): Promise<Months> {
  const first = monthOf(today, 1 - MONTHS).from;
  const last = monthOf(today).to;
  const quarter = quarterOf(today);
  const before = quarterOf(today, -4);
  const { yearStart } = await readSetup("pmt");
  // The last day of a month may already have forms of the next day.
  const years = yearsOf(yearStart, first, quarter.to);
  const servedIn = ({ from, to }: Period) =>
    sql`(SELECT count(DISTINCT client_id)::int FROM written
      WHERE minutes > 0 AND service_on BETWEEN ${from}::date AND ${to}::date)`;
  const [read] = await (await replicaReader(0)).rows<Pick<Months, "months" | "served" | "servedBefore">>(
    "report overview",
    sql`WITH written AS MATERIALIZED (
       SELECT f.id, f.client_id, f.service_on, f.service_status, date_trunc('month', f.service_on)::date AS month,
         (SELECT sum(p.minutes)::int FROM service_entries e JOIN service_provided_entries p ON p.service_entry_id = e.id
          WHERE e.form_id = f.id AND p.minutes > 0 AND f.service_status <> 'Not Served') AS minutes
       FROM forms f WHERE f.reconciled IN (TRUE, FALSE) AND f.service_on BETWEEN ${years[0]}::date AND ${quarter.to}::date
         AND ${notHidden(actor, sql`f.client_id`)}),
     fresh AS (
       SELECT date_trunc('month', first_on)::date AS month, count(*)::int AS fresh FROM (
         SELECT min(service_on) AS first_on FROM written WHERE minutes > 0
         GROUP BY client_id, width_bucket(service_on, ${years}::date[])) AS firsts GROUP BY 1),
     months AS (
       SELECT to_char(m, 'YYYY-MM-DD') AS month, coalesce(served, 0) AS served, coalesce(fresh, 0) AS fresh,
         coalesce(minutes, 0) AS minutes, coalesce(forms, 0) AS forms
       FROM generate_series(${first}::date, ${last}::date, '1 month') m
         LEFT JOIN (SELECT month, count(DISTINCT client_id) FILTER (WHERE minutes > 0)::int AS served,
             sum(minutes)::int AS minutes, count(*)::int AS forms FROM written GROUP BY month) AS w ON w.month = m
         LEFT JOIN fresh ON fresh.month = m)
     SELECT (SELECT json_agg(months ORDER BY month) FROM months) AS months,
       ${servedIn(quarter)} AS served, ${servedIn(before)} AS "servedBefore"`,
  );
  if (!read) throw new Error("A SELECT without FROM returned no row");
  return { ...read, yearStart, quarter };
}

/** Returns the day on which a report on the period is due; null before the first quarter that is due. */
export async function dueOn(report: ReportKey, period: Period): Promise<string | null> {
  const setting = await db().reportSetting.findUnique({ where: { report } });
  const first = setting?.dueFrom ? utcDay(setting.dueFrom) : await firstDue();
  return first === null || period.to < first ? null : addDays(period.to, setting?.dueDays ?? 0);
}

/** The state of a report for the last complete quarter. */
export type ReportState = {
  key: ReportKey;
  quarter: Period;
  /** The report is due on this day; null before the first quarter that is due. */
  due: string | null;
  /** The day it was last submitted; null if it was not. */
  submittedAt: string | null;
  /** The number of its gaps; null if it is submitted, without All Forms, or if counting took too long. */
  gaps: number | null;
  /** True if the report is not submitted and counts nothing. */
  isEmpty: boolean;
  /** The latest period that can be shared, for readers who see no other numbers of all records; null with All Forms. */
  copy: Period | null;
};

/** Returns the state of each report for the last complete quarter. */
export async function readStates(actor: SessionUser, today: string): Promise<ReportState[]> {
  const quarter = quarterOf(today, -1);
  const states: ReportState[] = [];
  // One after the other, because each report keeps a processor busy.
  for (const key of REPORT_KEYS) {
    const due = await dueOn(key, quarter);
    const submittedAt = (await countingSubmission(actor, key, quarter))?.submittedAt ?? null;
    const seesAll = seesAllNumbers(actor);
    const { gaps, isEmpty } = submittedAt || !seesAll ? UNREAD : await readReport(actor, key, quarter);
    const copy = seesAll ? null : lastShared(key, (await readSetup(key)).yearStart, today);
    states.push({ key, quarter, due, submittedAt, gaps, isEmpty, copy });
  }
  return states;
}

/** A report on the last complete quarter that is not submitted. */
export type DueReport = { key: ReportKey; quarter: Period; due: string };

const DUE_SOON_DAYS = 30;

/** Returns the reports on the last complete quarter that are not submitted and due within 30 days, or overdue. */
export async function reportsDue(actor: SessionUser, today: string): Promise<DueReport[]> {
  const quarter = quarterOf(today, -1);
  const states = await Promise.all(
    REPORT_KEYS.map(async (key) => ({ key, quarter, due: await dueOn(key, quarter) })),
  );
  const soon = addDays(today, DUE_SOON_DAYS);
  const due = states.filter((state): state is DueReport => state.due !== null && state.due <= soon);
  const submitted = await Promise.all(due.map(({ key }) => countingSubmission(actor, key, quarter)));
  return due.filter((_, at) => submitted[at] === null);
}

/** The people served in a quarter and in the one a year before, as copies for sharing show them: `12`, `<5`. */
export type Shared = { quarter: Period; served: string; servedBefore: string };

/** Returns the people served in the last complete quarter and a year before, as in copies for sharing of the PMT report. */
export async function readShared(actor: SessionUser, today: string): Promise<Shared> {
  const servedIn = async (period: Period): Promise<string> => {
    const key = "individuals_served";
    const { report, marks } = await reportWithGaps(actor, "pmt", everyone(period), true);
    const line = report.sections.flatMap(({ lines }) => lines).find((one) => one.key === key);
    return line?.count == null ? (marks.get(key) ?? "") : whole(line.count);
  };
  const quarter = quarterOf(today, -1);
  return { quarter, served: await servedIn(quarter), servedBefore: await servedIn(quarterOf(today, -5)) };
}

const everyone = (period: Period) => ({ ...period, userId: null, formTypeId: null });

const UNREAD = { gaps: null, isEmpty: false };

/** Returns the number of gaps that have records, null if counting takes too long; and whether the report counts nothing. */
async function readReport(
  actor: SessionUser,
  key: ReportKey,
  quarter: Period,
): Promise<Pick<ReportState, "gaps" | "isEmpty">> {
  const { report, gaps } = await unlessTooSlow<{
    report: Counted | null;
    gaps: readonly { clients: number }[];
  }>(reportWithGaps(actor, key, everyone(quarter), false), { report: null, gaps: [] });
  if (!report) return UNREAD;
  return {
    gaps: gaps.filter(({ clients }) => clients !== 0).length,
    isEmpty: countsNothing(report),
  };
}
