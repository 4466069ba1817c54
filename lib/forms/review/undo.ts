import "server-only";
import type { SessionUser } from "@/lib/core/access/permissions";
import { withoutActor } from "@/lib/core/access/scope";
import type { Query } from "@/lib/core/database/client";
import { empty, sql } from "@/lib/core/sql";
import { CHECKS, lastReviews } from "@/lib/forms/review/last-reviews";

// Undo of a review: the form's audit trail still holds the values that the review replaced.

/** The review of a form before the last one; `comment` belongs to the return that the last one ended. */
export type Former = { userId: number | null; at: string | null; comment: string | null };

/**
 * Returns the values that locked forms had before their last review. Only includes forms where that review was the
 * actor's own and nothing followed it.
 */
export async function beforeLastReview(
  query: Query,
  actor: SessionUser,
  ids: readonly number[],
): Promise<Map<number, Former>> {
  const reviewed = await lastReviews(query, ids);
  return new Map(
    reviewed.flatMap(({ id, reviews: [last, ...earlier] }) => {
      if (last?.userId !== actor.userId) return [];
      const ended = last.changes.find(({ field }) => field === "form.returned")?.from;
      const comment = typeof ended === "string" ? ended : null;
      const check = earlier.find(({ action }) => CHECKS.includes(action));
      // The audit trail may not reach back to the return itself.
      const at = check?.at ?? (comment === null ? null : last.at);
      return [[id, { userId: check?.userId ?? null, at, comment }]];
    }),
  );
}

/**
 * Restores the previous values of marked forms: their return, or the reviewer and time of their reconciliation.
 */
export async function restore(
  query: Query,
  forms: readonly { id: number }[],
  reconciled: boolean,
  former: ReadonlyMap<number, Former>,
): Promise<void> {
  const previous = forms.map(({ id }) => ({ id, ...former.get(id) }));
  const columns = reconciled
    ? sql`reconciled_by_id = by.id, reconciled_at = previous.at`
    : sql`returned_by_id = CASE WHEN previous.comment IS NOT NULL THEN by.id END,
       returned_at = CASE WHEN previous.comment IS NOT NULL THEN previous.at END, return_comment = COALESCE(previous.comment, '')`;
  await query(
    sql`UPDATE forms f SET checked_at = previous.at, ${columns}
     FROM json_to_recordset(${JSON.stringify(previous)}::json) AS previous (id int, "userId" int, at timestamptz, comment text)
     LEFT JOIN users by ON by.id = previous."userId"
     WHERE f.id = previous.id AND ${withoutActor("mark() has changed the forms for the actor")}
       ${reconciled ? sql`AND previous.at IS NOT NULL` : empty}`,
  );
}
