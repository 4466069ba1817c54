import "server-only";
import { z } from "zod";
import { addClient, removeClientIn } from "@/lib/clients/clients";
import { clientColumns } from "@/lib/clients/columns";
import { CURRENT_CLIENT } from "@/lib/clients/duplicates";
import { MERGED_INTO } from "@/lib/clients/merged";
import { clientSchema } from "@/lib/clients/schema";
import { can, type Permission } from "@/lib/core/access/permissions";
import { type Hiding, notHidden, withoutActor } from "@/lib/core/access/scope";
import { invalid, invalidFields } from "@/lib/core/api/errors";
import { type Query, queryIn, type Tx } from "@/lib/core/database/client";
import { empty, identifier, type Sql, sql } from "@/lib/core/database/sql";
import { byKey } from "@/lib/core/fields/by-key";
import { recordFacts } from "@/lib/core/fields/facts";
import { today } from "@/lib/core/fields/format";
import { fieldErrors } from "@/lib/core/fields/problems";
import { day } from "@/lib/core/fields/vocabulary";
import { CLIENT_LABELS } from "@/lib/core/fields/words";
import { formColumns, formOf, isServiceColumn } from "@/lib/forms/columns";
import { addForm, removeFormIn } from "@/lib/forms/forms";
import { mark, mayCheck } from "@/lib/forms/review/reviews";
import { type FormInput, formSchema, formValues } from "@/lib/forms/schema";
import { services } from "@/lib/forms/sections/services";
import type { Actor } from "@/lib/identity/session";
import { lookupColumns } from "@/lib/lookups/columns";
import { type Lookup, lookups } from "@/lib/lookups/registry";
import { lookupStores } from "@/lib/lookups/store";
import type { ServiceCode } from "@/lib/lookups/types";
import {
  type Column,
  clientOfForm,
  columnsFor,
  RECONCILED,
  type Values,
} from "@/lib/transfer/imports/columns";
import { findClients } from "@/lib/transfer/imports/find-clients";
import type { ImportRecord } from "@/lib/transfer/imports/records";
import { type ImportKind, importKinds } from "@/lib/transfer/imports/schema";

/** What an import does with the records of one kind. */
export type Kind = {
  /** Needed besides Import. */
  permission: Permission;
  schema: z.ZodObject;
  table: string;
  columns: Column[];
  /** What is wrong with the values of a record, each in a sentence. */
  problems(values: Values): string[];
  /** True for clients: existing ones of the same name are noted, and merged ones count as there. */
  people: boolean;
  /** SQL for the id of the client whom the imported row `r` is about, null if there is none. */
  clientId: Sql;
  /** Where rows with the same Id are one record: the columns in which they may differ, and how they become one. */
  lines?: { differ(column: Column): boolean; join(lines: readonly Values[]): Values };
  /** Adds to the records what only the database knows, or a problem. */
  complete?(query: Query, actor: Actor, records: readonly ImportRecord[]): Promise<void>;
  /** Whether a record with these values is there, whoever made it: a new installation begins with lists. */
  isThere?(tx: Tx, values: Values): Promise<boolean>;
  /** Adds a record in the transaction; answers its id. 422 with the fields, 409 in a closed period. */
  add(tx: Tx, actor: Actor, values: Values, ownerId: number): Promise<number>;
  /** Removes it; 409 with the reason where that cannot be, 404 where it is gone. */
  remove(tx: Tx, actor: Actor, id: number): Promise<void>;
};

/** The condition on the imported row `r` that its client was merged into another one, who is still there. */
export const MERGED = sql`EXISTS (SELECT FROM ${MERGED_INTO} AS l JOIN clients c ON c.id = l.client_id
  WHERE l.merged_id = r.record_id AND ${withoutActor("rowNotHidden() hides rows")})`;

/** The condition on the imported row `r` that its record is there. */
export const isThereSql = ({ table, people }: Pick<Kind, "table" | "people">): Sql =>
  sql`(EXISTS (SELECT FROM ${identifier(table)} t WHERE t.id = r.record_id)${people ? sql` OR ${MERGED}` : empty})`;

/** The condition that the client of the imported row `r` is not restricted from the actor. */
export const rowNotHidden = (actor: Hiding, { clientId }: Pick<Kind, "clientId">): Sql =>
  notHidden(actor, sql`COALESCE(${clientId}, 0)`);

