import "server-only";
import * as z from "zod/mini";
import type { HistoryKind } from "@/lib/audit/history";
import { listedTable } from "@/lib/audit/list-export";
import { addScoped, audit, listing, rowsRecorded } from "@/lib/audit/record";
import {
  addRecordIn,
  createOnce,
  type RemovableKind,
  removeRecordIn,
  updateRecordIn,
} from "@/lib/audit/save";
import { lockClientRows } from "@/lib/clients/holds";
import { can, type SessionUser } from "@/lib/core/access/permissions";
import {
  notHidden,
  selectClients,
  visibleClientsWhere,
  visibleFormsWhere,
  visibleGroupsWhere,
  withoutActor,
} from "@/lib/core/access/scope";
import type { Table } from "@/lib/core/api/files";
import { type CreationKey, creationKey } from "@/lib/core/api/idempotency";
import type { InColumns } from "@/lib/core/api/list-file";
import type { Meta } from "@/lib/core/api/list-query";
import { person } from "@/lib/core/api/response";
import { inTransaction, type Query } from "@/lib/core/database/client";
import { type List, readPage } from "@/lib/core/database/list";
import { merge } from "@/lib/core/database/record-merge";
import { columnsJson, recordJson } from "@/lib/core/database/record-read";
import { existingSql, missingReferences, referencesOf } from "@/lib/core/database/references";
import { AppError, busy, invalidFields, notFound } from "@/lib/core/errors";
import type { Cells } from "@/lib/core/fields/columns";
import { problemsOnWire } from "@/lib/core/fields/problems";
import { isRemoved } from "@/lib/core/fields/removed-rows";
import { lookup } from "@/lib/core/fields/vocabulary";
import { REQUIRED } from "@/lib/core/fields/words";
import { type Sql, sql } from "@/lib/core/sql";
import { counted, date, today } from "@/lib/core/text/format";
import type { JsonText } from "@/lib/core/text/json-text";
import { assertOpen, closedThroughSql } from "@/lib/forms/periods/closed-periods";
import {
  type GroupSession,
  type SessionBody,
  type SessionListQuery,
  sessionBody,
} from "@/lib/groups/api-schema";
import {
  type Attended,
  blockedWords,
  lockAttended,
  type Plan,
  planOf,
  releaseForms,
  removeForms,
  writeForms,
} from "@/lib/groups/attendances";
import {
  activeIdsSql,
  auditShown,
  fromGroup,
  type TypeAndCode,
  typeAndCodeSql,
  unfit,
} from "@/lib/groups/groups";
import { sessionInput, sessionSchema, UNNAMED_MAX } from "@/lib/groups/schema";

// Sessions of groups. Each attendance has one form, which the function that saves forms writes in the same transaction.

const visible = withoutActor("the actor saw the session before the save");

/** SQL for the day and minutes that the form of an attendance `a` of the session `r` has, if they differ. */
const DIFFERS = sql`(f.service_on <> r.held_on OR COALESCE(a.minutes, r.minutes) IS DISTINCT FROM (
  SELECT sum(p.minutes) FROM service_provided_entries p JOIN service_entries e ON e.id = p.service_entry_id
  WHERE e.form_id = f.id))`;

/** Returns SQL for a session `r` as the API returns it, without the people who are hidden from the actor. */
function sessionJson(actor: SessionUser): Sql {
  const differs = can(actor, "restrict-clients") ? DIFFERS : sql`FALSE`;
  return recordJson(sessionSchema, "r", {
    group_sessions: {
      groupId: sql`r.group_id`,
      serviceCodeId: sql`r.service_code_id`,
      formTypeId: sql`r.form_type_id`,
      attendances: sql`(SELECT COALESCE(json_agg(json_build_object('id', a.id, 'client', ${columnsJson(named, "c")},
          'minutes', a.minutes, 'formId', CASE WHEN ${visibleFormsWhere(actor)} THEN f.id END, 'edited', a.edited,
          'differs', ${differs}) ORDER BY c.name_folded, c.id), '[]')
        FROM attendances a JOIN forms f ON f.id = a.form_id JOIN clients c ON c.id = a.client_id
        WHERE a.group_session_id = r.id AND ${notHidden(actor, sql`a.client_id`)})`,
      userId: sql`r.user_id`,
      user: sql`(SELECT ${columnsJson(person, "owner")} FROM users owner WHERE owner.id = r.user_id)`,
    },
  });
}
const named = z.object({ id: z.int(), name: z.string() });

