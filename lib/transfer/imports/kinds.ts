import "server-only";
import { z } from "zod/mini";
import { addClient, removeClientIn } from "@/lib/clients/clients";
import { clientColumns } from "@/lib/clients/columns";
import { CURRENT_CLIENT } from "@/lib/clients/duplicates";
import { MERGED_INTO } from "@/lib/clients/merged";
import { clientSchema } from "@/lib/clients/schema";
import { CLIENT_LABELS } from "@/lib/clients/words";
import { contactColumns } from "@/lib/contacts/columns";
import { addContact, removeContactIn } from "@/lib/contacts/contacts";
import { contactSchema } from "@/lib/contacts/schema";
import { can, type Permission } from "@/lib/core/access/permissions";
import { type Hiding, notHidden, withoutActor } from "@/lib/core/access/scope";
import { invalid, invalidFields } from "@/lib/core/api/errors";
import { type Query, queryIn, type Tx } from "@/lib/core/database/client";
import { empty, identifier, type Sql, sql } from "@/lib/core/database/sql";
import { byKey } from "@/lib/core/fields/by-key";
import { recordFacts } from "@/lib/core/fields/facts";
import { today } from "@/lib/core/fields/format";
import { unfitTexts } from "@/lib/core/fields/masked";
import { fieldErrors, problemsOnWire } from "@/lib/core/fields/problems";
import { day } from "@/lib/core/fields/vocabulary";
import { formValues } from "@/lib/forms/api-schema";
import { formColumns, formOf, isServiceColumn } from "@/lib/forms/columns";
import { addForm, removeFormIn } from "@/lib/forms/forms";
import { mark, mayCheck } from "@/lib/forms/review/reviews";
import { type FormInput, formSchema } from "@/lib/forms/schema";
import { services } from "@/lib/forms/sections/services";
import type { Actor } from "@/lib/identity/session";
import { lookupColumns } from "@/lib/lookups/columns";
import { type Lookup, lookups } from "@/lib/lookups/registry";
import { lookupStores } from "@/lib/lookups/store";
import type { ServiceCode } from "@/lib/lookups/types";
import { type RecordKey, records } from "@/lib/records/registry";
import { recordColumns, recordStores } from "@/lib/records/store";
import { stayColumns } from "@/lib/shelter/columns";
import { newStaySchema, staySchema } from "@/lib/shelter/schema";
import { addStay, removeStayIn } from "@/lib/shelter/stays";
import {
  type Column,
  clientOfRecord,
  columnsFor,
  RECONCILED,
  type Values,
} from "@/lib/transfer/imports/columns";
import { findClients } from "@/lib/transfer/imports/find-clients";
import type { ImportRecord } from "@/lib/transfer/imports/records";
import { type ImportKind, importKinds } from "@/lib/transfer/imports/words";

/** The import rules for one kind of record. */
export type Kind = {
  /** The permission needed in addition to Import. */
  permission: Permission;
  schema: z.ZodMiniObject;
  table: string;
  /** Returns the columns that a file can have, with those of the current custom fields. */
  columns: () => Column[];
  /** Returns the errors in a record's values as sentences, by their paths in a request. */
  problems(values: Values): Record<string, string>;
  /** True for clients: existing ones with the same name are noted, and merged ones count as existing. */
  people: boolean;
  /** SQL for the id of the client that the imported row `r` is about; null if there is none. */
  clientId: Sql;
  /** True if equal rows of a file are different records, such as two calls on one day. */
  hasEqualRows?: true;
  /**
   * For kinds whose rows with the same Id form one record: the columns that may differ between them, and the function
   * that joins them.
   */
  lines?: { differ(column: Column): boolean; join(lines: readonly Values[]): Values };
  /** Adds values that only the database has to the records, or a problem. */
  complete?(query: Query, actor: Actor, records: readonly ImportRecord[]): Promise<void>;
  /**
   * True if a record with these values exists, no matter who created it: a new installation starts with lists.
   */
  isThere?(tx: Tx, values: Values): Promise<boolean>;
  /**
   * Adds a record in the transaction and returns its id. Throws 422 with the invalid fields, and 409 in a closed
   * period.
   */
  add(tx: Tx, actor: Actor, values: Values, ownerId: number): Promise<number>;
  /** Removes it. Throws 409 with the reason if it must stay, and 404 if it no longer exists. */
  remove(tx: Tx, actor: Actor, id: number): Promise<void>;
};

