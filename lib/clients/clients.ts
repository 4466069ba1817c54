import "server-only";
import type { Change } from "@/lib/audit/changes";
import { listedTable, ownerInFile, wholeTable } from "@/lib/audit/list-export";
import { audit, auditRead, listing, rowsOfRecord, rowsRecorded } from "@/lib/audit/record";
import {
  addRecordIn,
  createOnce,
  type RemovableKind,
  removeRecordIn,
  updateRecord,
  updateRecordIn,
} from "@/lib/audit/save";
import { type ClientKey, clientKeySql } from "@/lib/audit/values";
import { type Client, type ClientListItem, clientBody } from "@/lib/clients/api-schema";
import { forgetChecked } from "@/lib/clients/checked-forms";
import { clientColumns, listedClients } from "@/lib/clients/columns";
import { missingCustomOfClient } from "@/lib/clients/custom";
import { lockClientWithoutHold } from "@/lib/clients/holds";
import { type ClientListQuery, clientsList } from "@/lib/clients/list";
import { numberOf, withMaskedNumber } from "@/lib/clients/masked";
import { assertNotMerged } from "@/lib/clients/merged";
import {
  type ClientInput,
  clientSchema,
  demographic,
  missingClientFields,
  OTHER_ETHNICITY,
  unfitClientTexts,
} from "@/lib/clients/schema";
import type { NamedItem, SessionUser } from "@/lib/core/access/permissions";
import {
  countedClientsWhere,
  selectClients,
  selectForms,
  type VisibleClients,
  visibleClientsWhere,
  visibleFormsWhere,
  withoutActor,
} from "@/lib/core/access/scope";
import type { AuditAction } from "@/lib/core/api/audit-acts";
import { assertCustomValues } from "@/lib/core/api/custom-values";
import type { Table } from "@/lib/core/api/files";
import { type CreationKey, creationKey } from "@/lib/core/api/idempotency";
import type { InColumns } from "@/lib/core/api/list-file";
import { idParam, type Meta } from "@/lib/core/api/list-query";
import { person } from "@/lib/core/api/response";
import { inTransaction, type Query, queryIn, rows, type Tx } from "@/lib/core/database/client";
import { holdDefinitionsFor } from "@/lib/core/database/definitions";
import { readPage } from "@/lib/core/database/list";
import { merge } from "@/lib/core/database/record-merge";
import { columnsJson, recordJson } from "@/lib/core/database/record-read";
import { existingSql, missingReferences, referencesOf } from "@/lib/core/database/references";
import { listRows } from "@/lib/core/database/statements";
import { inUse, invalidFields, notFound } from "@/lib/core/errors";
import { problemsOnWire } from "@/lib/core/fields/problems";
import { constant, empty, type Sql, sql } from "@/lib/core/sql";
import { today } from "@/lib/core/text/format";
import type { JsonText } from "@/lib/core/text/json-text";

const clientJson = (user: Sql) =>
  recordJson(clientSchema, "c", {
    clients: { userId: sql`c.user_id`, createdOn: sql`c.created_on`, user },
  });

/** SQL for a whole client as the API returns it (`clientResponse`); the row's alias is `c`. */
const CLIENT_JSON = clientJson(
  sql`(SELECT ${columnsJson(person, "owner")} FROM users owner WHERE owner.id = c.user_id)`,
);
/** The same, as exported files show it (`clientColumns`). */
const CLIENT_IN_FILE = clientJson(ownerInFile(sql`c.user_id`));

/** Returns a page of the clients list, which every holder of Clients may see. */
export async function listClients(
  actor: SessionUser,
  query: ClientListQuery,
): Promise<{ clients: JsonText<ClientListItem[]>; meta: Meta }> {
  const recorder = listing(actor, "client", query.search);
  const { items, meta } = await readPage<ClientListItem>(clientsList(actor, query), query, recorder);
  return { clients: items, meta };
}

/**
 * Writes all clients that match the query's filters to a file, in the query's order, and records the export.
 */
export function exportClients(actor: SessionUser, query: InColumns<ClientListQuery>): Promise<Table> {
  const list = clientsList(actor, query);
  const exporting = { actor, entity: "client", list, query };
  if (query.columns === "all")
    return wholeTable("clients", { ...exporting, list: { ...list, item: CLIENT_IN_FILE } }, clientColumns());
  return listedTable("clients", exporting, listedClients());
}