const problemsOf = (schema: z.ZodType, values: Values): string[] => {
  const { error } = schema.safeParse(values);
  return error ? Object.values(fieldErrors(schema, error)) : [];
};

function checked<T>(schema: z.ZodType<T>, values: Values): T {
  const parsed = schema.safeParse(values);
  if (!parsed.success) throw invalidFields(fieldErrors(schema, parsed.error));
  return parsed.data;
}

/** Unlike a new client, an imported one keeps the day on which its record was created elsewhere. */
const imported = z.object({ ...clientSchema.shape, createdOn: day(CLIENT_LABELS.createdOn) });

const clients: Kind = {
  permission: "clients",
  schema: clientSchema,
  table: "clients",
  columns: columnsFor(clientSchema, clientColumns),
  people: true,
  clientId: CURRENT_CLIENT,
  problems: (values) => problemsOf(imported, values),
  add: (tx, actor, values, ownerId) => {
    const { createdOn, ...input } = checked(imported, values);
    return addClient(queryIn(tx), actor, input, { ownerId, createdOn: createdOn ?? today() });
  },
  remove: removeClientIn,
};

const saysSomething = (entry: object | null | undefined): boolean => Object.values(entry ?? {}).some(Boolean);

/**
 * Refuses details of a service that its code does not ask for here, because a save drops them. Codes get these questions
 * from the seed alone, so a code of the same name that somebody made again has none.
 */
async function assertDetailsAskedFor(query: Query, { serviceEntry }: FormInput): Promise<void> {
  const detailed = (serviceEntry?.serviceProvidedEntries ?? []).filter(
    ({ hotelShelterEntry, videoconferencingEntry }) =>
      saysSomething(hotelShelterEntry) || saysSomething(videoconferencingEntry),
  );
  if (detailed.length === 0) return;
  const codes = await query<Pick<ServiceCode, "id" | "code" | "hotelShelter" | "videoconferencing">>(
    sql`SELECT id, code, hotel_shelter AS "hotelShelter", videoconferencing FROM service_codes
     WHERE id = ANY(${detailed.map(({ serviceCodeId }) => serviceCodeId)}::int[])`,
  );
  for (const { serviceCodeId, minutes, hotelShelterEntry, videoconferencingEntry } of detailed) {
    const code = codes.find(({ id }) => id === serviceCodeId);
    const refuse = (label: string) =>
      invalid("serviceCodeId", `${label} does not apply to ${code?.code} here`);
    if (saysSomething(hotelShelterEntry) && !services.showsHotelShelter(code)) throw refuse("Hotel Shelter");
    if (saysSomething(videoconferencingEntry) && !services.showsVideoconferencing(code, minutes))
      throw refuse("Videoconferencing");
  }
}

/** A form that was reconciled elsewhere is reconciled by the actor here, where whoever did it need not have an account. */
const forms: Kind = {
  permission: "forms",
  schema: formSchema,
  table: "forms",
  columns: [
    ...clientOfForm,
    ...columnsFor(
      formSchema,
      formColumns.filter(({ path }) => path[0] !== "clientId"),
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
    const input = checked(formValues, values);
    const query = queryIn(tx);
    await assertDetailsAskedFor(query, input);
    const id = await addForm(query, actor, input, ownerId);
    if (isReconciled) await mark(query, actor, [{ id, clientId: input.clientId, returnComment: null }], true);
    return id;
  },
  remove: removeFormIn,
};

function list(key: Exclude<ImportKind, "clients" | "forms">): Kind {
  const { schema, permission }: Lookup = lookups[key];
  const store = lookupStores[key];
  return {
    permission,
    schema,
    table: recordFacts(schema).table,
    columns: columnsFor(schema, lookupColumns(key)),
    people: false,
    clientId: sql`NULL::int`,
    problems: (values) => problemsOf(schema, values),
    isThere: (tx, values) => store.holds(tx, checked(schema, values)),
    add: (tx, actor, values) => store.createIn(tx, actor, checked(schema, values)),
    remove: store.removeIn,
  };
}

export const kinds = byKey(importKinds, (key): Kind => {
  if (key === "clients") return clients;
  return key === "forms" ? forms : list(key);
});
