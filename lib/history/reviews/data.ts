import "server-only";
import { CHECKS, REVIEWS } from "@/lib/audit/acts";
import type { SessionUser } from "@/lib/auth/permissions";
import { visibleFormsWhere } from "@/lib/auth/scope";
import { binding } from "@/lib/database/bind";
import type { Query } from "@/lib/database/client";
import { isoTimestamp } from "@/lib/database/record-read";
import { formSchema } from "@/lib/forms/schema";
import { andAboutNobodyHidden, eventsSql, historyRows, type Row, tell } from "@/lib/history/data";
import type { HistoryEvent } from "@/lib/history/schema";

// What the audit trail knows of the reviews of forms.

/**
 * The changes of a form since it was last reconciled or returned, newest first; none if it never was, is reconciled now,
 * or is not the actor's to see.
 */
export async function changesSinceCheck(actor: SessionUser, formId: number): Promise<HistoryEvent[]> {
  const asked = binding(formId);
  const [form] = await historyRows<{ checkedAt: Date }>(
    `SELECT f.checked_at AS "checkedAt" FROM forms f WHERE f.id = $1 AND f.checked_at IS NOT NULL
       AND NOT f.reconciled AND ${visibleFormsWhere(actor, asked.bind)}`,
    asked.values,
  );
  if (!form) return [];
  const { values, bind } = binding(formId, form.checkedAt, ["updated", ...CHECKS]);
  const about = andAboutNobodyHidden(actor, bind);
  const events = await historyRows<Row>(
    eventsSql("form", `e.entity_id = $1 AND e.at >= $2 AND e.action = ANY($3::text[])${about}`),
    values,
  );
  // Newer checks than that one were undone.
  const checkedAt = form.checkedAt.toISOString();
  const check = events.findIndex(({ action, at }) => CHECKS.includes(action) && at === checkedAt);
  const since = check === -1 ? events : events.slice(0, check);
  return tell(
    historyRows,
    formSchema,
    since.filter(({ action }) => action === "updated"),
    true,
  );
}

/**
 * The newest three reviews of each form, newest first, for those forms that nothing has changed since the newest one.
 * Checks no permission: the caller has locked the forms for its actor.
 */
export async function lastReviews(query: Query, formIds: readonly number[]) {
  const events = eventsSql("form", "e.entity_id = f.id AND e.action = ANY($2::text[])", 3);
  const found = await query<{ id: number; changedAt: string; events: Row[] }>(
    `SELECT f.id, ${isoTimestamp("f.updated_at")} AS "changedAt",
       (SELECT COALESCE(json_agg(event ORDER BY event.at DESC, event.id DESC), '[]') FROM (${events}) AS event) AS events
     FROM forms f WHERE f.id = ANY($1::int[])`,
    [formIds, REVIEWS],
  );
  const reviewed = found.filter(({ changedAt, events }) => events[0]?.at === changedAt);
  const told: { id: number; reviews: HistoryEvent[] }[] = [];
  for (const { id, events } of reviewed)
    told.push({ id, reviews: await tell(query, formSchema, events, true) });
  return told;
}
