import "server-only";
import type * as z from "zod/mini";
import { can, type SessionUser } from "@/lib/core/access/permissions";
import { assertAllowed, openFormsWhere, selectForms } from "@/lib/core/access/scope";
import { unlessTooSlow } from "@/lib/core/api/unless-too-slow";
import { listRows } from "@/lib/core/database/statements";
import { sql } from "@/lib/core/sql";
import { addDays } from "@/lib/core/text/format";
import { countDrafts } from "@/lib/forms/drafts/drafts";
import { closedThrough } from "@/lib/forms/periods/closed-periods";
import { REPORT_KEYS, type ReportKey, reports } from "@/lib/reports/definitions";
import { reportWithGaps } from "@/lib/reports/reports";
import type { openWork, ReportQuery } from "@/lib/reports/schema";

type OpenWork = z.output<typeof openWork>;

/**
 * Returns what is unfinished in the days that closing `through` would close, as far as the actor may see it: forms that
 * nobody can change or reconcile afterwards, and gaps that stay. Throws 403 without Close Periods.
 */
export async function openWorkThrough(actor: SessionUser, through: string): Promise<OpenWork> {
  assertAllowed(actor, "close-periods");
  const closed = await closedThrough();
  const [forms] = await listRows<{ first: string | null; unreconciled: number; returned: number }>(
    "forms of a period to close",
    selectForms(
      sql`min(f.service_on)::text AS first, (count(*) FILTER (WHERE NOT f.reconciled))::int AS unreconciled,
        (count(*) FILTER (WHERE f.returned_at IS NOT NULL))::int AS returned`,
      openFormsWhere(actor),
      sql`f.service_on <= ${through}::date AND f.service_on > COALESCE(${closed}::date, '-infinity')`,
    ),
  );
  const from = closed ? addDays(closed, 1) : (forms?.first ?? through);
  const userId = can(actor, "all-forms") ? null : actor.userId;
  const seesGaps = can(actor, "reports");
  // Someone closed these days in the meantime.
  if (from > through) {
    const none = seesGaps ? REPORT_KEYS.map((report) => ({ ...nameOf(report), count: 0 })) : null;
    return { from: through, userId, unreconciled: 0, returned: 0, drafts: 0, ownDrafts: 0, gaps: none };
  }
  const [drafts, gaps] = await Promise.all([
    countDrafts(actor, from, through),
    seesGaps
      ? Promise.all(REPORT_KEYS.map((key) => gapsIn(actor, key, { from, to: through, userId })))
      : null,
  ]);
  return {
    from,
    userId,
    unreconciled: forms?.unreconciled ?? 0,
    returned: forms?.returned ?? 0,
    ...drafts,
    gaps,
  };
}

const nameOf = (report: ReportKey) => ({ report, title: reports[report].title });

/** Returns the number of gaps of a report; null if counting takes too long. */
async function gapsIn(actor: SessionUser, report: ReportKey, asked: Omit<ReportQuery, "formTypeId">) {
  const { gaps } = await unlessTooSlow<{ gaps: { clients: number }[] | null }>(
    reportWithGaps(actor, report, { ...asked, formTypeId: null }, false),
    { gaps: null },
  );
  return {
    ...nameOf(report),
    count: gaps === null ? null : gaps.filter(({ clients }) => clients !== 0).length,
  };
}