/** SQL condition: the client of the imported row `r` was merged into another one that still exists. */
export const MERGED = sql`EXISTS (SELECT FROM ${MERGED_INTO} AS l JOIN clients c ON c.id = l.client_id
  WHERE l.merged_id = r.record_id AND ${withoutActor("rowNotHidden() hides rows")})`;

/** SQL condition: the record of the imported row `r` exists. */
export const isThereSql = ({ table, people }: Pick<Kind, "table" | "people">): Sql =>
  sql`(EXISTS (SELECT FROM ${identifier(table)} t WHERE t.id = r.record_id)${people ? sql` OR ${MERGED}` : empty})`;

/** SQL condition: the client of the imported row `r` is not restricted from the actor. */
export const rowNotHidden = (actor: Hiding, { clientId }: Pick<Kind, "clientId">): Sql =>
  notHidden(actor, sql`COALESCE(${clientId}, 0)`);

const problemsOf = (schema: z.core.$ZodType, values: Values): Record<string, string> => {
  const { error } = z.safeParse(schema, values);
  const unfit = problemsOnWire(schema, unfitTexts(schema, values, { path: "" }));
  return { ...unfit, ...(error && fieldErrors(schema, error)) };
};

function parseValues<T>(schema: z.core.$ZodType<T>, values: Values): T {
  const parsed = z.safeParse(schema, values);
  if (!parsed.success) throw invalidFields(fieldErrors(schema, parsed.error));
  return parsed.data;
}

/** Unlike a new client, an imported one keeps the day its record was created in the other system. */
const imported = z.object({ ...clientSchema.shape, createdOn: day(CLIENT_LABELS.createdOn) });

const clients: Kind = {
  permission: "clients",
  schema: clientSchema,
  table: "clients",
  columns: () => columnsFor(clientSchema, clientColumns()),
  people: true,
  clientId: CURRENT_CLIENT,
  problems: (values) => problemsOf(imported, values),
  add: (tx, actor, values, ownerId) => {
    const { createdOn, ...input } = parseValues(imported, values);
    return addClient(queryIn(tx), actor, input, { ownerId, createdOn: createdOn ?? today() });
  },
  remove: removeClientIn,
};

const hasAnyValue = (entry: object | null | undefined): boolean => Object.values(entry ?? {}).some(Boolean);

/** Refuses details of a service that its code has never had, because a save would drop them. */
async function assertNoUnusedDetails(query: Query, { serviceEntry }: FormInput): Promise<void> {
  const detailed = (serviceEntry?.serviceProvidedEntries ?? []).filter(
    ({ hotelShelterEntry, videoconferencingEntry }) =>
      hasAnyValue(hotelShelterEntry) || hasAnyValue(videoconferencingEntry),
  );
  if (detailed.length === 0) return;
  const codes = await query<Pick<ServiceCode, "id" | "code" | "hotelShelter" | "videoconferencing">>(
    sql`SELECT id, code, hotel_shelter OR 'hotelShelter' = ANY(former_flags) AS "hotelShelter",
       videoconferencing OR 'videoconferencing' = ANY(former_flags) AS videoconferencing FROM service_codes
     WHERE id = ANY(${detailed.map(({ serviceCodeId }) => serviceCodeId)}::int[])`,
  );
  for (const { serviceCodeId, minutes, hotelShelterEntry, videoconferencingEntry } of detailed) {
    const code = codes.find(({ id }) => id === serviceCodeId);
    const refuse = (label: string) =>
      invalid("serviceCodeId", `${label} does not apply to ${code?.code} here`);
    if (hasAnyValue(hotelShelterEntry) && !services.showsHotelShelter(code)) throw refuse("Hotel Shelter");
    if (hasAnyValue(videoconferencingEntry) && !services.showsVideoconferencing(code, minutes))
      throw refuse("Videoconferencing");
  }
}

/**
 * A form that was reconciled in the other system is reconciled by the actor here. The original reviewer may have no
 * account.
 */