/** Returns the client named in the URL, or null if `id` is not an id. Throws 404 as `getClient` does. */
export async function readClientFromUrl(actor: SessionUser, id: unknown): Promise<Client | null> {
  const parsed = idParam.safeParse(id);
  return parsed.success ? getClient(actor, parsed.data) : null;
}

/** Throws 404 if the actor may not see the client. */
export async function assertClient(actor: SessionUser, id: number): Promise<void> {
  const [client] = await rows(selectClients(sql`c.id`, visibleClientsWhere(actor), sql`c.id = ${id}`));
  if (!client) throw notFound();
}

/** Records that the actor was shown the client's phone number. Throws 404 if there is no such client. */
export async function revealClient(actor: SessionUser, id: number): Promise<void> {
  const [row] = await rowsRecorded<{ id: number }>(
    actor,
    { action: "revealed", entity: "client", client: "id" },
    selectClients(sql`c.id`, visibleClientsWhere(actor), sql`c.id = ${id}`),
  );
  if (!row) throw notFound();
}

/** True if it is safe to call the client. The caller records the view of the record. */
export const isSafeToCall = async (actor: SessionUser, id: number): Promise<boolean> =>
  (await readClient(rows, actor, id)).clientBiographicalEntry?.safeToCall ?? false;

/** Records that a screen shows the phone number of a client that the actor may see in a field, if there is a number. */
export async function recordNumberInField(actor: SessionUser, client: Client | null): Promise<void> {
  if (!client?.clientBiographicalEntry?.phoneNumber) return;
  const { id } = client;
  await auditRead(actor, { action: "revealed", entity: "client", entityId: id, clientId: id });
}

/** The number of clients offered without a search. */
const CHOICES_MAX = 1_000;

/** Returns the first 1,000 clients by name, and `truncated: true` if there are more. */
export async function clientChoices(
  actor: SessionUser,
): Promise<{ clients: NamedItem[]; meta: { truncated: boolean } }> {
  const clients = await listRows<NamedItem>(
    "clients to choose from",
    sql`SELECT id, name FROM clients c WHERE ${visibleClientsWhere(actor)}
     ORDER BY name_folded, id LIMIT ${constant(CHOICES_MAX + 1)}`,
  );
  const ids = clients.slice(0, CHOICES_MAX).map(({ id }) => id);
  await auditRead(actor, { action: "listed", entity: "client", shown: ids });
  return { clients: clients.slice(0, CHOICES_MAX), meta: { truncated: clients.length > CHOICES_MAX } };
}

/** Returns a client and records the view in the audit trail. Throws 404 if there is none. */
export const getClient = (actor: SessionUser, id: number): Promise<Client> => clientRead(actor, id, "viewed");

/** The same for a comparison on a screen that has these phone numbers: another one is masked. */
export async function getClientToCompare(
  actor: SessionUser,
  id: number,
  phoneNumbers: readonly string[],
): Promise<Client> {
  const client = await getClient(actor, id);
  return phoneNumbers.includes(numberOf(client)) ? client : withMaskedNumber(client);
}

/** The same for a file: the read is recorded as an export. */
export const exportClient = (actor: SessionUser, id: number): Promise<Client> =>
  clientRead(actor, id, "exported");

const clientRead = async (actor: SessionUser, id: number, action: "viewed" | "exported"): Promise<Client> =>
  (await viewClient(actor, visibleClientsWhere(actor), sql`c.id = ${id}`, action)).client;

/** Returns the client of a form the actor may see, as `getClient` does, or the rest of a purged client. */
export const getClientOfForm = (
  actor: SessionUser,
  formId: number,
): Promise<{ client: Client; purged: boolean }> =>
  viewClient(
    actor,
    countedClientsWhere(actor),
    sql`c.id = (${selectForms(sql`f.client_id`, visibleFormsWhere(actor), sql`f.id = ${formId}`)})`,
  );

/** Returns the same for several forms, by the client's id. */
export async function getClientsOfForms(
  actor: SessionUser,
  formIds: readonly number[],
): Promise<Map<number, { client: Client; purged: boolean }>> {
  const clients = await rowsOfRecord<ClientRow>(
    actor,
    { action: "viewed", entity: "client", client: "id" },
    selectClients(
      CLIENT_COLUMNS,
      countedClientsWhere(actor),
      sql`c.id IN (${selectForms(sql`f.client_id`, visibleFormsWhere(actor), sql`f.id = ANY(${formIds}::int[])`)})`,
    ),
  );
  return new Map(clients.map((row) => [row.id, row]));
}

