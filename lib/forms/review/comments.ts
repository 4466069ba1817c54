import "server-only";
import { audit, auditPart } from "@/lib/audit/record";
import { createOnce } from "@/lib/audit/save";
import { readClientKey } from "@/lib/audit/values";
import type { SessionUser } from "@/lib/core/access/permissions";
import { selectForms, visibleFormsWhere, withoutActor } from "@/lib/core/access/scope";
import { type CreationKey, creationKey } from "@/lib/core/api/idempotency";
import type { Query } from "@/lib/core/database/client";
import { Statement } from "@/lib/core/database/record-write";
import { invalid, notFound } from "@/lib/core/errors";
import { type Sql, sql } from "@/lib/core/sql";
import type { FormComment } from "@/lib/forms/api-schema";
import { assertOpen, closedThrough } from "@/lib/forms/periods/closed-periods";
import { assertNotPurged, COMMENT_JSON, lockForms } from "@/lib/forms/read";
import { COMMENTS_MAX } from "@/lib/forms/review/limits";

// The conversation of a reviewer and an advocate about a form.

/**
 * Adds a part that inserts the actor's comment on a form if the part `condition` has a row. Returns the part with the
 * comment's id. The caller has locked the form, so ids and times are in the order of the conversation.
 */
export const insertComment = (
  statement: Statement,
  actor: SessionUser,
  formId: number,
  text: string,
  condition: Sql,
): Sql =>
  statement.with(
    sql`INSERT INTO form_comments (form_id, user_id, at, text)
     SELECT ${formId}::int, ${actor.userId}::int, clock_timestamp(), ${text} FROM ${condition} RETURNING id`,
  );

/**
 * Throws 422 if the form, which the caller has locked, has as many comments of the actor as it may have. Each read of the
 * form includes them. They are counted by author, so that nobody can keep the others from writing.
 */
async function assertRoomForComment(query: Query, actor: SessionUser, formId: number): Promise<void> {
  const [counted] = await query<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM form_comments WHERE form_id = ${formId} AND user_id = ${actor.userId}`,
  );
  if ((counted?.count ?? 0) >= COMMENTS_MAX)
    throw invalid("text", `You already have ${COMMENTS_MAX} comments on this form, and can add no more`);
}

/**
 * Adds a comment to a form the actor may see. A repeated key returns the comment it added. The form's version stays the
 * same, so that a save of an open form is not refused. Throws 404, 409 in a closed period, and 422 if the client was
 * purged or the actor has the most comments that a form may have of one author.
 */
export function addComment(
  actor: SessionUser,
  formId: number,
  text: string,
  idempotencyKey: string | null,
): Promise<FormComment> {
  const key = creationKey(actor, idempotencyKey, { comment: { formId, text } });
  return createOnce(
    key,
    (query) => write(query, actor, formId, text, key),
    async (query, id) => {
      const [found] = await query<{ comment: FormComment | null }>(
        selectForms(
          sql`(SELECT ${COMMENT_JSON} FROM form_comments k WHERE k.id = ${id} AND k.form_id = f.id) AS comment`,
          visibleFormsWhere(actor),
          sql`f.id = ${formId}`,
        ),
      );
      if (!found?.comment) throw notFound();
      return found.comment;
    },
    async (query) => {
      const [form] = await query<{ clientId: number }>(
        selectForms(sql`f.client_id AS "clientId"`, visibleFormsWhere(actor), sql`f.id = ${formId}`),
      );
      await audit(query, actor, {
        action: "viewed",
        entity: "form",
        entityId: formId,
        clientId: form?.clientId ?? null,
      });
    },
  );
}

/** Writes the comment, its event and its key. Returns the comment's id. */
async function write(
  query: Query,
  actor: SessionUser,
  formId: number,
  text: string,
  key: CreationKey | null,
): Promise<number> {
  const form = (await lockForms(query, actor, [formId])).get(formId);
  if (!form) throw notFound();
  assertNotPurged(form);
  assertOpen(await closedThrough(query, "FOR SHARE"), form.serviceOn);
  await assertRoomForComment(query, actor, formId);
  const { clientId } = form;
  const statement = new Statement();
  const about = statement.with(sql`SELECT ${formId}::int AS id`);
  const comment = insertComment(statement, actor, formId, text, about);
  if (form.returnComment !== null && form.userId === actor.userId)
    statement.with(
      sql`UPDATE forms SET answered_to_id = returned_by_id
       WHERE id = ${formId} AND ${withoutActor("lockForms() has locked the form for the actor")}`,
    );
  const changes = [{ field: "form.comments", from: null, to: text }];
  const clientKey = await readClientKey(query, clientId);
  auditPart(
    statement,
    actor,
    { action: "commented", entity: "form", client: clientId, changes, clientKey },
    about,
  );
  key?.keep(statement, comment);
  const [created] = await query<{ id: number }>(statement.sql(sql`SELECT id FROM ${comment}`));
  if (!created) throw new Error("The form was locked, but the comment not written");
  return created.id;
}
