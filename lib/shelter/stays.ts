import "server-only";
import { changesOf } from "@/lib/audit/changes";
import { listedTable, wholeTable } from "@/lib/audit/list-export";
import { audit, auditPart, listing, rowsRecorded } from "@/lib/audit/record";
import { readClientKey } from "@/lib/audit/values";
import { lockClient, lockClientWithoutHold } from "@/lib/clients/holds";
import { includeInConstraint, stayDays } from "@/lib/clients/merges/stays";
import type { SessionUser } from "@/lib/core/access/permissions";
import { seesClients, visibleStaysWhere } from "@/lib/core/access/scope";
import { AppError, busy, invalid, invalidFields, notFound } from "@/lib/core/api/errors";
import type { Table } from "@/lib/core/api/files";
import { type CreationKey, creationKey, once, readFirst } from "@/lib/core/api/idempotency";
import type { JsonText } from "@/lib/core/api/json-text";
import type { InColumns } from "@/lib/core/api/list-file";
import type { Meta } from "@/lib/core/api/list-query";
import { inTransaction, type Query, queryIn, rows, type Tx } from "@/lib/core/database/client";
import { readPage } from "@/lib/core/database/list";
import { merge } from "@/lib/core/database/record-merge";
import { insertRecord, Statement, updateRecord } from "@/lib/core/database/record-write";
import { existingSql, missingReferences, referencesOf } from "@/lib/core/database/references";
import { empty, type Sql, sql } from "@/lib/core/database/sql";
import { recordRows } from "@/lib/core/database/statements";
import { assertVersion } from "@/lib/core/database/versions";
import { date, initials, today } from "@/lib/core/fields/format";
import { problemsOnWire } from "@/lib/core/fields/problems";
import { closedThrough } from "@/lib/forms/periods/closed-periods";
import { closedMessage } from "@/lib/forms/words";
import { resourceLists } from "@/lib/lookups/resources/lists";
import {
  type NewStayBody,
  newStayBody,
  type Stay,
  type StayBody,
  type StayChoices,
  type StayListQuery,
} from "@/lib/shelter/api-schema";
import { listedStays, stayColumns } from "@/lib/shelter/columns";
import { NAME_OF_CLIENT, STAY_JSON, stayInFile, staysList } from "@/lib/shelter/list";
import { changesClosedDays } from "@/lib/shelter/nights";
import {
  type MoveInput,
  type NewStay,
  newStaySchema,
  type StayInput,
  staySchema,
} from "@/lib/shelter/schema";

/** Returns a page of the stays the actor may see. */
export async function listStays(
  actor: SessionUser,
  query: StayListQuery,
): Promise<{ stays: JsonText<Stay[]>; meta: Meta }> {
  const recorder = listing(actor, "stay", query.search);
  const { items, meta } = await readPage<Stay>(staysList(actor, query), query, recorder);
  return { stays: items, meta };
}

/** Returns the same page for its screen, with the initials of the clients. */
export async function listStaysByInitials(
  actor: SessionUser,
  query: StayListQuery,
): Promise<{ stays: (Stay & { initials: string })[]; meta: Meta }> {
  const { stays, meta } = await listStays(actor, query);
  const listed = stays.value();
  const names = await recordRows<{ id: number; name: string }>(
    "names of listed stays",
    sql`SELECT st.id, ${NAME_OF_CLIENT} AS name FROM stays st
     WHERE st.id = ANY(${listed.map(({ id }) => id)}::int[]) AND ${visibleStaysWhere(actor)}`,
  );
  const nameById = new Map(names.map(({ id, name }) => [id, name]));
  return {
    stays: listed.map((stay) => ({ ...stay, initials: initials(nameById.get(stay.id) ?? "") })),
    meta,
  };
}

/** Writes all stays that match the query's filters to a file, in the query's order, and records the export. */
export function exportStays(actor: SessionUser, query: InColumns<StayListQuery>): Promise<Table> {
  const list = staysList(actor, query);
  const exporting = { actor, entity: "stay", list, query };
  if (query.columns === "listed") return listedTable("stays", exporting, listedStays);
  return wholeTable("stays", { ...exporting, list: { ...list, item: stayInFile(actor) } }, stayColumns);
}

/** Returns what the fields of a stay are chosen from. */
export const stayChoices = (actor: SessionUser): Promise<StayChoices> =>
  resourceLists<StayChoices>(actor, ["shelters", "exit_destinations"]);

const selectStay = (actor: SessionUser, id: number): Sql =>
  sql`SELECT st.id, st.client_id, ${STAY_JSON} AS stay, ${NAME_OF_CLIENT} AS "clientName" FROM stays st WHERE st.id = ${id} AND ${visibleStaysWhere(actor)}`;

