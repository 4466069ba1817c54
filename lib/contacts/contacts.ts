import "server-only";
import { changesOf } from "@/lib/audit/changes";
import { listedTable, ownerInFile, wholeTable } from "@/lib/audit/list-export";
import { audit, auditPart, listing, rowsRecorded } from "@/lib/audit/record";
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
import { busy, invalidFields, notFound } from "@/lib/core/api/errors";
import type { Table } from "@/lib/core/api/files";
import { type CreationKey, creationKey, type Keyed, once } from "@/lib/core/api/idempotency";
import type { JsonText } from "@/lib/core/api/json-text";
import type { InColumns } from "@/lib/core/api/list-file";
import { idParam, type Meta } from "@/lib/core/api/list-query";
import { inTransaction, type Query, queryIn, rows, type Tx } from "@/lib/core/database/client";
import { readPage } from "@/lib/core/database/list";
import { merge } from "@/lib/core/database/record-merge";
import { insertRecord, Statement, updateRecord } from "@/lib/core/database/record-write";
import { existingSql, missingReferences, referencesOf } from "@/lib/core/database/references";
import { type Sql, sql } from "@/lib/core/database/sql";
import { listRows } from "@/lib/core/database/statements";
import { assertVersion } from "@/lib/core/database/versions";
import { today } from "@/lib/core/fields/format";
import { problemsOnWire } from "@/lib/core/fields/problems";
import {
  assertContactOpen,
  endUnknownLink,
  linkContact,
  lockContact,
  unlinkContact,
} from "@/lib/forms/contact-link";
import { closedThrough, closedThroughSql, stillClosedPart } from "@/lib/forms/periods/closed-periods";
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

const NOT_SINGLE = { "contact.number": "How Many must be 1 for a contact that is linked to a form" };

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

/**
 * Creates a contact owned by the actor; without a day, it is today's. A repeated key returns that contact as it is now, or
 * throws 404 if it was removed. Throws 409 in a closed period and 422 with the invalid fields.
 */
export async function createContact(
  actor: SessionUser,
  { formId, ...sent }: ContactBody,
  idempotencyKey: string | null,
): Promise<Contact> {
  const key = creationKey(actor, idempotencyKey, { contact: { ...sent, formId } });
  const input = { ...sent, contactedOn: sent.contactedOn ?? today() };
  const write = async (query: Query, context: SaveContext) => {
    const id = await writeNew(query, actor, input, context, { ownerId: actor.userId, key });
    if (id === null || !formId) return id;
    if ((input.number ?? 1) !== 1) throw invalidFields(NOT_SINGLE);
    await linkContact(query, actor, { id, formId: null }, formId, "contact.formId");
    return id;
  };
  const { id, repeated } = await once(
    key,
    () => readContext(rows, actor, input, key),
    (context) => (formId ? inTransaction((query) => write(query, context)) : write(rows, context)),
  );
  if (repeated) await audit(rows, actor, { action: "viewed", entity: "contact", entityId: id });
  return readContact(rows, actor, id);
}

/**
 * Adds a contact for an owner in the transaction of `query` and returns its id. Throws 409 in a closed period and 422 with
 * the invalid fields.
 */
export async function addContact(
  query: Query,
  actor: SessionUser,
  input: ContactInput,
  ownerId: number,
): Promise<number> {
  const id = await writeNew(query, actor, input, await readContext(query, actor, input), { ownerId });
  if (id === null) throw busy("A period was closed at the same time. Please try again.");
  return id;
}

/**
 * Writes a new contact in one statement. Returns null and writes nothing if the closed period has changed since `context`
 * was read.
 */
async function writeNew(
  query: Query,
  actor: SessionUser,
  input: ContactInput,
  context: SaveContext,
  { ownerId, key }: { ownerId: number; key?: CreationKey | null },
): Promise<number | null> {
  assertContactOpen(context.closedThrough, input.contactedOn);
  const values = prepare(null, input, context);
  const statement = new Statement();
  const open = stillClosedPart(statement, context.closedThrough);
  const columns = { user_id: ownerId, updated_by_id: actor.userId };
  const row = insertRecord(statement, contactSchema, values, columns, [open]);
  const changes = changesOf(contactSchema, null, values, "contact");
  auditPart(statement, actor, { action: "created", entity: "contact", changes }, row);
  key?.keep(statement, row);
  const [created] = await query<{ id: number }>(statement.sql(sql`SELECT id FROM ${row}`));
  return created?.id ?? null;
}

/**
 * Updates a visible contact; the owner does not change. Throws 404, 409 for a stale version or a closed period, and 422
 * with the invalid fields. `formId` links or unlinks it, which is no new version. If nothing changes, a view is recorded.
 */
