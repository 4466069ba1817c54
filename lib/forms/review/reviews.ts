import "server-only";
import type * as z from "zod/mini";
import { audit, auditPart, auditRead, auditRefused, rowsRecorded } from "@/lib/audit/record";
import { readClientKey } from "@/lib/audit/values";
import type { Client } from "@/lib/clients/api-schema";
import { getClientsOfForms } from "@/lib/clients/clients";
import { can, fullName, type NamedItem, type SessionUser } from "@/lib/core/access/permissions";
import { assertAllowed, selectForms, visibleFormsWhere, withoutActor } from "@/lib/core/access/scope";
import { isFromRecords } from "@/lib/core/api/back-link";
import { pageQuery } from "@/lib/core/api/list-query";
import { fromQuery } from "@/lib/core/api/query";
import { unlessTooSlow } from "@/lib/core/api/unless-too-slow";
import { db, type Query, queryIn, rows } from "@/lib/core/database/client";
import { asAppError } from "@/lib/core/database/errors";
import { type Neighbors, readNeighbors } from "@/lib/core/database/list";
import { Statement } from "@/lib/core/database/record-write";
import { listRows } from "@/lib/core/database/statements";
import { assertVersion } from "@/lib/core/database/versions";
import { AppError, notFound } from "@/lib/core/errors";
import { env } from "@/lib/core/process/env";
import { constant, empty, sql } from "@/lib/core/sql";
import { shortDateTimeOfDay } from "@/lib/core/text/format";
import type { JsonText } from "@/lib/core/text/json-text";
import { type Form, formListQuery } from "@/lib/forms/api-schema";
import { answeredWhere, formsList } from "@/lib/forms/list";
import { assertOpen, closedThrough } from "@/lib/forms/periods/closed-periods";
import {
  assertNotPurged,
  COMMENTS_JSON,
  formJson,
  type LockedForm,
  lockForms,
  RETURNED_JSON,
  readForm,
} from "@/lib/forms/read";
import { changesSinceCheck } from "@/lib/forms/review/checked";
import { insertComment } from "@/lib/forms/review/comments";
import { READ_MAX } from "@/lib/forms/review/limits";
import type {
  ReconcileOutcomes,
  reconcileBody,
  reconcileManyBody,
  returnBody,
} from "@/lib/forms/review/schema";
import { NOTHING_CHANGED, type SinceCheck } from "@/lib/forms/review/since-check";
import { beforeLastReview, type Former, restore } from "@/lib/forms/review/undo";
import { closedWords } from "@/lib/forms/words";

/** The review state of an open form, and the actions that the actor may take. */
export type Review = Neighbors & {
  id: number;
  /** The version that is shown. */
  lockVersion: number;
  reconciled: boolean;
  /** `Grace Hopper, 11/22/26 10:30 AM`; "" if unknown. */
  reconciledBy: string;
  /** Changes since the form was last reconciled or returned. */
  changed: SinceCheck;
  advocate: string;
  client: NamedItem;
  /** True if the actor may open the client's page. */
  seesClient: boolean;
  /** The rest of the form remains only for report counts and does not change. */
  clientPurged: boolean;
  mayReconcile: boolean;
  mayReturn: boolean;
  isReturned: boolean;
  /** True if the form was returned to the actor, who is its advocate. */
  isReturnedToMe: boolean;
  /** The query for links to other forms of the list; it preserves the state of the list to return to. */
  from: string;
  /** The last day of the closed period the form is in, or null. */
  closedThrough: string | null;
  /** True if the form can no longer be saved. */
  frozen: boolean;
};

const visible = withoutActor("holdForms() has locked the forms for the actor");

const NO_NEIGHBORS: Neighbors = { previous: null, next: null };

const stamp = (who: Form["reconciledBy"], at: string | null) =>
  [who ? fullName(who) : "", shortDateTimeOfDay(at)].filter(Boolean).join(", ");

/**
 * Returns the review state of the form `id` for its screen. Reads it in parallel with `opening`, and throws if that
 * does. `from` is the query of the list the form was opened from.
 */
