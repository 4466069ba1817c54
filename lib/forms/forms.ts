import "server-only";
import { changesOf } from "@/lib/audit/changes";
import { listedTable, wholeTable } from "@/lib/audit/list-export";
import { audit, auditPart, auditRead, listing, rowsRecorded } from "@/lib/audit/record";
import { readClientKey } from "@/lib/audit/values";
import { lockClientOf, lockClientRows, lockClientWithoutHold } from "@/lib/clients/holds";
import type { SessionUser } from "@/lib/core/access/permissions";
import { selectForms, visibleFormsWhere } from "@/lib/core/access/scope";
import { busy, notFound } from "@/lib/core/api/errors";
import type { Table } from "@/lib/core/api/files";
import { type CreationKey, creationKey, once, readFirst } from "@/lib/core/api/idempotency";
import { JsonText } from "@/lib/core/api/json-text";
import type { InColumns } from "@/lib/core/api/list-file";
import type { Meta } from "@/lib/core/api/list-query";
import { db, inTransaction, type Query, queryIn, rows, type Tx } from "@/lib/core/database/client";
import { sameDefinitionsPart } from "@/lib/core/database/definitions";
import { readPage } from "@/lib/core/database/list";
import { insertRecord, Statement, updateRecord } from "@/lib/core/database/record-write";
import { constant, empty, sql } from "@/lib/core/database/sql";
import { listRows, recordRows } from "@/lib/core/database/statements";
import { saveVersion } from "@/lib/core/database/versions";
import type { Form, FormListItem } from "@/lib/forms/api-schema";
import { formColumns, linesOf, listedForms } from "@/lib/forms/columns";
import { assertStartsForm, linkContact, lockContact, unlinkContactOf } from "@/lib/forms/contact-link";
import { removeDraft, removeDraftPart } from "@/lib/forms/drafts/drafts";
import { type FormListQuery, formsList } from "@/lib/forms/list";
import { assertOpen, closedThrough, stillClosedPart } from "@/lib/forms/periods/closed-periods";
import { assertNotPurged, FORM_IN_FILE, FORM_JSON, lockForms, readForm } from "@/lib/forms/read";
import { keepCheckedPart } from "@/lib/forms/review/checked";
import {
  prepare,
  readForCreate,
  readForUpdate,
  type SaveContext,
  undoneByChange,
  undoneChanges,
} from "@/lib/forms/save";
import { type FormInput, formSchema, type NewForm } from "@/lib/forms/schema";

/** Returns a page of the forms the actor may see. */
export async function listForms(
  actor: SessionUser,
  query: FormListQuery,
): Promise<{ forms: JsonText<FormListItem[]>; meta: Meta }> {
  const recorder = listing(actor, "form", query.search);
  const { items, meta } = await readPage<FormListItem>(formsList(actor, query), query, recorder);
  return { forms: items, meta };
}

/** Joins that give a form (`f`) as many rows as `linesOf` returns lines. */
const LINE_JOINS = sql`LEFT JOIN service_entries lines_of ON lines_of.form_id = f.id
  LEFT JOIN service_provided_entries line ON line.service_entry_id = lines_of.id`;

/**
 * Writes all forms that match the query's filters to a file, in the query's order, and records the export.
 */
export function exportForms(actor: SessionUser, query: InColumns<FormListQuery>): Promise<Table> {
  const list = formsList(actor, query);
  const exporting = { actor, entity: "form", list, query };
  if (query.columns === "all")
    return wholeTable<Form>("forms", { ...exporting, list: { ...list, item: FORM_IN_FILE } }, formColumns(), {
      of: linesOf,
      joins: LINE_JOINS,
    });
  return listedTable("forms", exporting, listedForms());
}

/** Returns the ids of the users who hold Forms or own forms that the actor may see. */
export async function formUsers(actor: SessionUser): Promise<number[]> {
  const users = await listRows<{ id: number }>(
    "users who hold or own forms",
    sql`SELECT u.id FROM users u
     WHERE EXISTS (SELECT FROM role_permissions rp JOIN permissions p ON p.id = rp.permission_id
         WHERE rp.role_id = u.role_id AND p.name = 'Forms')
       OR EXISTS (${selectForms(empty, visibleFormsWhere(actor), sql`f.user_id = u.id`)})
     ORDER BY u.id`,
  );
  return users.map(({ id }) => id);
}