/** Returns a stay the actor may see and records the view. Throws 404 otherwise. */
export const getStay = async (actor: SessionUser, id: number): Promise<Stay> =>
  (await openStay(actor, id)).stay;

/** Returns a stay the actor may see with its client's name, and records the view. Throws 404 otherwise. */
export async function openStay(actor: SessionUser, id: number): Promise<{ stay: Stay; clientName: string }> {
  const [row] = await rowsRecorded<{ id: number; stay: Stay; clientName: string }>(
    actor,
    { action: "viewed", entity: "stay", client: "client_id" },
    selectStay(actor, id),
  );
  if (!row) throw notFound();
  return row;
}

async function readStay(query: Query, actor: SessionUser, id: number): Promise<Stay> {
  const [row] = await query<{ stay: Stay }>(selectStay(actor, id));
  if (!row) throw notFound();
  return row.stay;
}

/**
 * Moves a client in; without a day, today. A repeated key returns that stay as it is now, or throws 404 if it was
 * removed. Throws 409 in a closed period; 422 for invalid fields, or a client who is in a shelter on a day.
 */
export const createStay = (
  actor: SessionUser,
  sent: NewStayBody,
  idempotencyKey: string | null,
): Promise<Stay> => {
  const key = creationKey(actor, idempotencyKey, { stay: sent });
  const input = { ...sent, enteredOn: sent.enteredOn ?? today() };
  return createOnce(actor, key, (query) => writeNew(query, actor, input, { ownerId: actor.userId, key }));
};

/**
 * Runs a creation once per key and returns the stay. `write` returns null and writes nothing if a request with the same
 * key was faster.
 */
async function createOnce(
  actor: SessionUser,
  key: CreationKey | null,
  write: (query: Query) => Promise<number | null>,
): Promise<Stay> {
  const { id, repeated } = await once(
    key,
    () => readFirst(rows, key),
    () => inTransaction(write),
  );
  const stay = await readStay(rows, actor, id);
  if (repeated) {
    const { clientId } = stay;
    await audit(rows, actor, { action: "viewed", entity: "stay", entityId: id, clientId });
  }
  return stay;
}

/**
 * Adds a stay for an owner in the transaction of `query` and returns its id. Throws 409 in a closed period, and 422 as
 * `createStay` does.
 */
export async function addStay(
  query: Query,
  actor: SessionUser,
  input: NewStay,
  ownerId: number,
): Promise<number> {
  const id = await writeNew(query, actor, input, { ownerId });
  if (id === null) throw busy("The same request is still in progress.");
  return id;
}

/** Returns null and writes nothing if a request with the same key wrote the stay while this one waited. */
async function writeNew(
  query: Query,
  actor: SessionUser,
  { clientId, ...input }: NewStay,
  { ownerId, key = null }: { ownerId: number; key?: CreationKey | null },
): Promise<number | null> {
  const values = await prepare(query, actor, null, input, clientId);
  // Two move-ins of one client take turns.
  await lockClient(query, actor, clientId);
  if ((await readFirst(query, key)).first) return null;
  await assertNoOverlap(query, { clientId, ...values }, null);
  await assertOpenDays(query, null, values);
  const statement = new Statement();
  const columns = { client_id: clientId, user_id: ownerId, updated_by_id: actor.userId };
  const row = insertRecord(statement, staySchema, values, columns);
  const changes = changesOf(staySchema, null, values, "stay");
  const clientKey = await readClientKey(query, clientId);
  const act = { action: "created", entity: "stay", client: clientId, changes, clientKey } as const;
  auditPart(statement, actor, act, row);
  key?.keep(statement, row);
  const [created] = await query<{ id: number }>(statement.sql(sql`SELECT id FROM ${row}`));
  return created?.id ?? null;
}

/** True if the actor sees clients, or a stay of this one. Otherwise, moving in would reveal the name of an id. */
async function knowsClient(query: Query, actor: SessionUser, clientId: number): Promise<boolean> {
  if (seesClients(actor)) return true;
  const stays = await query(
    sql`SELECT FROM stays st WHERE st.client_id = ${clientId} AND ${visibleStaysWhere(actor)} LIMIT 1`,
  );
  return stays.length > 0;
}

/**
 * Updates a visible stay; its client and its owner do not change. Throws 404; 409 for a stale version, or if a closed
 * period would change; 422 as `createStay`.
 */