export async function reviewOf(
  actor: SessionUser,
  id: number,
  opening: Promise<{ form: Form; clientPurged: boolean }>,
  from: string | string[] | undefined,
): Promise<Review> {
  const query = pageQuery(formListQuery, Object.fromEntries(new URLSearchParams(String(from ?? ""))));
  const [{ form, clientPurged }, through, changed, neighbors] = await Promise.all([
    opening,
    closedThrough(),
    changesSinceCheck(
      actor,
      id,
      opening.then(({ form }) => form),
    ),
    // If finding the neighbors takes too long, the form still opens, without Previous and Next.
    isFromRecords({ from })
      ? NO_NEIGHBORS
      : unlessTooSlow(readNeighbors(formsList(actor, query), query, id), NO_NEIGHBORS),
  ]);
  const { reconciled, reconciledAt, client } = form;
  const powers = powersOf(actor, form, clientPurged, through);
  return {
    previous: neighbors.previous,
    next: neighbors.next,
    id,
    lockVersion: form.lockVersion,
    reconciled,
    reconciledBy: stamp(form.reconciledBy, reconciledAt),
    changed,
    advocate: fullName(form.user),
    client,
    seesClient: can(actor, "clients") && !clientPurged,
    clientPurged,
    ...powers,
    from: fromQuery({ from }),
    frozen: clientPurged || powers.closedThrough !== null,
  };
}

/**
 * Returns the actions of a review that the screens offer to the actor, and the end of the form's closed period, or null.
 * A form that was returned to the actor waits for a change or a reply instead.
 */
function powersOf(actor: SessionUser, form: Form, clientPurged: boolean, through: string | null) {
  const closed = through !== null && form.serviceOn <= through ? through : null;
  const isReturnedToMe = form.returned !== null && form.userId === actor.userId;
  const mayCheckIt = mayCheck(actor, form.userId) && !isReturnedToMe;
  return {
    isReturned: form.returned !== null,
    isReturnedToMe,
    mayReconcile: closed === null && (form.reconciled || mayCheckIt),
    mayReturn: closed === null && !clientPurged && can(actor, "all-forms"),
    closedThrough: closed,
  };
}

/** SQL for true if the advocate of the returned form `f` replied and no one else has commented since. */
const IS_ANSWERED = sql`(f.answered_to_id IS NOT NULL AND f.user_id IS NOT DISTINCT FROM (
  SELECT k.user_id FROM form_comments k WHERE k.form_id = f.id ORDER BY k.id DESC LIMIT 1))`;

/**
 * Returns the reason why an unreconciled form is skipped when several are reconciled together, or "". A form that waits for
 * its advocate is skipped, because a reviewer of many forms may overlook the return.
 */
function refusalOf(
  form: Form,
  isAnswered: boolean,
  { closedThrough, isReturnedToMe, mayReconcile }: ReturnType<typeof powersOf>,
): string {
  if (closedThrough) return closedWords(closedThrough);
  if (isReturnedToMe) return RETURNED_FORM;
  if (!mayReconcile) return OWN_FORM;
  return form.returned && !isAnswered ? `Returned to ${fullName(form.user)}, who has not answered yet.` : "";
}

/** A form to read among others, and the actions that the actor may take. */
export type FormToRead = {
  form: Form;
  client: Client;
  clientPurged: boolean;
  changed: SinceCheck;
  mayReturn: boolean;
  /** The reason why the form is not reconciled with the others; "" if it is already reconciled or can be. */
  refusal: string;
};

/** The bytes of forms that a page shows at once. */
const READ_BYTES = 500_000;

/** Returns the number of the forms that one page shows, in that order: all, or fewer if they are long, at least one. */
export async function countReadable(actor: SessionUser, ids: readonly number[]): Promise<number> {
  const bytes = selectForms(
    sql`octet_length((${formJson(actor)})::text)`,
    visibleFormsWhere(actor),
    sql`f.id = chosen.ids[fitting.place + 1]`,
  );
  const [row] = await listRows<{ count: number }>(
    "forms on a page",
    sql`WITH RECURSIVE chosen AS (SELECT ${ids}::int[] AS ids),
       fitting AS (
         SELECT 0 AS place, 0 AS bytes
         UNION ALL SELECT place + 1, bytes + coalesce((${bytes}), 0) FROM fitting, chosen
         WHERE place < cardinality(chosen.ids) AND bytes < ${constant(READ_BYTES)})
     SELECT max(place)::int AS count FROM fitting WHERE place <= 1 OR bytes <= ${constant(READ_BYTES)}`,
  );
  return row?.count ?? 0;
}

