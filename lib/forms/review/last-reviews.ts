import "server-only";
import { eventsSql, openEvents, type Row, withTexts } from "@/lib/audit/history";
import type { HistoryEvent } from "@/lib/audit/schema";
import { withoutActor } from "@/lib/core/access/scope";
import type { AuditAction } from "@/lib/core/api/audit-acts";
import type { Query } from "@/lib/core/database/client";
import { isoTimestamp } from "@/lib/core/database/record-read";
import { sql } from "@/lib/core/sql";
import { formSchema } from "@/lib/forms/schema";

// Reads reviews of forms from the audit trail.

/** The actions of a reviewer who has checked a form. */
export const CHECKS: readonly AuditAction[] = ["reconciled", "returned"];

/** All actions of a reviewer. */
const REVIEWS: readonly AuditAction[] = [...CHECKS, "unreconciled"];

/**
 * Returns the newest three reviews of each form, newest first, for forms that have not changed since the newest one.
 * Checks no permission: the caller has locked the forms for its actor.
 */
export async function lastReviews(query: Query, formIds: readonly number[]) {
  const events = eventsSql("form", sql`e.entity_id = f.id AND e.action = ANY(${REVIEWS}::text[])`, 3);
  const forms = await query<{ id: number; changedAt: string; events: Row[] }>(
    sql`SELECT f.id, ${isoTimestamp(sql`f.updated_at`)} AS "changedAt",
       (SELECT COALESCE(json_agg(event ORDER BY event.at DESC, event.id DESC), '[]') FROM (${events}) AS event) AS events
     FROM forms f WHERE f.id = ANY(${formIds}::int[]) AND ${withoutActor("the caller has locked the forms for its actor")}`,
  );
  const reviewed = forms.filter(({ changedAt, events }) => events[0]?.at === changedAt);
  const result: { id: number; reviews: HistoryEvent[] }[] = [];
  for (const { id, events } of reviewed)
    result.push({ id, reviews: withTexts(formSchema, await openEvents(query, formSchema, events, true)) });
  return result;
}
