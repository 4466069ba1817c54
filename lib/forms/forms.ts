import "server-only";
import { listedTable, wholeTable } from "@/lib/audit/list-export";
import { audit, listing, rowsRecorded } from "@/lib/audit/record";
import { addRecordIn, createOnce, removeRecordIn, updateRecord } from "@/lib/audit/save";
import type { SessionUser } from "@/lib/core/access/permissions";
import { selectForms, visibleFormsWhere } from "@/lib/core/access/scope";
import type { Table } from "@/lib/core/api/files";
import { creationKey } from "@/lib/core/api/idempotency";
import type { InColumns } from "@/lib/core/api/list-file";
import type { Meta } from "@/lib/core/api/list-query";
import { inTransaction, type Query, queryIn, type Tx } from "@/lib/core/database/client";
import { readPage } from "@/lib/core/database/list";
import { listRows, recordRows } from "@/lib/core/database/statements";
import { notFound } from "@/lib/core/errors";
import { constant, empty, sql } from "@/lib/core/sql";
import { JsonText } from "@/lib/core/text/json-text";
import type { Form, FormListItem } from "@/lib/forms/api-schema";
import { formColumns, linesOf, listedForms } from "@/lib/forms/columns";
import { linkContact, lockContactToStart } from "@/lib/forms/contact-link";
import { removeDraft } from "@/lib/forms/drafts/drafts";
import { type FormListQuery, formsList } from "@/lib/forms/list";
import { FORM_IN_FILE, formJson, readForm } from "@/lib/forms/read";
import { formSaves } from "@/lib/forms/save";
import type { FormInput, NewForm } from "@/lib/forms/schema";

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
      sql`f.id, f.client_id, ${formJson(actor)}::text AS form`,
      visibleFormsWhere(actor),
      sql`f.id = ${id}`,
    ),
  );
  if (!row) throw notFound();
  return new JsonText(row.form);
}

/** The number of a user's latest forms that are searched for service codes, and the most codes returned. */
const RECENT_FORMS = 20;
const RECENT_CODES = 6;

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
export function createForm(
  actor: SessionUser,
  { contactId = null, ...input }: NewForm,
  { idempotencyKey = null, draftKey = null }: SaveKeys,
): Promise<JsonText<Form>> {
  const form = contactId === null ? input : { ...input, contactId };
  const key = creationKey(actor, idempotencyKey, { form });
  return createOnce(
    key,
    async (query) => {
      const contact = contactId === null ? null : await lockContactToStart(query, actor, contactId);
      const id = await addRecordIn(formSaves({ draftKey }), query, actor, input, {
        ownerId: actor.userId,
        key,
      });
      if (contact) await linkContact(query, actor, contact, id, "form.contactId");
      return id;
    },
    (query, id) => readForm(query, actor, id),
    async (query, id, repeated) => {
      if (draftKey) await removeDraft(actor, draftKey, query);
      const { clientId } = repeated.value();
      await audit(query, actor, { action: "viewed", entity: "form", entityId: id, clientId });
    },
  );
}

/**
 * Adds an imported form for an owner in the transaction of `query` and returns its id. The form keeps parts that its type
 * had earlier. Throws 409 in a closed period and 422 with the invalid fields.
 */
export const addForm = (
  query: Query,
  actor: SessionUser,
  input: FormInput,
  ownerId: number,
): Promise<number> => addRecordIn(formSaves({ isImported: true }), query, actor, input, { ownerId });

/**
 * Updates a visible form with all its sections, or nothing; the owner does not change. Throws 404, and 422 with the
 * invalid fields. Throws 409 for a stale version, a closed period or a legal hold on the previous client. A save that
 * changes nothing writes nothing and is recorded as a view.
 */
export const updateForm = (
  actor: SessionUser,
  id: number,
  input: FormInput,
  { draftKey = null }: Pick<SaveKeys, "draftKey">,
): Promise<JsonText<Form>> => updateRecord(formSaves({ draftKey }), actor, id, input, readForm);

/**
 * Removes a visible form and its nested entries, and unlinks its contact. Throws 404, and 409 if its client is on legal
 * hold or a period is closed.
 */
export const removeForm = (actor: SessionUser, id: number): Promise<void> =>
  inTransaction((query) => removeRecordIn(formSaves(), query, actor, id));

/** Does the same in the caller's transaction. */
export const removeFormIn = (tx: Tx, actor: SessionUser, id: number): Promise<void> =>
  removeRecordIn(formSaves(), queryIn(tx), actor, id);