/**
 * Returns the forms with these ids that the actor may see, in that order, and records each as viewed. The others are
 * recorded as refused.
 */
export async function readForms(actor: SessionUser, ids: readonly number[]): Promise<FormToRead[]> {
  type FoundForm = { id: number; form: Form; wasChecked: boolean; isAnswered: boolean };
  const found = await rowsRecorded<FoundForm>(
    actor,
    { action: "viewed", entity: "form", client: "client_id" },
    selectForms(
      sql`f.id, f.client_id, ${formJson(actor)} AS form, f.checked_at IS NOT NULL AS "wasChecked",
        ${IS_ANSWERED} AS "isAnswered"`,
      visibleFormsWhere(actor),
      sql`f.id = ANY(${ids}::int[])`,
    ),
  );
  const foundById = new Map(found.map((row) => [row.id, row]));
  const unseen = ids.filter((id) => !foundById.has(id));
  if (unseen.length > 0) await auditRefused(actor, "form", unseen);
  const [clients, through] = await Promise.all([
    getClientsOfForms(actor, [...foundById.keys()]),
    closedThrough(),
  ]);
  const read = ids.map(async (id): Promise<FormToRead[]> => {
    const found = foundById.get(id);
    const of = found && clients.get(found.form.clientId);
    if (!of) return [];
    const { form, wasChecked, isAnswered } = found;
    const powers = powersOf(actor, form, of.purged, through);
    return [
      {
        form,
        client: of.client,
        clientPurged: of.purged,
        changed: wasChecked ? await changesSinceCheck(actor, id, form) : NOTHING_CHANGED,
        mayReturn: powers.mayReturn,
        refusal: form.reconciled ? "" : refusalOf(form, isAnswered, powers),
      },
    ];
  });
  return (await Promise.all(read)).flat();
}

/**
 * Returns the ids of the forms that wait for the actor's review, oldest first, as many as one page shows, and the number of
 * all of them. A returned form waits for its advocate until it is answered.
 */
export async function formsWaiting(actor: SessionUser): Promise<{ ids: number[]; total: number }> {
  const through = await closedThrough();
  const listed = await listRows<{ id: number; total: number }>(
    "forms to review",
    sql`${selectForms(
      sql`f.id, count(*) OVER ()::int AS total`,
      visibleFormsWhere(actor),
      sql`NOT f.reconciled AND f.service_on > COALESCE(${through}::date, '-infinity')
        AND (f.returned_at IS NULL OR (${IS_ANSWERED} AND f.user_id <> ${actor.userId}))
        AND (${env().ALLOW_OWN_RECONCILE} OR f.user_id <> ${actor.userId})`,
    )} ORDER BY f.service_on, f.id LIMIT ${READ_MAX}`,
  );
  return { ids: listed.map(({ id }) => id), total: listed[0]?.total ?? 0 };
}

/** A returned form, as its advocate sees it. */
type ReturnedForm = Pick<Form, "id" | "client" | "serviceOn"> & {
  formType: string;
  by: string;
  comment: string;
  /** True if the advocate replied and the reviewer has not commented since. */
  isAnswered: boolean;
};

/** `total` also counts the forms beyond the limit. `waiting` counts those that are not answered. */
export type ReturnedForms = { forms: ReturnedForm[]; total: number; waiting: number };

/** Returns the SQL condition that the form `f` is returned to the actor. */
const returnedTo = (actor: SessionUser) => sql`f.returned_at IS NOT NULL AND f.user_id = ${actor.userId}`;