/** Returns a form the actor may see and records the view in the audit trail. Throws 404 otherwise. */
export async function getForm(actor: SessionUser, id: number): Promise<JsonText<Form>> {
  const [row] = await rowsRecorded<{ id: number; form: string }>(
    actor,
    { action: "viewed", entity: "form", client: "client_id" },
    selectForms(
      sql`f.id, f.client_id, ${FORM_JSON}::text AS form`,
      visibleFormsWhere(actor),
      sql`f.id = ${id}`,
    ),
  );
  if (!row) throw notFound();
  return new JsonText(row.form);
}

/** The number of a user's latest forms that are searched for service codes, and the most codes returned. */
const [RECENT_FORMS, RECENT_CODES] = [20, 6];

/** Returns ids of the service codes in the actor's own latest forms, latest first. */
export async function recentServiceCodes(actor: SessionUser): Promise<number[]> {
  const recent = await recordRows<{ id: number }>(
    "recent service codes",
    sql`SELECT p.service_code_id AS id FROM (SELECT f.id FROM forms f
       WHERE f.user_id = ${actor.userId} AND ${visibleFormsWhere(actor)}
       ORDER BY f.service_on DESC, f.id DESC LIMIT ${constant(RECENT_FORMS)}) AS f
     JOIN service_entries s ON s.form_id = f.id JOIN service_provided_entries p ON p.service_entry_id = s.id
     GROUP BY p.service_code_id ORDER BY max(f.id) DESC, p.service_code_id LIMIT ${constant(RECENT_CODES)}`,
  );
  return recent.map(({ id }) => id);
}

/** Headers of a save: `Idempotency-Key`, and the `Draft-Key` of the draft to delete after the save. */
type SaveKeys = { idempotencyKey?: string | null; draftKey?: string | null };

/**
 * Creates a form owned by the actor with all its sections, and links the contact that it was started from. A repeated
 * key returns that form in its current state. Throws 404 if it was removed.
 */
export async function createForm(
  actor: SessionUser,
  { contactId = null, ...input }: NewForm,
  { idempotencyKey = null, draftKey }: SaveKeys,
): Promise<JsonText<Form>> {
  const form = contactId === null ? input : { ...input, contactId };
  const key = creationKey(actor, idempotencyKey, { form });
  const owned = { ownerId: actor.userId, key, draftKey };
  const { id, repeated } = await once(
    key,
    () => readForCreate(rows, actor, input, key),
    (context) =>
      contactId === null
        ? writeNew(rows, actor, input, context, owned)
        : inTransaction(async (query) => {
            const locked = await lockContact(query, actor, contactId);
            // The same request may have been faster while this one waited for the contact.
            if ((await readFirst(query, key)).first) return null;
            const contact = await assertStartsForm(query, locked);
            const formId = await writeNew(query, actor, input, context, owned);
            if (formId !== null) await linkContact(query, actor, contact, formId, "form.contactId");
            return formId;
          }),
  );
  const created = await readForm(rows, actor, id);
  // A repeated call creates nothing and returns the form in its current state.
  if (repeated) {
    if (draftKey) await removeDraft(actor, draftKey);
    const { clientId } = created.value();
    await audit(rows, actor, { action: "viewed", entity: "form", entityId: id, clientId });
  }
  return created;
}

/**
 * Adds an imported form for an owner in the transaction of `query` and returns its id. The form keeps parts that its type
 * had earlier. Throws 409 in a closed period and 422
 * with the invalid fields.
 */
export async function addForm(
  query: Query,
  actor: SessionUser,
  input: FormInput,
  ownerId: number,
): Promise<number> {
  const id = await writeNew(query, actor, input, await readForCreate(query, actor, input), {
    ownerId,
    isImported: true,
  });
  if (id === null)
    throw busy("Someone closed a period or changed a field at the same time. Please try again.");
  return id;
}

/**
 * Writes a new form in one statement. Returns null and writes nothing if the closed period has changed since `context` was
 * read, or if the input has custom values and a definition has changed.
 */
async function writeNew(
  query: Query,
  actor: SessionUser,
  input: FormInput,
  context: SaveContext,
  {
    ownerId,
    key,
    draftKey,
    isImported,
  }: { ownerId: number; key?: CreationKey | null; draftKey?: string | null; isImported?: boolean },
): Promise<number | null> {
  const values = prepare(null, input, context, isImported);
  const { clientKey } = context;
  const statement = new Statement();
  const columns = { user_id: ownerId, updated_by_id: actor.userId };
  const row = insertRecord(statement, formSchema, values, columns, [
    stillClosedPart(statement, context.closedThrough),
    ...sameDefinitionsPart(statement, input.custom),
  ]);
  const changes = changesOf(formSchema, null, values, "form");
  const act = { action: "created", entity: "form", client: input.clientId, changes, clientKey } as const;
  auditPart(statement, actor, act, row);
  key?.keep(statement, row);
  if (draftKey) removeDraftPart(statement, actor, draftKey, row);
  const [created] = await query<{ id: number }>(statement.sql(sql`SELECT id FROM ${row}`));
  return created?.id ?? null;
}

