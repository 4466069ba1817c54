import "server-only";
import { type Contact, contacts } from "@/lib/contacts/record";
import { knownFormOfContact, seesClients } from "@/lib/core/access/scope";
import { invalidFields } from "@/lib/core/errors";
import { fieldsOf, isAsked } from "@/lib/core/fields/facts";
import { sql } from "@/lib/core/sql";
import type { RecordValues } from "@/lib/declared-records/api-schema";
import { recordColumns, recordReads } from "@/lib/declared-records/reads";
import { checkRecord, type RecordSaves, recordSaves, refuseProblems } from "@/lib/declared-records/saves";
import { type RecordStore, storeOf } from "@/lib/declared-records/store";
import { endUnknownLink, linkContact, unlinkContact } from "@/lib/forms/contact-link";

// Contacts do more than their declaration says: a contact of one person can be linked to a form. `formId` of a body links
// it, and null unlinks it, which is no new version.

const reads = recordReads<Contact>(contacts, {
  keys: (actor) => ({ formId: knownFormOfContact(actor, sql`r.form_id`) }),
  columns: [...recordColumns(contacts), { label: "Form Id", path: ["formId"] }],
});

/** Returns the form that a contact is linked to, or is to be linked to. */
const formOf = (contact: RecordValues | null): number | null =>
  typeof contact?.formId === "number" ? contact.formId : null;
const isSingle = ({ number }: RecordValues) => number === 1;
const NOT_SINGLE = { "contact.number": "How Many must be 1 for a contact that is linked to a form" };

/** Returns the fields that are filled in although no shelter was requested, as `{path: problem}`. */
function withoutRequest(sent: RecordValues, values: RecordValues): Record<string, string> {
  const filled = fieldsOf(contacts.schema).filter(({ name, facts }) => sent[name] && !isAsked(facts, values));
  return Object.fromEntries(
    filled.map(({ name }) => [`contact.${name}`, "is allowed only if shelter was requested"]),
  );
}

const declaredSaves = recordSaves(reads);
const saves: RecordSaves<Contact> = {
  ...declaredSaves,
  prepare(found, sent) {
    const { values, problems } = checkRecord(contacts, found, sent);
    refuseProblems(contacts, { ...problems, ...withoutRequest(sent, values) });
    const next = { ...values, formId: sent.formId === undefined ? formOf(found.stored) : sent.formId };
    if (formOf(next) !== null && !isSingle(next)) throw invalidFields(NOT_SINGLE);
    return next;
  },
  // A new link alone is no view: it has an event of its own.
  events: (act, { stored }, next) =>
    act.action === "viewed" && formOf(next) !== formOf(stored) ? [] : [{ ...act, entity: "contact" }],
  async before(query, actor, { stored }, next) {
    const former = formOf(stored);
    if (stored && former !== null && formOf(next) === null)
      await unlinkContact(query, actor, { id: stored.id, formId: former });
    // A link that the actor may not know of cannot refuse a number: it ends.
    else if (stored && !isSingle(next)) await endUnknownLink(query, actor, stored.id);
  },
  async after(query, actor, id, { stored }, next) {
    const former = formOf(stored);
    const linked = formOf(next);
    if (next && linked !== null && linked !== former)
      await linkContact(query, actor, { id, formId: former }, linked, "contact.formId");
  },
};

export const contactStore: RecordStore<Contact> = {
  ...storeOf(reads, saves),
  history: {
    ...reads.history,
    // The events about a client are those of the contact's link to a form.
    events: (actor) => (seesClients(actor) ? sql`TRUE` : sql`e.client_id IS NULL`),
  },
};
