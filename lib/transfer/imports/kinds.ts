import "server-only";
import * as z from "zod/mini";
import { addClient, removeClientIn } from "@/lib/clients/clients";
import { clientColumns } from "@/lib/clients/columns";
import { CURRENT_CLIENT } from "@/lib/clients/duplicates";
import { MERGED_INTO } from "@/lib/clients/merged";
import { clientSchema } from "@/lib/clients/schema";
import { CLIENT_LABELS } from "@/lib/clients/words";
import { can, GROUP_PERMISSIONS } from "@/lib/core/access/permissions";
import { type Hiding, notHidden, withoutActor } from "@/lib/core/access/scope";
import { type Query, queryIn } from "@/lib/core/database/client";
import { invalid, invalidFields } from "@/lib/core/errors";
import { fieldColumns } from "@/lib/core/fields/columns";
import { recordFacts } from "@/lib/core/fields/facts";
import { unfitTexts } from "@/lib/core/fields/masked";
import { fieldErrors, problemsOnWire } from "@/lib/core/fields/problems";
import { day } from "@/lib/core/fields/vocabulary";
import { REQUIRED } from "@/lib/core/fields/words";
import { byKey } from "@/lib/core/objects";
import { empty, identifier, type Sql, sql } from "@/lib/core/sql";
import { today } from "@/lib/core/text/format";
import { formValues } from "@/lib/forms/api-schema";
import { formColumns, formOf, isServiceColumn } from "@/lib/forms/columns";
import { addForm, removeFormIn } from "@/lib/forms/forms";
import { mark, mayCheck } from "@/lib/forms/review/reviews";
import { type FormInput, formSchema } from "@/lib/forms/schema";
import { services } from "@/lib/forms/sections/services";
import {
  GROUP_NAME,
  isAttended,
  pastAttendance,
  recordAttendance,
  removeAttendance,
  visibleGroupIds,
} from "@/lib/groups/past-attendances";
import type { Actor } from "@/lib/identity/session";
import type { ServiceCode } from "@/lib/lookups/api-schema";
import { lookupColumns } from "@/lib/lookups/columns";
import { type Lookup, lookups } from "@/lib/lookups/registry";
import { lookupStores } from "@/lib/lookups/store";
import { type RecordKey, records } from "@/lib/records/registry";
import { recordStores } from "@/lib/records/stores";
import { stayColumns } from "@/lib/shelter/columns";
import { newStaySchema, staySchema } from "@/lib/shelter/schema";
import { addStay, removeStayIn } from "@/lib/shelter/stays";
import {
  clientOfRecord,
  columnsFor,
  EXTERNAL_ID,
  namePartColumns,
  naming,
  RECONCILED,
  type Values,
} from "@/lib/transfer/imports/columns";
import { findClients } from "@/lib/transfer/imports/find-clients";
import type { ImportRecord, Kind } from "@/lib/transfer/imports/kind";
import { findRowNames } from "@/lib/transfer/imports/rows-in-cell";
import { type ImportKind, importKinds } from "@/lib/transfer/imports/words";

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
  permissions: ["clients"],
  schema: clientSchema,
  table: "clients",
  columns: () => [...columnsFor(clientSchema, clientColumns()), ...namePartColumns("name")],
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
  permissions: ["forms"],
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

const stays: Kind = {
  permissions: ["shelter"],
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
    permissions: [permission],
    schema,
    table: plural,
    columns: () => columnsFor(schema, recordStores[key].columns),
    people: false,
    hasEqualRows: true,
    clientId: sql`NULL::int`,
    problems: (values) => problemsOf(schema, values),
    complete: (query, actor, imported) => findRowNames(records[key], query, actor, imported),
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
    permissions: [permission],
    schema,
    table: recordFacts(schema).table,
    columns: () => columnsFor(schema, lookupColumns(key)),
    people: false,
    clientId: sql`NULL::int`,
    problems: (values) => problemsOf(schema, values),
    isThere: (tx, _actor, values) => store.holds(tx, parseValues(schema, values)),
    add: async (tx, actor, values) => (await store.createIn(tx, actor, parseValues(schema, values))).id,
    remove: store.removeIn,
  };
}

/** Adds the id of each record's group, or a problem. */
async function findGroups(query: Query, actor: Actor, imported: readonly ImportRecord[]): Promise<void> {
  const names = [...new Set(imported.flatMap(({ texts }) => texts.get(GROUP_NAME) ?? []))];
  const idsOfName = await visibleGroupIds(query, actor, names);
  for (const { texts, values, problems } of imported) {
    const name = texts.get(GROUP_NAME);
    const [id, second] = idsOfName.get(name ?? "") ?? [];
    if (name === undefined) problems.push(`Group ${REQUIRED}`);
    else if (second !== undefined) problems.push(naming("Group is the name of several groups", name));
    else if (id === undefined)
      problems.push(naming("Group was not found: you see no group with this name", name));
    else values.groupId = id;
  }
}

/** One person at a session. The imported record is the form that the session writes. */
const attendances: Kind = {
  permissions: GROUP_PERMISSIONS,
  schema: pastAttendance,
  table: "forms",
  columns: () => [
    ...columnsFor(pastAttendance, [{ label: "Advocate Email", path: ["user", "email"] }]),
    ...columnsFor(
      pastAttendance,
      fieldColumns(pastAttendance).filter(({ path }) => path[0] === "heldOn"),
    ).filter(({ key }) => key !== EXTERNAL_ID),
    { key: GROUP_NAME, label: "Group", required: true, path: [], names: [GROUP_NAME, "Group", "Group Name"] },
    ...clientOfRecord,
    ...columnsFor(
      pastAttendance,
      fieldColumns(pastAttendance).filter(({ path }) => path[0] === "minutes"),
    ).filter(({ key }) => key !== EXTERNAL_ID),
  ],
  people: false,
  clientId: forms.clientId,
  complete: async (query, actor, imported) => {
    await findClients(query, actor, imported);
    await findGroups(query, actor, imported);
    // Only a blank cell means the minutes of the session.
    for (const { texts, values, problems } of imported) {
      const given = texts.get("minutes");
      if (given !== undefined && values.minutes === 0)
        problems.push(naming("Minutes must be 1 or more", given));
    }
  },
  problems: (values) => problemsOf(pastAttendance, values),
  isThere: async (tx, actor, values) => {
    const parsed = z.safeParse(pastAttendance, values);
    return parsed.success && isAttended(queryIn(tx), actor, Number(values.groupId), parsed.data);
  },
  add: (tx, actor, values, ownerId) =>
    recordAttendance(
      queryIn(tx),
      actor,
      Number(values.groupId),
      parseValues(pastAttendance, values),
      ownerId,
    ),
  remove: removeAttendance,
};

const handwritten = { clients, forms, stays, attendances };
const isHandwritten = (key: ImportKind): key is keyof typeof handwritten => Object.hasOwn(handwritten, key);
const isDeclared = (key: ImportKind): key is RecordKey => Object.hasOwn(records, key);
export const kinds = byKey(importKinds, (key): Kind => {
  if (isHandwritten(key)) return handwritten[key];
  return isDeclared(key) ? declared(key) : list(key);
});