// biome-ignore lint/plugin: a refusal is recorded for sessions that the actor may not see
addScoped("groupSession", sql`SELECT r.id, NULL::int AS client_id FROM group_sessions r`, sql`r`);

const fromSession = (actor: SessionUser, groupId: number, id: number | null): Sql =>
  sql`FROM group_sessions r WHERE r.id = ${id}::int AND r.group_id = ${groupId} AND ${visibleGroupsWhere(actor, sql`r.group_id`)}`;

const sessionsList = (actor: SessionUser, groupId: number): List => ({
  name: "sessions of a group",
  from: sql`group_sessions r`,
  id: sql`r.id`,
  item: sessionJson(actor),
  where: [visibleGroupsWhere(actor, sql`r.group_id`), sql`r.group_id = ${groupId}`],
  sorts: { heldOn: { keys: [sql`r.held_on`] } },
  // A session has no text.
  search: async () => sql`FALSE`,
});

/** Throws 404 if the actor may not see the group. */
async function assertGroup(query: Query, actor: SessionUser, groupId: number): Promise<void> {
  const found = await query(sql`SELECT r.id ${fromGroup(actor, groupId)}`);
  if (found.length === 0) throw notFound();
}

/** Returns a page of a group's sessions, and records the people who are in them as shown. Throws 404. */
export async function listSessions(
  actor: SessionUser,
  groupId: number,
  query: SessionListQuery,
): Promise<{ items: JsonText<GroupSession[]>; meta: Meta }> {
  await inTransaction((tx) => assertGroup(tx, actor, groupId));
  const recorder = listing(actor, "groupSession", query.search);
  const page = await readPage<GroupSession>(sessionsList(actor, groupId), query, recorder);
  await auditShown(actor, page.items.value().flatMap(clientsOf));
  return page;
}

const clientsOf = ({ attendances }: Pick<GroupSession, "attendances">) =>
  attendances.map(({ client }) => client.id);

/** The columns of a file. They name nobody. */
const CELLS: Cells<GroupSession> = [
  ["Date", ({ heldOn }) => heldOn, "day"],
  ["Minutes", ({ minutes }) => minutes],
  ["People", ({ attendances }) => attendances.length],
  ["People without a Record", ({ unnamed }) => unnamed],
  ["Leaders", ({ leaders }) => leaders.length],
  ["Minutes of Leaders", ({ leaders }) => leaders.reduce((sum, { minutes }) => sum + minutes, 0)],
];

/** Writes a group's sessions to a file, and records the export. Throws 404. */
export async function exportSessions(
  actor: SessionUser,
  groupId: number,
  query: InColumns<SessionListQuery>,
): Promise<Table> {
  await inTransaction((tx) => assertGroup(tx, actor, groupId));
  const list = sessionsList(actor, groupId);
  return listedTable<GroupSession>("sessions", { actor, entity: "groupSession", list, query }, CELLS);
}

/** Returns a session the actor may see, and records the view and the people who are in it. Throws 404 otherwise. */
export async function getSession(actor: SessionUser, groupId: number, id: number): Promise<GroupSession> {
  const [row] = await rowsRecorded<{ id: number; record: GroupSession }>(
    actor,
    { action: "viewed", entity: "groupSession" },
    sql`SELECT r.id, ${sessionJson(actor)} AS record ${fromSession(actor, groupId, id)}`,
  );
  if (!row) throw notFound();
  await auditShown(actor, clientsOf(row.record));
  return row.record;
}

/** Returns a session in the transaction of `query`, with the people that the actor sees. Throws 404 if there is none. */
export async function readSession(query: Query, actor: SessionUser, id: number): Promise<GroupSession> {
  const [row] = await query<{ record: GroupSession }>(
    sql`SELECT ${sessionJson(actor)} AS record FROM group_sessions r WHERE r.id = ${id} AND ${visible}`,
  );
  if (!row) throw notFound();
  return row.record;
}