export function updateStay(actor: SessionUser, id: number, { clientId, ...sent }: StayBody): Promise<Stay> {
  return inTransaction(async (query) => {
    const stored = await lockStay(query, actor, id, sent.lockVersion);
    if (clientId !== undefined && clientId !== stored.clientId)
      throw invalid("stay.clientId", "Client of a stay cannot be changed");
    await write(query, actor, stored, { ...sent, enteredOn: sent.enteredOn ?? stored.enteredOn });
    return readStay(query, actor, id);
  });
}

/** Saves over the locked stay. */
async function write(query: Query, actor: SessionUser, stored: Stay, input: StayInput): Promise<void> {
  const { clientId } = stored;
  const values = await prepare(query, actor, stored, input, clientId);
  await assertNoOverlap(query, { clientId, ...values }, stored);
  await assertOpenDays(query, stored, values);
  const changes = changesOf(staySchema, stored, values, "stay");
  if (changes.length === 0) {
    await audit(query, actor, { action: "viewed", entity: "stay", entityId: stored.id, clientId });
    return;
  }
  const statement = new Statement();
  const row = updateRecord(statement, staySchema, values, stored, actor.userId);
  const clientKey = await readClientKey(query, clientId);
  auditPart(
    statement,
    actor,
    { action: "updated", entity: "stay", client: clientId, changes, clientKey },
    row,
  );
  await query(statement.sql(sql`SELECT id FROM ${row}`));
  await includeInConstraint(query, clientId);
}

/**
 * Moves the client of an open stay to another shelter: the next stay begins that day, with the same people. Returns the
 * new stay. Throws as `updateStay` does, and 422 if the stay has ended.
 */
export function moveStay(
  actor: SessionUser,
  id: number,
  { shelterId, on: sentOn, lockVersion }: MoveInput,
  idempotencyKey: string | null,
): Promise<Stay> {
  // Without a day, a request that is repeated after midnight is still the same one.
  const key = creationKey(actor, idempotencyKey, { stay: { id, shelterId, on: sentOn } });
  const on = sentOn ?? today();
  return createOnce(actor, key, async (query) => {
    const stored = await lockStay(query, actor, id);
    if ((await readFirst(query, key)).first) return null;
    await assertUnchanged(query, actor, stored, lockVersion);
    if (stored.leftOn !== null) throw invalid("id", "This stay has ended");
    if (shelterId === stored.shelterId) throw invalid("shelterId", "Shelter must be another one");
    if (on < stored.enteredOn) throw invalid("on", `Moved On must not be before ${date(stored.enteredOn)}`);
    await write(query, actor, stored, { ...stayValues(stored), leftOn: on });
    const next = { ...stayValues(stored), clientId: stored.clientId, shelterId, enteredOn: on };
    return writeNew(
      query,
      actor,
      { ...next, medicalAdvocacy: false, exitDestinationId: null },
      { ownerId: actor.userId, key },
    ).catch((error: unknown) => {
      throw error instanceof AppError && error.extra.fields?.["stay.shelterId"]
        ? invalid("shelterId", "Shelter does not exist")
        : error;
    });
  });
}

const stayValues = (stay: Stay): StayInput => {
  const { lockVersion: _, ...values } = staySchema.parse(stay);
  return values;
};

/** Removes a visible stay. Throws 404, and 409 if its client is on legal hold or it counts in a closed period. */
export const removeStay = (actor: SessionUser, id: number): Promise<void> =>
  inTransaction((query) => remove(query, actor, id));

/** Does the same in the caller's transaction. */
export const removeStayIn = (tx: Tx, actor: SessionUser, id: number): Promise<void> =>
  remove(queryIn(tx), actor, id);

async function remove(query: Query, actor: SessionUser, id: number): Promise<void> {
  const stay = await lockStay(query, actor, id);
  const { clientId } = stay;
  await lockClientWithoutHold(query, actor, clientId);
  await assertOpenDays(query, stay, null);
  await query(sql`DELETE FROM stays st WHERE st.id = ${id} AND ${visibleStaysWhere(actor)}`);
  await includeInConstraint(query, clientId);
  const changes = changesOf(staySchema, stay, null, "stay");
  const about = { entityId: id, clientId, changes, clientKey: await readClientKey(query, clientId) };
  await audit(query, actor, { action: "removed", entity: "stay", ...about });
}

/**
 * Locks a visible stay and, before it, its client. Throws 404, also for the stay of a purged client, and 409 if
 * `version` is old.
 */
async function lockStay(
  query: Query,
  actor: SessionUser,
  id: number,
  version?: number | undefined,
): Promise<Stay> {
  const { clientId } = await readStay(query, actor, id);
  await lockClient(query, actor, clientId);
  const [row] = await query<{ stay: Stay }>(sql`${selectStay(actor, id)} FOR UPDATE OF st`);
  if (!row) throw notFound();
  if (row.stay.clientId !== clientId) throw busy("The client was merged at the same time. Please try again.");
  await assertUnchanged(query, actor, row.stay, version);
  return row.stay;
}