const forms: Kind = {
  permission: "forms",
  schema: formSchema,
  table: "forms",
  columns: () => [
    ...clientOfRecord,
    ...columnsFor(
      formSchema,
      formColumns().filter(({ path }) => path[0] !== "clientId"),
    ),
  ],
  people: false,
  // biome-ignore lint/plugin: rowNotHidden() uses it to hide rows
  clientId: sql`(SELECT f.client_id FROM forms f WHERE f.id = r.record_id)`,
  lines: { differ: isServiceColumn, join: formOf },
  complete: findClients,
  problems: (values) => problemsOf(formValues, values),
  add: async (tx, actor, values, ownerId) => {
    if (ownerId !== actor.userId && !can(actor, "all-forms"))
      throw invalid("userId", "Forms of other advocates require the permission All Forms");
    const isReconciled = values[RECONCILED] === true;
    if (isReconciled && !mayCheck(actor, ownerId))
      throw invalid(RECONCILED, "Reconciled must not be Yes: someone else must reconcile your own forms");
    const input = parseValues(formValues, values);
    const query = queryIn(tx);
    await assertNoUnusedDetails(query, input);
    const id = await addForm(query, actor, input, ownerId);
    if (isReconciled) await mark(query, actor, [{ id, clientId: input.clientId, returnComment: null }], true);
    return id;
  },
  remove: removeFormIn,
};

const contacts: Kind = {
  permission: "contacts",
  schema: contactSchema,
  table: "contacts",
  columns: () => columnsFor(contactSchema, contactColumns),
  people: false,
  hasEqualRows: true,
  // A contact that is linked to a hidden client looks unlinked.
  clientId: sql`NULL::int`,
  problems: (values) => problemsOf(contactSchema, values),
  add: (tx, actor, values, ownerId) => {
    if (ownerId !== actor.userId && !can(actor, "all-forms"))
      throw invalid("userId", "Contacts of other advocates require the permission All Forms");
    return addContact(queryIn(tx), actor, parseValues(contactSchema, values), ownerId);
  },
  remove: removeContactIn,
};

const stays: Kind = {
  permission: "shelter",
  schema: staySchema,
  table: "stays",
  columns: () => [...clientOfRecord, ...columnsFor(staySchema, stayColumns)],
  people: false,
  // biome-ignore lint/plugin: rowNotHidden() uses it to hide rows
  clientId: sql`(SELECT st.client_id FROM stays st WHERE st.id = r.record_id)`,
  complete: findClients,
  problems: (values) => problemsOf(newStaySchema, values),
  add: (tx, actor, values, ownerId) => {
    if (ownerId !== actor.userId && !can(actor, "all-forms"))
      throw invalid("userId", "Stays of other advocates require the permission All Forms");
    return addStay(queryIn(tx), actor, parseValues(newStaySchema, values), ownerId);
  },
  remove: removeStayIn,
};

function declared(key: RecordKey): Kind {
  const { schema, permission, plural, seenBy, words } = records[key];
  return {
    permission,
    schema,
    table: plural,
    columns: () => columnsFor(schema, recordColumns(key)),
    people: false,
    hasEqualRows: true,
    clientId: sql`NULL::int`,
    problems: (values) => problemsOf(schema, values),
    add: (tx, actor, values, ownerId) => {
      if (seenBy === "owner" && ownerId !== actor.userId && !can(actor, "all-forms"))
        throw invalid("userId", `${words.title} of other advocates require the permission All Forms`);
      return recordStores[key].createIn(tx, actor, parseValues(schema, values), ownerId);
    },
    remove: recordStores[key].removeIn,
  };
}

function list(key: Exclude<ImportKind, keyof typeof handwritten | RecordKey>): Kind {
  const { schema, permission }: Lookup = lookups[key];
  const store = lookupStores[key];
  return {
    permission,
    schema,
    table: recordFacts(schema).table,
    columns: () => columnsFor(schema, lookupColumns(key)),
    people: false,
    clientId: sql`NULL::int`,
    problems: (values) => problemsOf(schema, values),
    isThere: (tx, values) => store.holds(tx, parseValues(schema, values)),
    add: async (tx, actor, values) => (await store.createIn(tx, actor, parseValues(schema, values))).id,
    remove: store.removeIn,
  };
}

const handwritten = { clients, forms, contacts, stays };
const isHandwritten = (key: ImportKind): key is keyof typeof handwritten => Object.hasOwn(handwritten, key);
const isDeclared = (key: ImportKind): key is RecordKey => Object.hasOwn(records, key);
export const kinds = byKey(importKinds, (key): Kind => {
  if (isHandwritten(key)) return handwritten[key];
  return isDeclared(key) ? declared(key) : list(key);
});