type Sent = SessionBody & { lockVersion?: number | undefined };
type Stored = GroupSession;
type Values = Required<Pick<SessionBody, "unnamed" | "leaders">> & { heldOn: string; minutes: number };
type Next = Values & { plan: Plan };

type Found = TypeAndCode & {
  stored: Stored | null;
  known: string[] | null;
  closedThrough: string | null;
  closedOn: string | null;
  leaderIds: number[];
  /** Those of the sent leaders who have an active account. */
  activeIds: number[];
  /** The sent clients that the actor may see, with the values that their forms take over. */
  clients: { id: number; verbalConfirmation: boolean }[];
  /** The attendances of the stored session, also those that are hidden from the actor. */
  attended: Attended[];
  actor: SessionUser;
};

/** Returns how the sessions of a group are saved. */
export const sessionSaves = (groupId: number): RemovableKind<Sent, Found, Next> => {
  async function find(
    query: Query,
    actor: SessionUser,
    id: number | null,
    sent: Sent | null,
  ): Promise<Found> {
    const sentIds = (sent?.attendances ?? []).flatMap(({ clientId }) => clientId ?? []);
    const before = await clientsIn(query, id);
    await lockClientRows(query, [...before, ...sentIds]);
    const group = await query(sql`SELECT r.id ${fromGroup(actor, groupId)} FOR SHARE`);
    if (group.length === 0) throw notFound();
    if (id !== null) {
      const locked = await query(sql`SELECT r.id ${fromSession(actor, groupId, id)} FOR UPDATE`);
      if (locked.length === 0) throw notFound();
    }
    if ((await clientsIn(query, id)).some((clientId) => !before.includes(clientId)))
      throw busy("The session was changed at the same time. Please try again.");
    const attended = await lockAttended(query, actor, id);
    const clients = selectClients(
      sql`json_agg(json_build_object('id', c.id, 'verbalConfirmation', c.verbal_confirmation))`,
      visibleClientsWhere(actor),
      sql`c.id = ANY(${sentIds}::int[])`,
    );
    const column = (name: Sql) =>
      sql`COALESCE((SELECT r.${name} ${fromSession(actor, groupId, id)}), (SELECT r.${name} ${fromGroup(actor, groupId)}))`;
    const references = sent ? [...referencesOf(sessionSchema, sent, "groupSession")] : [];
    const [found] = await query<Omit<Found, "attended" | "actor">>(
      sql`SELECT (SELECT ${sessionJson(actor)} ${fromSession(actor, groupId, id)}) AS stored,
         ${existingSql(actor, sessionSchema, references)} AS known,
         (SELECT r.closed_on::text ${fromGroup(actor, groupId)}) AS "closedOn",
         ARRAY(SELECT gu.user_id FROM group_users gu WHERE gu.group_id = ${groupId} AND ${visible}) AS "leaderIds",
         ${activeIdsSql(leaderIdsIn(sent))} AS "activeIds",
         COALESCE((${clients}), '[]') AS clients,
         ${typeAndCodeSql(column(sql`form_type_id`), column(sql`service_code_id`))},
         ${closedThroughSql("FOR SHARE")} AS "closedThrough"`,
    );
    if (!found) throw new Error("A SELECT without FROM returns a row");
    return { ...found, attended, actor };
  }

  return {
    entity: "groupSession",
    schema: sessionSchema,
    open: find,
    async openToRemove(query, actor, id) {
      const found = await find(query, actor, id, null);
      const { stored, closedThrough, attended } = found;
      assertOpen(closedThrough, stored?.heldOn);
      const plan = planOf(stored, attended, [], {
        heldOn: stored?.heldOn ?? "",
        minutes: stored?.minutes ?? 0,
      });
      assertNotBlocked(plan, stored);
      await removeForms(query, actor, id, plan.removed);
      await releaseForms(query, id);
      return found;
    },
    prepare,
    besides: (_found, { plan }) =>
      plan.added.length + plan.removed.length + plan.renewed.length > 0 ? { action: "updated" } : {},
    async after(query, actor, id, found, next) {
      if (!next || !found.type || !found.code) return;
      const { plan } = next;
      await removeForms(query, actor, id, plan.removed);
      const creatorId = found.stored?.userId ?? actor.userId;
      const [first] = next.leaders;
      const isLedByCreator = next.leaders.some(({ userId }) => userId === creatorId);
      await writeForms(query, actor, id, {
        plan,
        heldOn: next.heldOn,
        minutes: next.minutes,
        ownerId: isLedByCreator || !first ? creatorId : first.userId,
        formTypeId: found.type.id,
        serviceCodeId: found.code.id,
        clients: found.clients,
      });
    },
  };
};