/** Returns the actor's own returned forms, at most 50: those that wait for a response, longest wait first, then the others. */
export async function returnedForms(actor: SessionUser): Promise<ReturnedForms> {
  type Row = Pick<Form, "id" | "client" | "serviceOn" | "returned"> & {
    formType: string;
    isAnswered: boolean;
  } & Pick<ReturnedForms, "total" | "waiting">;
  const listed = await rows<Row>(
    sql`SELECT f.id, json_build_object('id', c.id, 'name', c.name) AS client, t.name AS "formType",
       f.service_on::text AS "serviceOn", ${RETURNED_JSON} AS returned, ${IS_ANSWERED} AS "isAnswered",
       count(*) OVER ()::int AS total, (count(*) FILTER (WHERE NOT ${IS_ANSWERED}) OVER ())::int AS waiting
     FROM forms f JOIN clients c ON c.id = f.client_id JOIN form_types t ON t.id = f.form_type_id
     WHERE ${returnedTo(actor)} AND ${visibleFormsWhere(actor)}
     ORDER BY "isAnswered", f.returned_at, f.id LIMIT 50`,
  );
  if (listed.length > 0)
    await auditRead(actor, { action: "listed", entity: "form", shown: listed.map(({ id }) => id) });
  const forms = listed.map(({ returned, total: _, waiting: __, ...form }) => ({
    ...form,
    by: stamp(returned?.by ?? null, returned?.at ?? null),
    comment: returned?.comment ?? "",
  }));
  return { forms, total: listed[0]?.total ?? 0, waiting: listed[0]?.waiting ?? 0 };
}

/** A returned form with the conversation about it. */
type OpenReturn = Pick<Form, "id" | "serviceOn" | "reconciled" | "returned" | "comments"> & {
  formType: string;
};

/** `waiting` also counts the returns beyond the limit. */
export type OpenReturns = { forms: OpenReturn[]; waiting: number };

export const NO_RETURNS: OpenReturns = { forms: [], waiting: 0 };

/** The most open returns on a client's page, and the bytes of comments after which no other one follows. */
const OPEN_RETURNS = { most: 10, commentBytes: 1_000_000 };

/**
 * Returns the actor's own returned forms of a client that wait for a response, longest wait first: at most 10, and fewer if
 * their comments are long.
 */
export async function openReturns(actor: SessionUser, clientId: number): Promise<OpenReturns> {
  const ofClient = selectForms(
    sql`f.id, f.returned_at, count(*) OVER ()::int AS waiting`,
    visibleFormsWhere(actor),
    sql`f.client_id = ${clientId} AND ${returnedTo(actor)} AND NOT ${IS_ANSWERED}`,
  );
  const bytes = sql`(SELECT coalesce(sum(octet_length(k.text)), 0) FROM form_comments k WHERE k.form_id = w.id)`;
  const listed = await rows<{ id: number; waiting: number }>(
    sql`WITH longest AS MATERIALIZED (${ofClient} ORDER BY f.returned_at, f.id LIMIT ${constant(OPEN_RETURNS.most)})
     SELECT id, waiting FROM (
       SELECT id, waiting, returned_at, coalesce(sum(bytes) OVER (
           ORDER BY returned_at, id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS bytes_before
       FROM (SELECT w.*, ${bytes} AS bytes FROM longest w) AS sized
     ) AS summed WHERE bytes_before < ${constant(OPEN_RETURNS.commentBytes)} ORDER BY returned_at, id`,
  );
  if (listed.length === 0) return NO_RETURNS;
  const ids = listed.map(({ id }) => id);
  const forms = await rows<OpenReturn>(
    sql`${selectForms(
      sql`f.id, f.service_on::text AS "serviceOn", f.reconciled, ${RETURNED_JSON} AS returned,
        ${COMMENTS_JSON} AS comments, (SELECT name FROM form_types t WHERE t.id = f.form_type_id) AS "formType"`,
      visibleFormsWhere(actor),
      sql`f.id = ANY(${ids}::int[]) AND f.returned_at IS NOT NULL`,
    )} ORDER BY f.returned_at, f.id`,
  );
  await auditRead(actor, { action: "listed", entity: "form", clientId, shown: forms.map(({ id }) => id) });
  return { forms, waiting: listed[0]?.waiting ?? 0 };
}

