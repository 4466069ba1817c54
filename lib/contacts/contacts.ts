import "server-only";
import { listedTable, ownerInFile, wholeTable } from "@/lib/audit/list-export";
import { audit, listing, rowsRecorded } from "@/lib/audit/record";
import { addRecordIn, createOnce, type RemovableKind, removeRecordIn, updateRecord } from "@/lib/audit/save";
import {
  type Contact,
  type ContactBody,
  type ContactListQuery,
  contactBody,
} from "@/lib/contacts/api-schema";
import { contactColumns, listedContacts } from "@/lib/contacts/columns";
import { contactJson, contactsList } from "@/lib/contacts/list";
import {
  type ContactChoices,
  type ContactInput,
  clearShelter,
  contactSchema,
  withoutRequest,
} from "@/lib/contacts/schema";
import { can, type SessionUser } from "@/lib/core/access/permissions";
import { visibleContactsWhere, withoutActor } from "@/lib/core/access/scope";
import { invalidFields, notFound } from "@/lib/core/api/errors";
import type { Table } from "@/lib/core/api/files";
import { creationKey } from "@/lib/core/api/idempotency";
import type { JsonText } from "@/lib/core/api/json-text";
import type { InColumns } from "@/lib/core/api/list-file";
import { idParam, type Meta } from "@/lib/core/api/list-query";
import { inTransaction, type Query, queryIn, type Tx } from "@/lib/core/database/client";
import { readPage } from "@/lib/core/database/list";
import { merge } from "@/lib/core/database/record-merge";
import { existingSql, missingReferences, referencesOf } from "@/lib/core/database/references";
import { type Sql, sql } from "@/lib/core/database/sql";
import { listRows } from "@/lib/core/database/statements";
import { today } from "@/lib/core/fields/format";
import { problemsOnWire } from "@/lib/core/fields/problems";
import { endUnknownLink, linkContact, lockContact, unlinkContact } from "@/lib/forms/contact-link";
import { assertOpen, closedThroughSql } from "@/lib/forms/periods/closed-periods";
import { resourceLists, userOptions } from "@/lib/lookups/resources/lists";
import type { UserOption } from "@/lib/lookups/resources/schema";

/** Returns a page of the contacts the actor may see. */
export async function listContacts(
  actor: SessionUser,
  query: ContactListQuery,
): Promise<{ contacts: JsonText<Contact[]>; meta: Meta }> {
  const recorder = listing(actor, "contact", query.search);
  const { items, meta } = await readPage<Contact>(contactsList(actor, query), query, recorder);
  return { contacts: items, meta };
}

/** Writes all contacts that match the query's filters to a file, in the query's order, and records the export. */
export function exportContacts(actor: SessionUser, query: InColumns<ContactListQuery>): Promise<Table> {
  const list = contactsList(actor, query);
  const exporting = { actor, entity: "contact", list, query };
  if (query.columns === "listed") return listedTable("contacts", exporting, listedContacts);
  const item = contactJson(actor, ownerInFile(sql`ct.user_id`));
  return wholeTable("contacts", { ...exporting, list: { ...list, item } }, contactColumns);
}

/** Returns what the fields of a contact are chosen from. */
export const contactChoices = (actor: SessionUser): Promise<ContactChoices> =>
  resourceLists<ContactChoices>(actor, ["contact_kinds", "age_brackets", "referral_sources"]);

/**
 * Returns the options of the list's user filter: holders of Contacts and users who have recorded one. Returns null for a
 * user without All Forms, who sees only their own contacts.
 */
export async function contactUserOptions(actor: SessionUser): Promise<UserOption[] | null> {
  if (!can(actor, "all-forms")) return null;
  const [options, ids] = await Promise.all([userOptions(actor), contactUsers()]);
  return options.filter(({ id }) => ids.includes(id));
}

async function contactUsers(): Promise<number[]> {
  const users = await listRows<{ id: number }>(
    "users who record contacts",
    sql`SELECT u.id FROM users u
     WHERE EXISTS (SELECT FROM role_permissions rp JOIN permissions p ON p.id = rp.permission_id
         WHERE rp.role_id = u.role_id AND p.name = 'Contacts')
       OR EXISTS (SELECT FROM contacts ct WHERE ct.user_id = u.id AND ${withoutActor("only users are returned")})
     ORDER BY u.id`,
  );
  return users.map(({ id }) => id);
}

const selectContact = (actor: SessionUser, id: number): Sql =>
  sql`SELECT ct.id, ${contactJson(actor)} AS contact FROM contacts ct
   WHERE ct.id = ${id} AND ${visibleContactsWhere(actor)}`;

/** Returns a contact the actor may see and records the view. Throws 404 otherwise. */
export async function getContact(actor: SessionUser, id: number): Promise<Contact> {
  const [row] = await rowsRecorded<{ id: number; contact: Contact }>(
    actor,
    { action: "viewed", entity: "contact" },
    selectContact(actor, id),
  );
  if (!row) throw notFound();
  return row.contact;
}

/** Returns the contact named in the URL, or null if `id` is not an id. Throws 404 as `getContact` does. */
export async function readContactFromUrl(actor: SessionUser, id: unknown): Promise<Contact | null> {
  const parsed = idParam.safeParse(id);
  return parsed.success ? getContact(actor, parsed.data) : null;
}

async function readContact(query: Query, actor: SessionUser, id: number): Promise<Contact> {
  const [row] = await query<{ contact: Contact }>(selectContact(actor, id));
  if (!row) throw notFound();
  return row.contact;
}