/** Returns the clients of a session, also those who are hidden from the actor. */
async function clientsIn(query: Query, id: number | null): Promise<number[]> {
  const clients = await query<{ id: number }>(
    sql`SELECT a.client_id AS id FROM attendances a WHERE a.group_session_id = ${id}::int
       AND ${withoutActor("the save locks the clients of all attendances")}`,
  );
  return clients.map(({ id }) => id);
}

const leaderIdsIn = (sent: Sent | null) =>
  (sent?.leaders ?? []).filter((row) => !isRemoved(row)).map(({ userId }) => userId);

/** Returns the values to store and the plan of the forms. Throws 409, and 422 with every problem. */
function prepare(found: Found, sent: Sent): Next {
  const { stored, known, closedThrough, closedOn, clients, attended, actor } = found;
  const problems: Record<string, string> = {};
  const { attendances: rows, ...fields } = sent;
  const merged = merge(sessionFields, stored, fields, "groupSession", problems);
  const values: Values = {
    heldOn: merged.heldOn ?? today(),
    minutes: merged.minutes ?? 0,
    unnamed: merged.unnamed ?? 0,
    leaders: merged.leaders ?? [],
  };
  assertOpen(closedThrough, stored?.heldOn, values.heldOn);
  if (merged.minutes === undefined) problems["groupSession.minutes"] = REQUIRED;
  Object.assign(problems, missingReferences(referencesOf(sessionSchema, fields, "groupSession"), known));
  values.leaders = values.leaders.filter((row) => !isRemoved(row));
  if (values.unnamed > Math.max(UNNAMED_MAX, stored?.unnamed ?? 0))
    problems["groupSession.unnamed"] = `must be at most ${UNNAMED_MAX}`;
  if (closedOn !== null && values.heldOn > closedOn && values.heldOn !== stored?.heldOn)
    problems["groupSession.heldOn"] = `must not be after ${date(closedOn)}, when the group closed`;
  const leaders = leadersProblem(found, actor, sent.leaders, values.leaders);
  if (leaders) problems["groupSession.leaders"] ??= leaders;

  const plan = planOf(stored, attended, rows, values);
  Object.assign(problems, plan.problems);
  for (const { clientId, at } of plan.added)
    if (!clients.some(({ id }) => id === clientId))
      problems[`groupSession.attendances.${at}.clientId`] = "does not exist";
  const reason = !stored || plan.added.length + plan.altered.length > 0 ? unfit(found, values.heldOn) : null;
  if (Object.keys(problems).length > 0) throw invalidFields(problemsOnWire(sessionBody, problems));
  if (reason) throw invalidFields({ "group.formTypeId": `Form Type ${reason}` });
  assertNotBlocked(plan, stored);
  return { ...values, plan };
}

const sessionFields = z.omit(sessionInput, { attendances: true });