export function updateContact(
  actor: SessionUser,
  id: number,
  { formId, ...sent }: ContactBody,
): Promise<Contact> {
  return inTransaction(async (query) => {
    const locked = await lockContact(query, actor, id);
    if (!locked) throw notFound();
    const stored = await readContact(query, actor, id);
    const [version] = await query<{ changedBy: string | null }>(
      sql`SELECT first_name || ' ' || last_name AS "changedBy" FROM users
       WHERE id = (SELECT updated_by_id FROM contacts ct WHERE ct.id = ${id} AND ${visibleContactsWhere(actor)})`,
    );
    const changedBy = version?.changedBy ?? null;
    assertVersion({ lockVersion: stored.lockVersion, changedBy }, sent.lockVersion);
    const input = { ...sent, contactedOn: sent.contactedOn ?? stored.contactedOn };
    const through = await closedThrough(query, "FOR SHARE");
    assertContactOpen(through, stored.contactedOn, input.contactedOn);
    const values = prepare(stored, input, await readContext(query, actor, input));
    const number = values.number ?? stored.number;
    const linked = formId === undefined ? stored.formId : formId;
    if (linked !== null && number !== 1) throw invalidFields(NOT_SINGLE);
    if (linked === null && stored.formId !== null) await unlinkContact(query, actor, locked);
    // A link that the actor may not know of cannot refuse a number: it ends.
    else if (number !== 1) await endUnknownLink(query, actor, id);
    // The link alone leaves no version and no event of the contact: those are for everyone, the link is not.
    const changes = changesOf(contactSchema, stored, values, "contact");
    if (changes.length > 0) {
      const statement = new Statement();
      const row = updateRecord(statement, contactSchema, values, stored, actor.userId);
      auditPart(statement, actor, { action: "updated", entity: "contact", changes }, row);
      await query(statement.sql(sql`SELECT id FROM ${row}`));
    } else if (linked === stored.formId)
      await audit(query, actor, { action: "viewed", entity: "contact", entityId: id });
    if (linked !== null && linked !== stored.formId)
      await linkContact(query, actor, locked, linked, "contact.formId");
    return readContact(query, actor, id);
  });
}

/** Removes a visible contact; the form it is linked to stays. Throws 404, and 409 in a closed period. */
export const removeContact = (actor: SessionUser, id: number): Promise<void> =>
  inTransaction((query) => remove(query, actor, id));

/** Does the same in the caller's transaction. */
export const removeContactIn = (tx: Tx, actor: SessionUser, id: number): Promise<void> =>
  remove(queryIn(tx), actor, id);

async function remove(query: Query, actor: SessionUser, id: number): Promise<void> {
  const locked = await lockContact(query, actor, id);
  if (!locked) throw notFound();
  assertContactOpen(await closedThrough(query, "FOR SHARE"), locked.contactedOn);
  const contact = await readContact(query, actor, id);
  await query(sql`DELETE FROM contacts ct WHERE ct.id = ${id} AND ${visibleContactsWhere(actor)}`);
  const changes = changesOf(contactSchema, contact, null, "contact");
  await audit(query, actor, { action: "removed", entity: "contact", entityId: id, changes });
}

/** The values a save reads before it writes. */
type SaveContext = {
  /** The records that the input refers to and that exist. */
  known: string[] | null;
  closedThrough: string | null;
};

const referencesIn = (input: ContactInput) => [...referencesOf(contactSchema, input, "contact")];

async function readContext(
  query: Query,
  actor: SessionUser,
  input: ContactInput,
  key: CreationKey | null = null,
): Promise<SaveContext & Keyed> {
  const [context] = await query<SaveContext & Keyed>(
    sql`SELECT ${existingSql(actor, contactSchema, referencesIn(input))} AS known, ${closedThroughSql()} AS "closedThrough",
       ${key?.first ?? sql`NULL`} AS first`,
  );
  return context ?? { known: null, closedThrough: null, first: null };
}

/** Returns the values to store: the stored contact overwritten by the input. Throws 422 with every invalid field. */
function prepare(stored: Contact | null, input: ContactInput, context: SaveContext): ContactInput {
  const problems: Record<string, string> = {};
  const values = merge(contactSchema, stored, input, "contact", problems);
  Object.assign(problems, missingReferences(referencesIn(input), context.known));
  if (!values.shelterRequested) Object.assign(problems, withoutRequest(input));
  if (Object.keys(problems).length > 0) throw invalidFields(problemsOnWire(contactBody, problems));
  return clearShelter(values);
}