/**
 * Updates a visible form with all its sections, or nothing; the owner does not change. Throws 404, and 422 with the
 * invalid fields. Throws 409 for a stale version, a closed period or a legal hold on the previous client. A save that
 * changes nothing writes nothing and is recorded as a view.
 */
export async function updateForm(
  actor: SessionUser,
  id: number,
  input: FormInput,
  { draftKey }: Pick<SaveKeys, "draftKey">,
): Promise<JsonText<Form>> {
  return saveVersion(
    `form ${id}`,
    input.lockVersion,
    () => readForUpdate(rows, actor, id, input),
    async ({ stored, ...context }) => {
      const statement = new Statement();
      const values = prepare(stored, input, context);
      const changed = changesOf(formSchema, stored, values, "form");
      if (changed.length === 0) {
        if (draftKey) await removeDraft(actor, draftKey);
        const { clientId } = stored;
        await auditRead(actor, { action: "viewed", entity: "form", entityId: id, clientId });
        return readForm(rows, actor, id);
      }
      const undone = undoneByChange(actor, stored);
      const row = updateRecord(statement, formSchema, values, stored, actor.userId, undone, [
        stillClosedPart(statement, context.closedThrough),
        ...sameDefinitionsPart(statement, input.custom),
      ]);
      keepCheckedPart(statement, row);
      const changes = [...changed, ...undoneChanges(undone, stored)];
      const { clientKey, formerKey } = context;
      const act = { action: "updated", entity: "form", client: values.clientId, changes, clientKey } as const;
      const isMoved = values.clientId !== stored.clientId;
      if (!isMoved) auditPart(statement, actor, act, row);
      else {
        // Values about the previous client are encrypted with that client's key only.
        const [removals, additions] = [
          changes.map((change) => ({ ...change, to: null })),
          changes.map((change) => ({ ...change, from: null })),
        ];
        const former = { client: stored.clientId, changes: removals, clientKey: formerKey };
        // PostgreSQL runs the last part first.
        auditPart(statement, actor, { ...act, changes: additions }, row);
        auditPart(statement, actor, { ...act, ...former }, row);
      }
      if (draftKey) removeDraftPart(statement, actor, draftKey, row);
      const save = (query: Query) => query(statement.sql(sql`SELECT id FROM ${row}`));
      const savedRows = isMoved
        ? await inTransaction(async (query) => {
            await lockClientRows(query, [stored.clientId, values.clientId]);
            // For the previous client, the form is removed, which a legal hold forbids.
            await lockClientWithoutHold(query, actor, stored.clientId);
            return save(query);
          })
        : await save(rows);
      return savedRows.length === 0 ? null : readForm(rows, actor, id);
    },
  );
}

/**
 * Removes a visible form and its nested entries, and unlinks its contact. Throws 404, and 409 if its client is on legal
 * hold or a period is closed.
 */
export const removeForm = (actor: SessionUser, id: number): Promise<void> =>
  db().$transaction((tx) => removeFormIn(tx, actor, id));

/** Does the same in the caller's transaction. */
export async function removeFormIn(tx: Tx, actor: SessionUser, id: number): Promise<void> {
  const query = queryIn(tx);
  await lockClientOf(query, id);
  assertNotPurged((await lockForms(query, actor, [id])).get(id));
  const form = (await readForm(query, actor, id)).value();
  await lockClientWithoutHold(query, actor, form.clientId);
  assertOpen(await closedThrough(query, "FOR SHARE"), form.serviceOn);
  await unlinkContactOf(query, actor, form);
  const removed = await query(
    sql`DELETE FROM forms f WHERE f.id = ${id} AND ${visibleFormsWhere(actor)} RETURNING f.id`,
  );
  if (removed.length === 0) throw notFound();
  const { clientId } = form;
  const changes = changesOf(formSchema, form, null, "form");
  const about = { entityId: id, clientId, changes, clientKey: await readClientKey(query, clientId) };
  await audit(query, actor, { action: "removed", entity: "form", ...about });
}