/** Returns the problem of the leaders, or null. */
function leadersProblem(
  { stored, leaderIds, activeIds }: Found,
  actor: SessionUser,
  sent: Sent["leaders"],
  next: Values["leaders"],
): string | null {
  const ids = next.map(({ userId }) => userId);
  if (ids.length === 0) return "must have at least one user";
  if (sent === undefined) return null;
  const before = (stored?.leaders ?? []).map(({ userId }) => userId);
  const added = ids.filter((id) => !before.includes(id));
  if (added.some((id) => !leaderIds.includes(id))) return "must be leaders of the group";
  if (added.some((id) => !activeIds.includes(id))) return "must have an active account";
  if (can(actor, "all-forms")) return null;
  if (![...ids, ...before].includes(actor.userId)) return "must include yourself";
  const isOther = (id: number) => !ids.includes(id) && id !== actor.userId;
  return before.some(isOther) ? "must keep the other leaders: you can take off only yourself" : null;
}

/** Throws 409 with the forms that the change would alter or remove, and that were reviewed or edited since. */
function assertNotBlocked({ blocked }: Plan, stored: Stored | null): void {
  if (blocked.length === 0 || !stored) return;
  throw new AppError(
    "conflict_in_use",
    [
      `${counted(blocked.length, "form")} of this session can no longer be changed from here:`,
      ...blocked.map(
        (attended) => `${attended.name}, ${date(attended.serviceOn)}: ${blockedWords(attended)}`,
      ),
    ],
    { forms: blocked.flatMap(({ formId, mayOpen }) => (mayOpen ? [formId] : [])) },
  );
}

/**
 * Creates a session with a form for each attendance. A repeated key returns it as it is now. Throws 404, 409 in a closed
 * period, and 422 with the invalid fields.
 */
export function createSession(
  actor: SessionUser,
  groupId: number,
  sent: SessionBody,
  idempotencyKey: string | null,
): Promise<GroupSession> {
  const key = creationKey(actor, idempotencyKey, { groupSession: { groupId, ...sent } });
  return createOnce(
    key,
    (query) => addSessionIn(query, actor, groupId, sent, key),
    async (query, id) => {
      await assertGroup(query, actor, groupId);
      return readSession(query, actor, id);
    },
    (query, id) => audit(query, actor, { action: "viewed", entity: "groupSession", entityId: id }),
  );
}

/** Adds a session of the actor in the transaction of `query`, and returns its id. Throws as `createSession` does. */
export async function addSessionIn(
  query: Query,
  actor: SessionUser,
  groupId: number,
  sent: SessionBody,
  key: CreationKey | null = null,
): Promise<number> {
  const [group] = await query<{ service_code_id: number; form_type_id: number }>(
    sql`SELECT r.service_code_id, r.form_type_id ${fromGroup(actor, groupId)}`,
  );
  if (!group) throw notFound();
  const columns = { group_id: groupId, ...group };
  const saves = sessionSaves(groupId);
  const kind: typeof saves = {
    ...saves,
    prepare(found, input) {
      // The group is locked now, and may have been changed since its columns were read.
      if (found.type?.id !== group.form_type_id || found.code?.id !== group.service_code_id)
        throw busy("The group was changed at the same time. Please try again.");
      return saves.prepare(found, input);
    },
  };
  return addRecordIn(kind, query, actor, sent, { ownerId: actor.userId, columns, key });
}

/**
 * Updates a visible session; its forms follow. Throws 404, 422, and 409: for a stale version, in a closed period, or with
 * the forms that can no longer be changed from the session.
 */
export const updateSession = (
  actor: SessionUser,
  groupId: number,
  id: number,
  sent: SessionBody,
): Promise<GroupSession> =>
  inTransaction(async (query) => {
    await updateRecordIn(sessionSaves(groupId), query, actor, id, sent);
    return readSession(query, actor, id);
  });

/** Removes a visible session and the forms of the people that the actor sees. Throws as `updateSession` does. */
export const removeSession = (actor: SessionUser, groupId: number, id: number): Promise<void> =>
  inTransaction((query) => removeRecordIn(sessionSaves(groupId), query, actor, id));

/** The history of a group's session. */
export const sessionHistory = (groupId: number): HistoryKind => ({
  entity: "groupSession",
  // An attendance names its client. Readers get only events about visible clients.
  schema: z.extend(sessionSchema, { attendances: lookup("clients", "Person") }),
  select: (actor, id) => sql`SELECT r.id, NULL::int AS client_id ${fromSession(actor, groupId, id)}`,
});