/** Returns the number of forms that the actor returned and that were answered since: the list of `filters[answered]`. */
export async function countAnswered(actor: SessionUser): Promise<number> {
  const [counted] = await rows<{ answered: number }>(
    selectForms(sql`count(*)::int AS answered`, visibleFormsWhere(actor), answeredWhere(actor)),
  );
  return counted?.answered ?? 0;
}

const OWN_FORM = "Someone else must reconcile your own forms.";
const RETURNED_FORM = "This form was returned to you. Change it, or reply to the reviewer.";

/** True if the actor may reconcile forms of this user. */
export const mayCheck = (actor: SessionUser, userId: number): boolean =>
  userId !== actor.userId || env().ALLOW_OWN_RECONCILE;

type Reconciling = z.output<typeof reconcileManyBody>;

/**
 * Reconciles or unreconciles each form independently. A form that already has that state is left alone; reconciling
 * ends a return. Returns the refused forms with their errors: 404; 403 for one's own form where that is not allowed;
 * 409 in a closed period, for another version than the one in `lockVersions`, or for `undo` if the actor's own
 * review was not the last event.
 */
async function reconcile(
  query: Query,
  actor: SessionUser,
  { ids, reconciled, undo, lockVersions }: Reconciling,
  assertSeen: (form: LockedForm, version: number | undefined) => void = assertVersion,
) {
  const locked = await lockForms(query, actor, ids);
  const former = undo ? await beforeLastReview(query, actor, [...locked.keys()]) : undefined;
  const through = await closedThrough(query, "FOR SHARE");
  const refusals = new Map<number, AppError>();
  const marked: LockedForm[] = [];
  for (const id of ids) {
    try {
      const form = assertReconcilable(actor, locked.get(id), reconciled, through);
      if (form.reconciled === reconciled) continue;
      assertSeen(form, lockVersions[id]);
      if (former && !former.has(id))
        throw new AppError("conflict_version", "This form has since been changed or reviewed.");
      marked.push(form);
    } catch (error) {
      refusals.set(id, asAppError(error));
    }
  }
  if (marked.length > 0) {
    await mark(query, actor, marked, reconciled, former);
    if (former) await restore(query, marked, reconciled, former);
  }
  return { locked, refused: refusals, changed: marked.map(({ id }) => id) };
}

/**
 * Sets the reconciled state of forms that this transaction has locked or added. Reconciling a returned form ends the
 * return, and whether it was answered no longer counts; undo restores both. Checks nothing.
 */
export async function mark(
  query: Query,
  actor: SessionUser,
  forms: readonly Pick<LockedForm, "id" | "clientId" | "returnComment">[],
  reconciled: boolean,
  former?: ReadonlyMap<number, Former>,
) {
  const statement = new Statement();
  const checked = reconciled
    ? sql`reconciled_by_id = ${actor.userId}, reconciled_at = now(), checked_at = now(),
        returned_by_id = NULL, returned_at = NULL, return_comment = '',`
    : sql`reconciled_by_id = NULL, reconciled_at = NULL, ${former ? empty : sql`answered_to_id = NULL,`}`;
  const updatePart = statement.with(
    sql`UPDATE forms SET reconciled = ${reconciled}, ${checked} updated_by_id = ${actor.userId},
       updated_at = now(), lock_version = lock_version + 1
     WHERE id = ANY(${forms.map(({ id }) => id)}::int[]) AND ${visible} RETURNING id, client_id`,
  );
  const returned = forms.flatMap(({ id, clientId, returnComment: from }) => {
    const to = former?.get(id)?.comment ?? null;
    return from === to ? [] : [{ id, clientId, changes: [{ field: "form.returned", from, to }] }];
  });
  const others = statement.with(
    sql`SELECT id, client_id FROM ${updatePart} WHERE NOT id = ANY(${returned.map(({ id }) => id)}::int[])`,
  );
  const act = { action: reconciled ? "reconciled" : "unreconciled", entity: "form" } as const;
  auditPart(statement, actor, { ...act, client: "client_id" }, others);
  await query(statement.sql(sql`SELECT`));
  // This update deletes the return comment, so the event keeps it, encrypted with the client's key.
  for (const { id, clientId, changes } of returned) {
    const clientKey = await readClientKey(query, clientId);
    await audit(query, actor, { ...act, entityId: id, clientId, changes, clientKey });
  }
}

