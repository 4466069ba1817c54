import "server-only";
import { audit, rowsRecorded } from "@/lib/audit/record";
import {
  addRecordIn,
  assertUnchanged,
  createOnce,
  type RemovableKind,
  removeRecordIn,
  updateRecordIn,
} from "@/lib/audit/save";
import { type ClientKey, clientKeySql } from "@/lib/audit/values";
import { lockClient, lockClientWithoutHold } from "@/lib/clients/holds";
import type { SessionUser } from "@/lib/core/access/permissions";
import { seesClients, visibleStaysWhere } from "@/lib/core/access/scope";
import { type CreationKey, creationKey } from "@/lib/core/api/idempotency";
import type { Meta } from "@/lib/core/api/list-query";
import { inTransaction, type Query, queryIn, type Tx } from "@/lib/core/database/client";
import { merge } from "@/lib/core/database/record-merge";
import { existingSql, missingReferences, referencesOf } from "@/lib/core/database/references";
import { recordRows } from "@/lib/core/database/statements";
import { AppError, busy, invalid, invalidFields, notFound } from "@/lib/core/errors";
import { problemsOnWire } from "@/lib/core/fields/problems";
import { empty, type Sql, sql } from "@/lib/core/sql";
import { date, initials, today } from "@/lib/core/text/format";
import { closedThroughSql } from "@/lib/forms/periods/closed-periods";
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
import { NAME_OF_CLIENT, stayReads } from "@/lib/shelter/list";
import { changesClosedDays } from "@/lib/shelter/nights";
import { includeInConstraint, stayDays } from "@/lib/shelter/overlap";
import { type MoveInput, newStaySchema, type StayInput, staySchema } from "@/lib/shelter/schema";

