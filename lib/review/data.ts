import "server-only";
import { AppError, asAppError, notFound } from "@/lib/api/errors";
import { auditPart } from "@/lib/audit/record";
import type { SessionUser } from "@/lib/auth/permissions";
import { assertAllowed, visibleFormsWhere } from "@/lib/auth/scope";
import { db, type Query, queryIn } from "@/lib/database/client";
import { Statement } from "@/lib/database/record-write";
import { readForm } from "@/lib/forms/read";
import type { Form } from "@/lib/forms/schema";
import { assertOpen, closedThrough } from "@/lib/periods/data";
import type { ReconcileManyAnswer } from "@/lib/review/schema";
import { env } from "@/lib/server/env";

/** What decides whether a form may be reviewed. */
type Held = { id: number; userId: number; serviceOn: string };

/** Those of the forms that the actor may see, held until the transaction ends; in one order, so that two never wait for each other. */
async function hold(query: Query, actor: SessionUser, ids: readonly number[]): Promise<Map<number, Held>> {
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const found = await query<Held>(
    `SELECT f.id, f.user_id AS "userId", f.service_on::text AS "serviceOn" FROM forms f
     WHERE f.id = ANY(${bind(ids)}::int[]) AND ${visibleFormsWhere(actor, bind)} ORDER BY f.id FOR UPDATE`,
    values,
  );
  return new Map(found.map((form) => [form.id, form]));
}

/**
 * Marks forms as checked, or not, of each for itself (spec §4, contract §9): who checked it first stays, and a return
 * is answered. Answers why the others were refused: 404, 403 where one's own are not to be checked, 409 where closed.
 */
async function reconcile(query: Query, actor: SessionUser, ids: readonly number[], reconciled: boolean) {
  const through = await closedThrough(query);
  const held = await hold(query, actor, ids);
  const refused = new Map<number, AppError>();
  for (const id of ids) {
    try {
      assertReconcilable(actor, held.get(id), reconciled, through);
    } catch (error) {
      refused.set(id, asAppError(error));
    }
  }
  const done = ids.filter((id) => !refused.has(id));
  if (done.length > 0) {
    const statement = new Statement();
    const bind = (value: unknown) => statement.bind(value);
    const checked = reconciled
      ? `reconciled_by_id = CASE WHEN reconciled THEN reconciled_by_id ELSE ${bind(actor.userId)}::int END,
         reconciled_at = CASE WHEN reconciled THEN reconciled_at ELSE now() END,
         returned_by_id = NULL, returned_at = NULL, return_comment = ''`
      : "reconciled_by_id = NULL, reconciled_at = NULL";
    const rows = statement.with(
      `UPDATE forms SET reconciled = ${bind(reconciled)}, ${checked}, updated_by_id = ${bind(actor.userId)},
         updated_at = now(), lock_version = lock_version + 1
       WHERE id = ANY(${bind(done)}::int[]) RETURNING id, client_id`,
    );
    const action = reconciled ? "reconciled" : "unreconciled";
    auditPart(statement, actor, { action, entity: "form", client: "client_id" }, rows);
    await query(statement.sql(`SELECT id FROM ${rows}`), statement.values);
  }
  return { done, refused };
}

function assertReconcilable(
  actor: SessionUser,
  form: Held | undefined,
  reconciled: boolean,
  through: string | null,
): void {
  if (!form) throw notFound();
  if (reconciled && form.userId === actor.userId && !env().ALLOW_OWN_RECONCILE)
    throw new AppError("forbidden", "Your own forms are checked by somebody else.");
  assertOpen(through, form.serviceOn);
}

/** Marks a visible form as checked, or not. */
export function reconcileForm(actor: SessionUser, id: number, reconciled: boolean): Promise<Form> {
  return db().$transaction(async (tx) => {
    const query = queryIn(tx);
    const { refused } = await reconcile(query, actor, [id], reconciled);
    const error = refused.get(id);
    if (error) throw error;
    return readForm(query, actor, id);
  });
}

/** Marks several forms as checked, or not, and says of each that was refused why. */
export function reconcileForms(
  actor: SessionUser,
  ids: readonly number[],
  reconciled: boolean,
): Promise<ReconcileManyAnswer> {
  return db().$transaction(async (tx) => {
    const { done, refused } = await reconcile(queryIn(tx), actor, ids, reconciled);
    const failed = [...refused].map(([id, { code, message }]) => ({ id, error: message, code }));
    return { done, failed };
  });
}

/** Gives a form back to its advocate with a comment, unreconciled; a newer return replaces an older one (contract §9). */
export function returnForm(actor: SessionUser, id: number, comment: string): Promise<Form> {
  assertAllowed(actor, "all-forms");
  return db().$transaction(async (tx) => {
    const query = queryIn(tx);
    const form = (await hold(query, actor, [id])).get(id);
    if (!form) throw notFound();
    assertOpen(await closedThrough(query), form.serviceOn);
    const statement = new Statement();
    const bind = (value: unknown) => statement.bind(value);
    const row = statement.with(
      `UPDATE forms SET reconciled = false, reconciled_by_id = NULL, reconciled_at = NULL,
         returned_by_id = ${bind(actor.userId)}, returned_at = now(), return_comment = ${bind(comment)},
         updated_by_id = ${bind(actor.userId)}, updated_at = now(), lock_version = lock_version + 1
       WHERE id = ${bind(id)} RETURNING id, client_id`,
    );
    auditPart(statement, actor, { action: "returned", entity: "form", client: "client_id" }, row);
    await query(statement.sql(`SELECT id FROM ${row}`), statement.values);
    return readForm(query, actor, id);
  });
}