/** Throws 409 with the name of the user who saved since, if `version` is old. */
async function assertUnchanged(
  query: Query,
  actor: SessionUser,
  { id, lockVersion }: Stay,
  version: number | undefined,
): Promise<void> {
  if (version === undefined || version === lockVersion) return;
  const [saved] = await query<{ changedBy: string | null }>(
    sql`SELECT u.first_name || ' ' || u.last_name AS "changedBy" FROM stays st JOIN users u ON u.id = st.updated_by_id
     WHERE st.id = ${id} AND ${visibleStaysWhere(actor)}`,
  );
  assertVersion({ lockVersion, changedBy: saved?.changedBy ?? null }, version);
}

/** The values of a stay as stored: no field is missing. */
type StayValues = Required<Omit<StayInput, "lockVersion">> & Pick<StayInput, "lockVersion">;

/**
 * Returns the values to store: the stored stay overwritten by the input. Throws 422 with every invalid field. For
 * the actor, a hidden client does not exist.
 */
async function prepare(
  query: Query,
  actor: SessionUser,
  stored: Stay | null,
  input: StayInput,
  clientId: number,
): Promise<StayValues> {
  const problems: Record<string, string> = {};
  const references = [...referencesOf(newStaySchema, { ...input, clientId }, "stay")];
  const [context] = await query<{ known: string[] | null }>(
    sql`SELECT ${existingSql(actor, newStaySchema, references)} AS known`,
  );
  const values = merge(staySchema, stored, input, "stay", problems);
  Object.assign(problems, missingReferences(references, context?.known ?? null));
  if (!stored && !(await knowsClient(query, actor, clientId))) problems["stay.clientId"] = "does not exist";
  const { leftOn = null } = values;
  if (leftOn !== null && leftOn < values.enteredOn)
    problems["stay.leftOn"] = `must not be before ${date(values.enteredOn)}`;
  if (leftOn === null && input.exitDestinationId)
    problems["stay.exitDestinationId"] = "can only be given for a stay that has ended";
  if (Object.keys(problems).length > 0) throw invalidFields(problemsOnWire(newStayBody, problems));
  return {
    ...values,
    leftOn,
    adults: values.adults ?? 0,
    childrenThirteenToSeventeen: values.childrenThirteenToSeventeen ?? 0,
    childrenUnderThirteen: values.childrenUnderThirteen ?? 0,
    exitDestinationId: leftOn === null ? null : (values.exitDestinationId ?? null),
    medicalAdvocacy: values.medicalAdvocacy ?? false,
  };
}

/**
 * Throws 422 if the client has another stay on one of the days, the last day excluded. An overlap that a merge left
 * behind refuses no change that makes it no longer.
 */
async function assertNoOverlap(
  query: Query,
  { clientId, enteredOn, leftOn }: StayValues & { clientId: number },
  stored: Stay | null,
): Promise<void> {
  const daysOf = (from: string, to: string | null) => sql`daterange(${from}::date, ${to}::date)`;
  const [days, own] = [daysOf(enteredOn, leftOn), stored && daysOf(stored.enteredOn, stored.leftOn)];
  const others = own
    ? sql`AND st.id <> ${stored?.id} AND NOT (${own} && ${stayDays("st")} AND ${own} @> ${days})`
    : empty;
  const [other] = await query<{ shelter: string; enteredOn: string; leftOn: string | null }>(
    // biome-ignore lint/plugin: the client is locked for the actor
    sql`SELECT s.name AS shelter, st.entered_on::text AS "enteredOn", st.left_on::text AS "leftOn"
     FROM stays st JOIN shelters s ON s.id = st.shelter_id
     WHERE st.client_id = ${clientId} AND ${days} && ${stayDays("st")} ${others} ORDER BY st.entered_on LIMIT 1`,
  );
  if (!other) return;
  const place = other.leftOn
    ? `was in ${other.shelter} from ${date(other.enteredOn)} to ${date(other.leftOn)}`
    : `has been in ${other.shelter} since ${date(other.enteredOn)}`;
  throw invalid("stay.enteredOn", `The client ${place}`);
}

/** Throws 409 if a change of a stay changes nights or counts of a closed period. */
async function assertOpenDays(query: Query, before: Stay | null, after: StayValues | null): Promise<void> {
  const through = await closedThrough(query, "FOR SHARE");
  if (through !== null && changesClosedDays(through, before, after))
    throw new AppError("period_closed", closedMessage(through, "Nights in shelter"));
}
