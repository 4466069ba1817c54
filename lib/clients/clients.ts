import "server-only";
import { type Change, changesOf } from "@/lib/audit/changes";
import { listedTable, ownerInFile, wholeTable } from "@/lib/audit/list-export";
import { audit, auditPart, auditRead, listing, rowsOfRecord, rowsRecorded } from "@/lib/audit/record";
import { type ClientKey, clientKeySql, readClientKey } from "@/lib/audit/values";
import { type Client, type ClientListItem, clientBody } from "@/lib/clients/api-schema";
import { forgetChecked } from "@/lib/clients/checked-forms";
import { clientColumns, listedClients } from "@/lib/clients/columns";
import { lockClientWithoutHold } from "@/lib/clients/holds";
import { type ClientListQuery, clientsList } from "@/lib/clients/list";
import { numberOf, withMaskedNumber } from "@/lib/clients/masked";
import { assertNotMerged } from "@/lib/clients/merged";
import { missingOwnOfClient } from "@/lib/clients/own";
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
  allRows,
  countedClientsWhere,
  selectClients,
  selectForms,
  type VisibleClients,
  visibleClientsWhere,
  visibleFormsWhere,
} from "@/lib/core/access/scope";
import type { AuditAction } from "@/lib/core/api/audit-acts";
import { busy, inUse, invalidFields, notFound } from "@/lib/core/api/errors";
import type { Table } from "@/lib/core/api/files";
import { type CreationKey, creationKey, type Keyed, once } from "@/lib/core/api/idempotency";
import type { JsonText } from "@/lib/core/api/json-text";
import type { InColumns } from "@/lib/core/api/list-file";
import { idParam, type Meta } from "@/lib/core/api/list-query";
import { assertOwnValues } from "@/lib/core/api/own-values";
import { person } from "@/lib/core/api/response";
import { db, type Query, queryIn, rows, type Tx } from "@/lib/core/database/client";
import { DEFINITIONS_VERSION, ensureDefinitions, sameDefinitionsPart } from "@/lib/core/database/definitions";
import { readPage } from "@/lib/core/database/list";
import { merge } from "@/lib/core/database/record-merge";
import { columnsJson, recordJson } from "@/lib/core/database/record-read";
import { insertRecord, Statement, updateRecord } from "@/lib/core/database/record-write";
import { existingSql, missingReferences, referencesOf } from "@/lib/core/database/references";
import { constant, type Sql, sql } from "@/lib/core/database/sql";
import { listRows } from "@/lib/core/database/statements";
import { assertVersion, type StoredVersion, saveVersion } from "@/lib/core/database/versions";
import { today } from "@/lib/core/fields/format";
import { problemsOnWire } from "@/lib/core/fields/problems";

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

/**
 * Creates a client owned by the actor. A repeated `idempotencyKey` returns that client in its current state. Throws 404
 * if it was removed.
 */
export async function createClient(
  actor: SessionUser,
  input: ClientInput,
  idempotencyKey: string | null,
): Promise<Client> {
  const key = creationKey(actor, idempotencyKey, { client: input });
  const { id, repeated } = await once(
    key,
    () => readForCreate(rows, actor, input, key),
    (context) => writeNew(rows, actor, input, context, { ownerId: actor.userId, createdOn: today(), key }),
  );
  const client = await readClient(rows, actor, id);
  // A repeated call creates nothing and returns the client in its current state.
  if (repeated) await audit(rows, actor, { action: "viewed", entity: "client", entityId: id, clientId: id });
  return client;
}

/**
 * Adds a client for an owner in the transaction of `query` and returns its id. Throws 422 with the invalid fields.
 */
export async function addClient(
  query: Query,
  actor: SessionUser,
  input: ClientInput,
  owner: { ownerId: number; createdOn: string },
): Promise<number> {
  const id = await writeNew(query, actor, input, await readForCreate(query, actor, input), owner);
  if (id === null) throw busy("Someone changed a field at the same time. Please try again.");
  return id;
}