type ClientRow = { id: number; client: Client; purged: boolean };
const CLIENT_COLUMNS = sql`c.id, ${CLIENT_JSON} AS client, c.purged`;

async function viewClient(
  actor: SessionUser,
  visible: VisibleClients,
  where: Sql,
  action: "viewed" | "exported" = "viewed",
) {
  const [row] = await rowsOfRecord<ClientRow>(
    actor,
    { action, entity: "client", client: "id" },
    selectClients(CLIENT_COLUMNS, visible, where),
  );
  if (!row) throw notFound();
  return row;
}

/** The values a save reads before it writes. */
type Found = {
  stored: Client | null;
  otherEthnicityId: number | null;
  /** The records that the input refers to and that exist. */
  known: string[] | null;
  clientKey: ClientKey | null;
};

/** A save of a client that differs from one of a user. */
type ClientSave = {
  /** The day on which the organization requires fields. Null: values are restored, and need not have what is required. */
  requiredOn?: string | null;
  /** A client whose stored texts are accepted too. */
  other?: Client | null;
};

/** How clients are saved. */
const clientSaves = ({
  requiredOn = today(),
  other = null,
}: ClientSave = {}): RemovableKind<ClientInput, Found> => ({
  entity: "client",
  schema: clientSchema,
  async open(query, actor, id, input) {
    await holdDefinitionsFor(query, input.custom);
    if (id !== null) {
      const visible = selectClients(empty, visibleClientsWhere(actor), sql`c.id = ${id}`);
      if ((await query(sql`${visible} FOR UPDATE`)).length === 0) {
        await assertNotMerged(query, actor, id);
        throw notFound();
      }
    }
    return find(query, actor, id, referencesIn(input));
  },
  async openToRemove(query, actor, id) {
    await lockClientWithoutHold(query, actor, id);
    await assertUnused(query, id);
    const found = await find(query, actor, id, []);
    await query(forgetChecked(sql`${id}`));
    return found;
  },
  prepare: ({ stored, known, otherEthnicityId }, input) => {
    assertCustomValues("client", clientSchema, input.custom);
    const problems = missingCustomOfClient(stored, input, requiredOn);
    const values = merge(clientSchema, stored, input, "client", problems);
    if (Object.keys(problems).length === 0)
      Object.assign(problems, missingReferences(referencesIn(input), known));
    const entry = values.clientDemographicEntry;
    const cleared = entry
      ? { ...values, clientDemographicEntry: demographic.clear(entry, otherEthnicityId) }
      : values;
    if (Object.keys(problems).length === 0) {
      const rules = { day: requiredOn, otherEthnicity: otherEthnicityId, stored };
      Object.assign(problems, missingClientFields(cleared, rules));
    }
    if (requiredOn !== null) Object.assign(problems, unfitClientTexts(values, [stored, other]));
    if (Object.keys(problems).length > 0) throw invalidFields(problemsOnWire(clientBody, problems));
    return cleared;
  },
  events: (act, { clientKey }) => [{ ...act, entity: "client", client: "id", clientKey }],
});

const referencesIn = (input: ClientInput) => [...referencesOf(clientSchema, input, "client")];

async function find(
  query: Query,
  actor: SessionUser,
  id: number | null,
  references: ReturnType<typeof referencesIn>,
): Promise<Found> {
  const stored = selectClients(CLIENT_JSON, visibleClientsWhere(actor), sql`c.id = ${id}::int`);
  const [found] = await query<Found>(
    sql`SELECT (${stored}) AS stored, (SELECT id FROM ethnicities WHERE name = ${OTHER_ETHNICITY}) AS "otherEthnicityId",
       ${existingSql(actor, clientSchema, references)} AS known, ${clientKeySql(sql`${id}::int`)} AS "clientKey"`,
  );
  if (!found) throw new Error("A SELECT without FROM returns a row");
  return found;
}