/** The values a save reads before it writes. */
type Found = {
  stored: Contact | null;
  /** The records that the input refers to and that exist. */
  known: string[] | null;
  closedThrough: string | null;
};

/** How contacts are saved. `formId` links the contact to a form, and null unlinks it, which is no new version. */
const contactSaves = (formId?: number | null): RemovableKind<ContactInput, Found> => ({
  entity: "contact",
  schema: contactSchema,
  async open(query, actor, id, input) {
    if (id !== null && !(await lockContact(query, actor, id))) throw notFound();
    return find(query, actor, id, referencesIn(input));
  },
  async openToRemove(query, actor, id) {
    if (!(await lockContact(query, actor, id))) throw notFound();
    const found = await find(query, actor, id, []);
    assertOpen(found.closedThrough, found.stored?.contactedOn);
    return found;
  },
  prepare({ stored, known, closedThrough }, sent) {
    const input = { ...sent, contactedOn: sent.contactedOn ?? stored?.contactedOn ?? today() };
    assertOpen(closedThrough, stored?.contactedOn, input.contactedOn);
    const problems: Record<string, string> = {};
    const values = merge(contactSchema, stored, input, "contact", problems);
    Object.assign(problems, missingReferences(referencesIn(input), known));
    if (!values.shelterRequested) Object.assign(problems, withoutRequest(input));
    if (Object.keys(problems).length > 0) throw invalidFields(problemsOnWire(contactBody, problems));
    if (linkedForm(stored, formId) !== null && !isSingle(values)) throw invalidFields(NOT_SINGLE);
    return clearShelter(values);
  },
  // A new link alone is no view: it has an event of its own.
  events: (act, { stored }) =>
    act.action === "viewed" && linkedForm(stored, formId) !== linkedForm(stored)
      ? []
      : [{ ...act, entity: "contact" }],
  async before(query, actor, { stored }, next) {
    const former = linkedForm(stored);
    if (stored && former !== null && linkedForm(stored, formId) === null)
      await unlinkContact(query, actor, { id: stored.id, formId: former });
    // A link that the actor may not know of cannot refuse a number: it ends.
    else if (stored && !isSingle(next)) await endUnknownLink(query, actor, stored.id);
  },
  async after(query, actor, id, { stored }, next) {
    const [former, linked] = [linkedForm(stored), linkedForm(stored, formId)];
    if (next && linked !== null && linked !== former)
      await linkContact(query, actor, { id, formId: former }, linked, "contact.formId");
  },
});

const linkedForm = (stored: Contact | null, formId?: number | null) =>
  formId === undefined ? (stored?.formId ?? null) : formId;
const isSingle = ({ number = 1 }: ContactInput) => number === 1;
const NOT_SINGLE = { "contact.number": "How Many must be 1 for a contact that is linked to a form" };

const referencesIn = (input: ContactInput) => [...referencesOf(contactSchema, input, "contact")];

/** Reads a contact that the transaction has locked, if there is an id, and locks the closed period. */
async function find(
  query: Query,
  actor: SessionUser,
  id: number | null,
  references: ReturnType<typeof referencesIn>,
): Promise<Found> {
  const [found] = await query<Found>(
    sql`SELECT (SELECT ${contactJson(actor)} FROM contacts ct WHERE ct.id = ${id}::int AND ${visibleContactsWhere(actor)}) AS stored,
       ${existingSql(actor, contactSchema, references)} AS known, ${closedThroughSql("FOR SHARE")} AS "closedThrough"`,
  );
  if (!found) throw new Error("A SELECT without FROM returns a row");
  return found;
}

/**
 * Creates a contact owned by the actor; without a day, it is today's. A repeated key returns that contact as it is now, or
 * throws 404 if it was removed. Throws 409 in a closed period and 422 with the invalid fields.
 */
export function createContact(
  actor: SessionUser,
  { formId, ...input }: ContactBody,
  idempotencyKey: string | null,
): Promise<Contact> {
  const key = creationKey(actor, idempotencyKey, { contact: { ...input, formId } });
  return createOnce(
    key,
    (query) => addRecordIn(contactSaves(formId), query, actor, input, { ownerId: actor.userId, key }),
    (query, id) => readContact(query, actor, id),
    (query, id) => audit(query, actor, { action: "viewed", entity: "contact", entityId: id }),
  );
}

/**
 * Adds a contact for an owner in the transaction of `query` and returns its id. Throws 409 in a closed period and 422 with
 * the invalid fields.
 */
export const addContact = (
  query: Query,
  actor: SessionUser,
  input: ContactInput,
  ownerId: number,
): Promise<number> => addRecordIn(contactSaves(), query, actor, input, { ownerId });

/**
 * Updates a visible contact; the owner does not change. Throws 404, 409 for a stale version or a closed period, and 422
 * with the invalid fields. `formId` links or unlinks it, which is no new version. If nothing changes, a view is recorded.
 */
export const updateContact = (
  actor: SessionUser,
  id: number,
  { formId, ...input }: ContactBody,
): Promise<Contact> => updateRecord(contactSaves(formId), actor, id, input, readContact);

/** Removes a visible contact; the form it is linked to stays. Throws 404, and 409 in a closed period. */
export const removeContact = (actor: SessionUser, id: number): Promise<void> =>
  inTransaction((query) => removeRecordIn(contactSaves(), query, actor, id));

/** Does the same in the caller's transaction. */
export const removeContactIn = (tx: Tx, actor: SessionUser, id: number): Promise<void> =>
  removeRecordIn(contactSaves(), queryIn(tx), actor, id);