/** Returns null and writes nothing if the input has custom values and a definition has changed since `context` was read. */
async function writeNew(
  query: Query,
  actor: SessionUser,
  input: ClientInput,
  context: SaveContext,
  { ownerId, createdOn, key }: { ownerId: number; createdOn: string; key?: CreationKey | null },
): Promise<number | null> {
  const values = prepare(null, input, context, createdOn);
  const statement = new Statement();
  const columns = { created_on: createdOn, user_id: ownerId, updated_by_id: actor.userId };
  const same = sameDefinitionsPart(statement, input.custom);
  const row = insertRecord(statement, clientSchema, values, columns, same);
  const changes = changesOf(clientSchema, null, values, "client");
  const act = { action: "created", entity: "client", client: "id", changes, clientKey: null } as const;
  auditPart(statement, actor, act, row);
  key?.keep(statement, row);
  const [created] = await query<{ id: number }>(statement.sql(sql`SELECT id FROM ${row}`));
  return created?.id ?? null;
}

/**
 * Updates a client; the owner does not change. Throws 404 if there is none, and 422 with the invalid fields. Throws 409
 * if `lockVersion` is old or the client was merged into another one.
 */
export async function updateClient(actor: SessionUser, id: number, input: ClientInput): Promise<Client> {
  return saveVersion(
    `client ${id}`,
    input.lockVersion,
    async () => {
      const current = await readForUpdate(rows, actor, id, input);
      if (!current) await assertNotMerged(rows, actor, id);
      return current;
    },
    (current) => write(rows, actor, current, input, "updated"),
  );
}

/**
 * Updates a client in the transaction of `query`, which has locked its row. Records `action` with the `more` changes.
 * Returns the client before and after; throws as `updateClient` does. Accepts the stored texts of the `other` client too.
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
  const current = await readForUpdate(query, actor, id, input);
  if (!current) throw notFound();
  assertVersion(current, input.lockVersion);
  const after = await write(query, actor, current, input, action, more, other);
  if (!after) throw notFound();
  return { before: current.stored, after };
}

/**
 * Saves over the client that was read. Returns null and writes nothing if the row has changed since, or if the input has
 * custom values and a definition has changed.
 */
async function write(
  query: Query,
  actor: SessionUser,
  { stored, clientKey, ...context }: ForUpdate,
  input: ClientInput,
  action: AuditAction,
  more: readonly Change[] = [],
  other: Client | null = null,
): Promise<Client | null> {
  const statement = new Statement();
  // Values that are restored need not have what is required of new ones.
  const values = prepare(stored, input, context, action === "unmerged" ? null : today(), other);
  const same = sameDefinitionsPart(statement, input.custom);
  const row = updateRecord(statement, clientSchema, values, stored, actor.userId, {}, same);
  const changes = [...more, ...changesOf(clientSchema, stored, values, "client")];
  if (changes.length === 0 && action === "updated") {
    await auditRead(actor, { action: "viewed", entity: "client", entityId: stored.id, clientId: stored.id });
    return readClient(query, actor, stored.id);
  }
  auditPart(statement, actor, { action, entity: "client", client: "id", changes, clientKey }, row);
  const saved = await query(statement.sql(sql`SELECT id FROM ${row}`));
  return saved.length > 0 ? readClient(query, actor, stored.id) : null;
}

/**
 * Removes a client without forms and stays. Throws 409 with their number if it has any, and while it is on legal hold.
 */
export const removeClient = (actor: SessionUser, id: number): Promise<void> =>
  db().$transaction((tx) => removeClientIn(tx, actor, id));

/** Does the same in the caller's transaction. */
export async function removeClientIn(tx: Tx, actor: SessionUser, id: number): Promise<void> {
  const query = queryIn(tx);
  await lockClientWithoutHold(query, actor, id);
  const forms = await tx.form.count({ where: { clientId: id, ...allRows("any form keeps its client") } });
  if (forms > 0) throw inUse("client", forms, "form");
  const stays = await tx.stay.count({ where: { clientId: id, ...allRows("any stay keeps its client") } });
  if (stays > 0) throw inUse("client", stays, "stay");
  const removed = await readClient(query, actor, id);
  await query(forgetChecked(sql`${id}`));
  await tx.client.delete({ where: { id, ...allRows("it was read for the actor") } });
  const changes = changesOf(clientSchema, removed, null, "client");
  const about = { entityId: id, clientId: id, changes, clientKey: await readClientKey(query, id) };
  await audit(query, actor, { action: "removed", entity: "client", ...about });
}