/** Throws 409 with the number of its forms or stays if the client, which the transaction has locked, has any. */
async function assertUnused(query: Query, id: number): Promise<void> {
  const visible = withoutActor("any form, stay, or roster keeps its client");
  const [uses] = await query<{ forms: number; stays: number; groups: number }>(
    sql`SELECT (${selectForms(sql`count(*)::int`, visible, sql`f.client_id = ${id}`)}) AS forms,
       (SELECT count(*)::int FROM stays st WHERE st.client_id = ${id} AND ${visible}) AS stays,
       (SELECT count(*)::int FROM group_clients gc WHERE gc.client_id = ${id} AND ${visible}) AS groups`,
  );
  if (uses?.forms) throw inUse("client", uses.forms, "form");
  if (uses?.stays) throw inUse("client", uses.stays, "stay");
  if (uses?.groups) throw inUse("client", uses.groups, "group");
}

/**
 * Creates a client owned by the actor. A repeated `idempotencyKey` returns that client in its current state. Throws 404
 * if it was removed.
 */
export function createClient(
  actor: SessionUser,
  input: ClientInput,
  idempotencyKey: string | null,
): Promise<Client> {
  const key = creationKey(actor, idempotencyKey, { client: input });
  return createOnce(
    key,
    (query) => addClient(query, actor, input, { ownerId: actor.userId, createdOn: today(), key }),
    (query, id) => readClient(query, actor, id),
    (query, id) => audit(query, actor, { action: "viewed", entity: "client", entityId: id, clientId: id }),
  );
}

/**
 * Adds a client for an owner in the transaction of `query` and returns its id. Throws 422 with the invalid fields.
 */
export const addClient = (
  query: Query,
  actor: SessionUser,
  input: ClientInput,
  { ownerId, createdOn, key }: { ownerId: number; createdOn: string; key?: CreationKey | null },
): Promise<number> => {
  const owned = { ownerId, columns: { created_on: createdOn }, key };
  return addRecordIn(clientSaves({ requiredOn: createdOn }), query, actor, input, owned);
};

/**
 * Updates a client; the owner does not change. Throws 404 if there is none, and 422 with the invalid fields. Throws 409
 * if `lockVersion` is old or the client was merged into another one.
 */
export const updateClient = (actor: SessionUser, id: number, input: ClientInput): Promise<Client> =>
  updateRecord(clientSaves(), actor, id, input, readClient);

/**
 * Updates a client in the transaction of `query`. Records `action` with the `more` changes. Returns the client before and
 * after; throws as `updateClient` does. Accepts the stored texts of the `other` client too.
 */
export async function overwriteClient(
  query: Query,
  actor: SessionUser,
  id: number,
  input: ClientInput,
  action: AuditAction,
  more: readonly Change[],
  other: Client | null = null,
): Promise<{ before: Client; after: Client }> {
  const kind = {
    ...clientSaves({ ...(action === "unmerged" && { requiredOn: null }), other }),
    besides: () => ({ action, changes: more }),
  };
  const before = await updateRecordIn(kind, query, actor, id, input);
  return { before, after: await readClient(query, actor, id) };
}

/**
 * Removes a client without forms and stays. Throws 409 with their number if it has any, and while it is on legal hold.
 */
export const removeClient = (actor: SessionUser, id: number): Promise<void> =>
  inTransaction((query) => removeRecordIn(clientSaves(), query, actor, id));

/** Does the same in the caller's transaction. */
export const removeClientIn = (tx: Tx, actor: SessionUser, id: number): Promise<void> =>
  removeRecordIn(clientSaves(), queryIn(tx), actor, id);

/**
 * Creates a removed client again, with the columns `more` (including `id`), in the transaction of `query`. Throws 422
 * as `createClient` does. The caller records it.
 */
export async function recreateClient(
  query: Query,
  actor: SessionUser,
  input: ClientInput,
  columns: Readonly<Record<string, unknown>>,
): Promise<void> {
  const kind = { ...clientSaves({ requiredOn: null }), events: () => [] };
  await addRecordIn(kind, query, actor, input, { columns });
}

/** Returns the client without recording a view. Throws 404 if there is none. */
export async function readClient(query: Query, actor: SessionUser, id: number): Promise<Client> {
  const [row] = await query<{ client: Client }>(
    selectClients(sql`${CLIENT_JSON} AS client`, visibleClientsWhere(actor), sql`c.id = ${id}`),
  );
  if (!row) throw notFound();
  return row.client;
}
