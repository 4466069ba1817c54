import "server-only";
import { audit } from "@/lib/audit/record";
import { readClientKey } from "@/lib/audit/values";
import type { ClientMove } from "@/lib/clients/hooks";
import type { SessionUser } from "@/lib/core/access/permissions";
import {
  knownFormOfContact,
  notHidden,
  openFormsWhere,
  selectForms,
  visibleContactsWhere,
  withoutActor,
} from "@/lib/core/access/scope";
import type { Query } from "@/lib/core/database/client";
import { AppError, invalid } from "@/lib/core/errors";
import { sql } from "@/lib/core/sql";
import { assertOpen, closedThrough } from "@/lib/forms/periods/closed-periods";
import { closedMessage } from "@/lib/forms/words";

// A caller who becomes a client. The contact is linked to the form that was started from it, and is no longer
// anonymous. The link is in the contact's row. It changes in the transaction that saves or removes the form.

const visible = withoutActor("the actor may see one end of the link, the contact or the form");

/** A contact that a transaction has locked, with the form that the actor may know of (`knownFormOfContact`). */
type LockedContact = { id: number; contactedOn: string; number: number; formId: number | null };

/** Locks a contact that the actor may see until the transaction ends. Returns null if there is none. */
async function lockContact(query: Query, actor: SessionUser, id: number): Promise<LockedContact | null> {
  const [contact] = await query<LockedContact>(
    sql`SELECT ct.id, ct.contacted_on::text AS "contactedOn", ct.number, ${knownFormOfContact(actor)} AS "formId"
     FROM contacts ct WHERE ct.id = ${id} AND ${visibleContactsWhere(actor)} FOR UPDATE OF ct`,
  );
  return contact ?? null;
}

/**
 * Locks a contact from which a new form is started. Throws 422 if it is not visible, counts more than one person, or is
 * linked to another form. Throws 409 if it is in a closed period.
 */
export async function lockContactToStart(
  query: Query,
  actor: SessionUser,
  id: number,
): Promise<LockedContact> {
  const contact = await lockContact(query, actor, id);
  const refused = (problem: string) => invalid("form.contactId", `The contact ${problem}`);
  if (!contact) throw refused("does not exist");
  if (contact.number !== 1) throw refused("counts more than one person");
  if (contact.formId !== null) throw refused("is linked to another form");
  const through = await closedThrough(query, "FOR SHARE");
  if (through !== null && contact.contactedOn <= through) {
    const message = closedMessage(through);
    throw new AppError("period_closed", message, { fields: { "form.contactId": message } });
  }
  return contact;
}

/** Links a locked contact to a form that the actor may see, and records it. Throws 422 as `field` if there is none. */
export async function linkContact(
  query: Query,
  actor: SessionUser,
  { id, formId: former }: Pick<LockedContact, "id" | "formId">,
  formId: number,
  field: string,
): Promise<void> {
  const [form] = await query<{ clientId: number }>(
    selectForms(sql`f.client_id AS "clientId"`, openFormsWhere(actor), sql`f.id = ${formId}`),
  );
  if (!form) throw invalid(field, "The form does not exist");
  const others = await query(
    sql`SELECT FROM contacts WHERE form_id = ${formId} AND id <> ${id} AND ${visible}`,
  );
  if (others.length > 0) throw invalid(field, "The form is linked to another contact");
  if (former === null) await endUnknownLink(query, actor, id);
  await setForm(query, actor, id, { from: former, to: formId }, form.clientId);
}

/**
 * Unlinks a contact that the transaction has locked from a form that the actor may not know of, if there is one. The event
 * is about that form's client, so the actor does not see it.
 */
export async function endUnknownLink(query: Query, actor: SessionUser, id: number): Promise<void> {
  const [form] = await query<{ id: number; clientId: number }>(
    selectForms(
      sql`f.id, f.client_id AS "clientId"`,
      withoutActor("the audit trail records the end of a link that is hidden from the actor"),
      sql`f.id = (SELECT ct.form_id FROM contacts ct WHERE ct.id = ${id} AND ${visible})`,
    ),
  );
  if (form) await setForm(query, actor, id, { from: form.id, to: null }, form.clientId);
}

/** Unlinks a contact that the transaction has locked from its form, and records it. */
export async function unlinkContact(
  query: Query,
  actor: SessionUser,
  { id, formId }: { id: number; formId: number },
): Promise<void> {
  const [form] = await query<{ clientId: number }>(
    selectForms(sql`f.client_id AS "clientId"`, notHidden(actor, sql`f.client_id`), sql`f.id = ${formId}`),
  );
  if (form) await setForm(query, actor, id, { from: formId, to: null }, form.clientId);
}

/** Unlinks the contacts of forms that are about to be removed. Throws as `unlinkContactOf` does. */
export async function unlinkContactsOf(
  query: Query,
  actor: SessionUser,
  formIds: readonly number[],
): Promise<void> {
  const linked = await query<{ id: number; clientId: number }>(
    selectForms(
      sql`f.id, f.client_id AS "clientId"`,
      withoutActor("the caller has found these forms for its actor"),
      sql`f.id IN (SELECT ct.form_id FROM contacts ct WHERE ct.form_id = ANY(${formIds}::int[]) AND ${visible})`,
    ),
  );
  for (const form of linked) await unlinkContactOf(query, actor, form);
}

/**
 * Unlinks the contact of a form that is about to be removed, even a colleague's contact. Throws 409 if the contact is in a
 * closed period.
 */
export async function unlinkContactOf(
  query: Query,
  actor: SessionUser,
  form: { id: number; clientId: number },
): Promise<void> {
  const [contact] = await query<{ id: number; contactedOn: string }>(
    sql`SELECT id, contacted_on::text AS "contactedOn" FROM contacts WHERE form_id = ${form.id} AND ${visible} FOR UPDATE`,
  );
  if (!contact) return;
  assertOpen(await closedThrough(query, "FOR SHARE"), contact.contactedOn);
  await setForm(query, actor, contact.id, { from: form.id, to: null }, form.clientId);
}

/**
 * Moves the link of a contact from one form to another when a merge replaces the form, or in its undo, and records that.
 * Includes contacts of closed periods. A contact that is linked differently by now stays as it is.
 */
export async function moveContactLink(
  query: Query,
  actor: SessionUser,
  { id, from, to }: { id: number; from: number | null; to: number | null },
  { to: clientId, clientKey }: ClientMove,
): Promise<void> {
  const moved = await query(
    sql`UPDATE contacts SET form_id = ${to}::int
     WHERE id = ${id} AND form_id IS NOT DISTINCT FROM ${from}::int AND number = 1 AND ${visible} RETURNING id`,
  );
  if (moved.length === 0) return;
  const changes = [{ field: "contact.formId", from, to }];
  const about = { entityId: id, clientId, changes, clientKey };
  await audit(query, actor, { action: "updated", entity: "contact", ...about });
}

/**
 * The event is about the client, so users who cannot see the client do not see the event. The contact's version stays the
 * same, because a new version would tell them of the link.
 */
async function setForm(
  query: Query,
  actor: SessionUser,
  id: number,
  { from, to }: { from: number | null; to: number | null },
  clientId: number,
): Promise<void> {
  await query(sql`UPDATE contacts SET form_id = ${to}::int WHERE id = ${id} AND ${visible}`);
  const changes = [{ field: "contact.formId", from, to }];
  const about = { entityId: id, clientId, changes, clientKey: await readClientKey(query, clientId) };
  await audit(query, actor, { action: "updated", entity: "contact", ...about });
}