/** Returns a page of the stays that the actor may see for its screen, with the initials of the clients. */
export async function listStaysByInitials(
  actor: SessionUser,
  query: StayListQuery,
): Promise<{ stays: (Stay & { initials: string })[]; meta: Meta }> {
  const { items, meta } = await stayReads.list(actor, query);
  const listed = items.value();
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

/** Returns what the fields of a stay are chosen from. */
export const stayChoices = (actor: SessionUser): Promise<StayChoices> =>
  resourceLists<StayChoices>(actor, ["shelters", "exit_destinations"]);

const selectStay = (actor: SessionUser, id: number): Sql =>
  sql`SELECT st.id, st.client_id, ${stayReads.json(actor)} AS stay, ${NAME_OF_CLIENT} AS "clientName" ${stayReads.fromRow(actor, id)}`;

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

/** The values a save reads before it writes. */
type Found = {
  stored: Stay | null;
  /** The records that the input refers to and that exist. */
  known: string[] | null;
  /** True if the actor sees clients, or a stay of this one. Otherwise, moving in would reveal the name of an id. */
  knowsClient: boolean;
  closedThrough: string | null;
  clientKey: ClientKey | null;
};

/** The values of a stay as stored: no field is missing. */
type StayValues = Required<Omit<StayInput, "lockVersion">> & Pick<StayInput, "lockVersion">;

/** How stays are saved. Two saves of one client take turns. For the actor, a hidden client does not exist. */
const staySaves = (clientId: number): RemovableKind<StayInput, Found, StayValues> => {
  const referencesIn = (input: StayInput) => [...referencesOf(newStaySchema, { ...input, clientId }, "stay")];
  const find = async (query: Query, actor: SessionUser, id: number | null, input: StayInput | null) => {
    const [found] = await query<Found>(
      sql`SELECT (SELECT ${stayReads.json(actor)} ${stayReads.fromRow(actor, id)}) AS stored,
         ${existingSql(actor, newStaySchema, input ? referencesIn(input) : [])} AS known,
         ${seesClients(actor)} OR EXISTS (SELECT FROM stays st WHERE st.client_id = ${clientId} AND ${visibleStaysWhere(actor)}) AS "knowsClient",
         ${closedThroughSql("FOR SHARE")} AS "closedThrough", ${clientKeySql(sql`${clientId}::int`)} AS "clientKey"`,
    );
    if (!found) throw new Error("A SELECT without FROM returns a row");
    return found;
  };
  return {
    entity: "stay",
    schema: staySchema,
    async open(query, actor, id, input) {
      if (id !== null) await lockStay(query, actor, id, clientId);
      return find(query, actor, id, input);
    },
    async openToRemove(query, actor, id) {
      await lockStay(query, actor, id, clientId);
      await lockClientWithoutHold(query, actor, clientId);
      const found = await find(query, actor, id, null);
      assertOpenDays(found, null);
      return found;
    },
    prepare({ stored, known, knowsClient }, sent) {
      const input = { ...sent, enteredOn: sent.enteredOn ?? stored?.enteredOn ?? today() };
      const problems: Record<string, string> = {};
      const values = merge(staySchema, stored, input, "stay", problems);
      Object.assign(problems, missingReferences(referencesIn(input), known));
      if (!stored && !knowsClient) problems["stay.clientId"] = "does not exist";
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
    },
    async before(query, actor, found, next) {
      if (!found.stored) await lockClient(query, actor, clientId);
      await assertNoOverlap(query, { clientId, ...next }, found.stored);
      assertOpenDays(found, next);
    },
    events: (act, { clientKey }) => [{ ...act, entity: "stay", client: clientId, clientKey }],
    async after(query, _actor, _id, { stored }) {
      if (stored) await includeInConstraint(query, clientId);
    },
  };
};

/**
 * Moves a client in; without a day, today. A repeated key returns that stay as it is now, or throws 404 if it was
 * removed. Throws 409 in a closed period; 422 for invalid fields, or a client who is in a shelter on a day.
 */
export function createStay(
  actor: SessionUser,
  sent: NewStayBody,
  idempotencyKey: string | null,
): Promise<Stay> {
  const key = creationKey(actor, idempotencyKey, { stay: sent });
  return stayOnce(actor, key, (query) => addStay(query, actor, sent, actor.userId, key));
}

/** Runs a creation once per key and returns the stay. */
const stayOnce = (actor: SessionUser, key: CreationKey | null, create: (query: Query) => Promise<number>) =>
  createOnce(
    key,
    create,
    (query, id) => stayReads.read(query, actor, id),
    (query, id, { clientId }) =>
      audit(query, actor, { action: "viewed", entity: "stay", entityId: id, clientId }),
  );

/**
 * Adds a stay for an owner in the transaction of `query` and returns its id. Throws 409 in a closed period, and 422 as
 * `createStay` does.
 */
export const addStay = (
  query: Query,
  actor: SessionUser,
  { clientId, ...input }: NewStayBody,
  ownerId: number,
  key: CreationKey | null = null,
): Promise<number> =>
  addRecordIn(staySaves(clientId), query, actor, input, { ownerId, columns: { client_id: clientId }, key });

/**
 * Updates a visible stay; its client and its owner do not change. Throws 404; 409 for a stale version, or if a closed
 * period would change; 422 as `createStay`.
 */
export const updateStay = (actor: SessionUser, id: number, { clientId, ...input }: StayBody): Promise<Stay> =>
  inTransaction(async (query) => {
    const stored = await stayReads.read(query, actor, id);
    if (clientId !== undefined && clientId !== stored.clientId)
      throw invalid("stay.clientId", "Client of a stay cannot be changed");
    await updateRecordIn(staySaves(stored.clientId), query, actor, id, input);
    return stayReads.read(query, actor, id);
  });

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
  return stayOnce(actor, key, async (query) => {
    const { clientId } = await stayReads.read(query, actor, id);
    const stored = await lockStay(query, actor, id, clientId);
    await assertUnchanged(query, staySchema, stored, lockVersion);
    if (stored.leftOn !== null) throw invalid("id", "This stay has ended");
    if (shelterId === stored.shelterId) throw invalid("shelterId", "Shelter must be another one");
    if (on < stored.enteredOn) throw invalid("on", `Moved On must not be before ${date(stored.enteredOn)}`);
    const values = stayValues(stored);
    await updateRecordIn(staySaves(clientId), query, actor, id, { ...values, leftOn: on });
    const next = { ...values, clientId, shelterId, enteredOn: on };
    return addStay(
      query,
      actor,
      { ...next, medicalAdvocacy: false, exitDestinationId: null },
      actor.userId,
      key,
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
  const { clientId } = await stayReads.read(query, actor, id);
  await removeRecordIn(staySaves(clientId), query, actor, id);
}

/** Locks a visible stay of this client and, before it, the client. Throws 404, also for the stay of a purged client. */
async function lockStay(query: Query, actor: SessionUser, id: number, clientId: number): Promise<Stay> {
  await lockClient(query, actor, clientId);
  const [row] = await query<{ stay: Stay }>(sql`${selectStay(actor, id)} FOR UPDATE OF st`);
  if (!row) throw notFound();
  if (row.stay.clientId !== clientId) throw busy("The client was merged at the same time. Please try again.");
  return row.stay;
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
  const days = daysOf(enteredOn, leftOn);
  const own = stored && daysOf(stored.enteredOn, stored.leftOn);
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
function assertOpenDays(
  { stored, closedThrough }: Pick<Found, "stored" | "closedThrough">,
  next: StayValues | null,
): void {
  if (closedThrough !== null && changesClosedDays(closedThrough, stored, next))
    throw new AppError("period_closed", closedMessage(closedThrough));
}