/**
 * Creates a removed client again, with the columns `more` (including `id`), in the transaction of `query`. Throws 422
 * as `createClient` does.
 */
export async function recreateClient(
  query: Query,
  actor: SessionUser,
  input: ClientInput,
  more: Readonly<Record<string, unknown>>,
): Promise<void> {
  // A client that is restored need not have what is required of new ones.
  const values = prepare(null, input, await readForCreate(query, actor, input), null);
  const statement = new Statement();
  const row = insertRecord(statement, clientSchema, values, { ...more, updated_by_id: actor.userId });
  await query(statement.sql(sql`SELECT id FROM ${row}`));
}

/** Returns the client without recording a view. Throws 404 if there is none. */
export async function readClient(query: Query, actor: SessionUser, id: number): Promise<Client> {
  const [row] = await query<{ client: Client }>(
    selectClients(sql`${CLIENT_JSON} AS client`, visibleClientsWhere(actor), sql`c.id = ${id}`),
  );
  if (!row) throw notFound();
  return row.client;
}

/** The values a save reads before it writes. */
type SaveContext = {
  otherEthnicityId: number | null;
  /** The records that the input refers to and that exist. */
  known: string[] | null;
  definitionsVersion: number;
};

const referencesIn = (input: ClientInput) => [...referencesOf(clientSchema, input, "client")];

const contextSql = (actor: SessionUser, input: ClientInput) =>
  sql`(SELECT id FROM ethnicities WHERE name = ${OTHER_ETHNICITY}) AS "otherEthnicityId",
   ${existingSql(actor, clientSchema, referencesIn(input))} AS known, ${DEFINITIONS_VERSION}`;

async function readForCreate(
  query: Query,
  actor: SessionUser,
  input: ClientInput,
  key: CreationKey | null = null,
): Promise<SaveContext & Keyed> {
  const [context] = await query<SaveContext & Keyed>(
    sql`SELECT ${contextSql(actor, input)}, ${key?.first ?? sql`NULL`} AS first`,
  );
  if (!context) throw new Error("A SELECT without FROM returns a row");
  await ensureDefinitions(context.definitionsVersion);
  return context;
}

type ForUpdate = SaveContext & StoredVersion & { stored: Client; clientKey: ClientKey | null };

async function readForUpdate(
  query: Query,
  actor: SessionUser,
  id: number,
  input: ClientInput,
): Promise<ForUpdate | null> {
  const [row] = await query<ForUpdate>(
    sql`SELECT ${CLIENT_JSON} AS stored, c.lock_version AS "lockVersion", u.first_name || ' ' || u.last_name AS "changedBy",
       ${clientKeySql(sql`c.id`)} AS "clientKey", ${contextSql(actor, input)}
     FROM clients c LEFT JOIN users u ON u.id = c.updated_by_id
     WHERE c.id = ${id} AND ${visibleClientsWhere(actor)}`,
  );
  if (row) await ensureDefinitions(row.definitionsVersion);
  return row ?? null;
}

/**
 * Returns the values to store: the stored client overwritten by the input, with the clearing rules applied. Fields that
 * the organization requires on `day` must have a value. Without a day, values are restored.
 */
function prepare(
  stored: Client | null,
  input: ClientInput,
  context: SaveContext,
  day: string | null,
  other: Client | null = null,
): ClientInput {
  assertOwnValues("client", clientSchema, input.custom);
  const problems = missingOwnOfClient(stored, input, day);
  const values = merge(clientSchema, stored, input, "client", problems);
  if (Object.keys(problems).length === 0)
    Object.assign(problems, missingReferences(referencesIn(input), context.known));
  const otherEthnicity = context.otherEthnicityId;
  const entry = values.clientDemographicEntry;
  const cleared = entry
    ? { ...values, clientDemographicEntry: demographic.clear(entry, otherEthnicity) }
    : values;
  if (Object.keys(problems).length === 0)
    Object.assign(problems, missingClientFields(cleared, { day, otherEthnicity, stored }));
  if (day !== null) Object.assign(problems, unfitClientTexts(values, [stored, other]));
  if (Object.keys(problems).length > 0) throw invalidFields(problemsOnWire(clientBody, problems));
  return cleared;
}