/** Throws 409 if someone else changed the form after the actor read the `version`. One's own changes are known. */
function assertRead(actor: SessionUser, form: LockedForm, version: number | undefined): void {
  if (form.changedById !== actor.userId) assertVersion(form, version);
}

function assertReconcilable(
  actor: SessionUser,
  form: LockedForm | undefined,
  reconciled: boolean,
  through: string | null,
): LockedForm {
  if (!form) throw notFound();
  if (reconciled && !mayCheck(actor, form.userId)) throw new AppError("forbidden", OWN_FORM);
  assertOpen(through, form.serviceOn);
  return form;
}

/**
 * Reconciles or unreconciles one visible form. If it already has the state, records a view instead. Throws 409 if someone
 * else changed it after `lockVersion`, and as `reconcile` does.
 */
export function reconcileForm(
  actor: SessionUser,
  id: number,
  { reconciled, lockVersion }: z.output<typeof reconcileBody>,
): Promise<JsonText<Form>> {
  return db().$transaction(async (tx) => {
    const query = queryIn(tx);
    const lockVersions = lockVersion === undefined ? {} : { [id]: lockVersion };
    const { locked, refused } = await reconcile(
      query,
      actor,
      { ids: [id], reconciled, undo: false, lockVersions },
      (form, version) => assertRead(actor, form, version),
    );
    const error = refused.get(id);
    if (error) throw error;
    const form = locked.get(id);
    if (form?.reconciled === reconciled)
      await audit(query, actor, { action: "viewed", entity: "form", entityId: id, clientId: form.clientId });
    return readForm(query, actor, id);
  });
}

/** Reconciles or unreconciles several forms and returns the reason for each refused one. */
export async function reconcileForms(actor: SessionUser, request: Reconciling): Promise<ReconcileOutcomes> {
  const { refused, changed } = await db().$transaction((tx) => reconcile(queryIn(tx), actor, request));
  const failed = [...refused].map(([id, { code, message }]) => ({ id, error: message, code }));
  const denied = failed.filter(({ code }) => code === "not_found" || code === "forbidden");
  if (denied.length > 0)
    await auditRefused(
      actor,
      "form",
      denied.map(({ id }) => id),
    );
  return { done: request.ids.filter((id) => !refused.has(id)), changed, failed };
}

/**
 * Returns a form to its advocate with a comment, which begins or continues the conversation, and unreconciles it. A newer
 * return replaces an older one. Throws 404, and 409 in a closed period or if someone else changed it after `lockVersion`.
 */
export function returnForm(
  actor: SessionUser,
  id: number,
  { comment, lockVersion }: z.output<typeof returnBody>,
): Promise<JsonText<Form>> {
  assertAllowed(actor, "all-forms");
  return db().$transaction(async (tx) => {
    const query = queryIn(tx);
    const form = (await lockForms(query, actor, [id])).get(id);
    if (!form) throw notFound();
    assertNotPurged(form);
    assertOpen(await closedThrough(query, "FOR SHARE"), form.serviceOn);
    assertRead(actor, form, lockVersion);
    const statement = new Statement();
    const row = statement.with(
      sql`UPDATE forms SET reconciled = false, reconciled_by_id = NULL, reconciled_at = NULL,
         returned_by_id = ${actor.userId}, returned_at = now(), checked_at = now(), return_comment = ${comment},
         answered_to_id = NULL, updated_by_id = ${actor.userId}, updated_at = now(), lock_version = lock_version + 1
       WHERE id = ${id} AND ${visible} RETURNING id, client_id`,
    );
    const changes = [{ field: "form.returned", from: form.returnComment, to: comment }];
    const clientKey = await readClientKey(query, form.clientId);
    const act = { action: "returned", entity: "form", client: form.clientId, changes, clientKey } as const;
    auditPart(statement, actor, act, row);
    insertComment(statement, actor, id, comment, row);
    await query(statement.sql(sql`SELECT id FROM ${row}`));
    return readForm(query, actor, id);
  });
}
