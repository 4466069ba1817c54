import "server-only";
import type { SessionUser } from "@/lib/core/access/permissions";
import { withoutActor } from "@/lib/core/access/scope";
import { CHECKS } from "@/lib/core/api/audit-acts";
import type { Query } from "@/lib/core/database/client";
import { empty, sql } from "@/lib/core/database/sql";
import { lastReviews } from "@/lib/forms/review/since-check";

// Undo of a review: what the review took from a form is still in the form's audit trail.

/** The review of a form before the last one; `comment` is that of the return that the last one ended. */
export type Former = { userId: number | null; at: string | null; comment: string | null };

/** What locked forms had before their last review, for those where this was the actor's own and nothing followed it. */
export async function beforeLastReview(
  query: Query,
  actor: SessionUser,
  ids: readonly number[],
): Promise<Map<number, Former>> {
  const found = await lastReviews(query, ids);
  return new Map(
    found.flatMap(({ id, reviews: [last, ...earlier] }) => {
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

/** Gives marked forms back what they had: their return, or by whom and when they were reconciled. */
export async function restore(
  query: Query,
  forms: readonly { id: number }[],
  reconciled: boolean,
  former: ReadonlyMap<number, Former>,
): Promise<void> {
  const had = forms.map(({ id }) => ({ id, ...former.get(id) }));
  const columns = reconciled
    ? sql`reconciled_by_id = by.id, reconciled_at = had.at`
    : sql`returned_by_id = CASE WHEN had.comment IS NOT NULL THEN by.id END,
       returned_at = CASE WHEN had.comment IS NOT NULL THEN had.at END, return_comment = COALESCE(had.comment, '')`;
  await query(
    sql`UPDATE forms f SET checked_at = had.at, ${columns}
     FROM json_to_recordset(${JSON.stringify(had)}::json) AS had (id int, "userId" int, at timestamptz, comment text)
     LEFT JOIN users by ON by.id = had."userId"
     WHERE f.id = had.id AND ${withoutActor("mark() has changed the forms for the actor")}
       ${reconciled ? sql`AND had.at IS NOT NULL` : empty}`,
  );
}
