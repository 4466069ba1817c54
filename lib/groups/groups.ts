import "server-only";
import * as z from "zod/mini";
import { type HistoryKind, recordPrinted } from "@/lib/audit/history";
import { listedTable } from "@/lib/audit/list-export";
import { addScoped, audit, auditMembers, auditRead, listing, rowsRecorded } from "@/lib/audit/record";
import {
  addRecordIn,
  createOnce,
  type RemovableKind,
  removeRecordIn,
  updateRecordIn,
} from "@/lib/audit/save";
import type { ClientHit } from "@/lib/clients/api-schema";
import { lockClientRows } from "@/lib/clients/holds";
import type { NamedItem, SessionUser } from "@/lib/core/access/permissions";
import {
  notHidden,
  selectClients,
  visibleClientsWhere,
  visibleGroupsWhere,
  withoutActor,
} from "@/lib/core/access/scope";
import type { Table } from "@/lib/core/api/files";
import { creationKey } from "@/lib/core/api/idempotency";
import type { InColumns } from "@/lib/core/api/list-file";
import type { Meta } from "@/lib/core/api/list-query";
import { person } from "@/lib/core/api/response";
import { inTransaction, type Query } from "@/lib/core/database/client";
import { containsText, textKey } from "@/lib/core/database/folded";
import { type List, readPage } from "@/lib/core/database/list";
import { merge } from "@/lib/core/database/record-merge";
import { columnsJson, recordJson } from "@/lib/core/database/record-read";
import { existingSql, missingReferences, referencesOf } from "@/lib/core/database/references";
import { listRows } from "@/lib/core/database/statements";
import { inUse, invalidFields, notFound } from "@/lib/core/errors";
import type { Cells } from "@/lib/core/fields/columns";
import { problemsOnWire } from "@/lib/core/fields/problems";
import { lookup } from "@/lib/core/fields/vocabulary";
import { type Sql, sql } from "@/lib/core/sql";
import { today } from "@/lib/core/text/format";
import type { JsonText } from "@/lib/core/text/json-text";
import { type Group, type GroupBody, type GroupListQuery, groupBody } from "@/lib/groups/api-schema";
import { unfitReason } from "@/lib/groups/fit";
import { type GroupInput, groupSchema } from "@/lib/groups/schema";
import { formType, type ServiceCode, serviceCode } from "@/lib/lookups/api-schema";
import { resourceLists } from "@/lib/lookups/resources/lists";
import type { UserOption } from "@/lib/lookups/resources/schema";
import type { FormType } from "@/lib/lookups/types";

// Groups and their rosters. The roster is recorded client by client, so that each event belongs to its client.

const visible = withoutActor("the actor saw the group before the save");

/** Returns SQL for a group `r` as the API returns it. Clients who are hidden from the actor are not on its roster. */
const groupJson = (actor: SessionUser): Sql =>
  recordJson(groupSchema, "r", {
    groups: {
      serviceCode: sql`(SELECT json_build_object('id', c.id, 'name', c.code) FROM service_codes c WHERE c.id = r.service_code_id)`,
      formType: sql`(SELECT json_build_object('id', t.id, 'name', t.name) FROM form_types t WHERE t.id = r.form_type_id)`,
      clientIds: sql`ARRAY(SELECT gc.client_id FROM group_clients gc
        WHERE gc.group_id = r.id AND ${notHidden(actor, sql`gc.client_id`)} ORDER BY 1)`,
      userId: sql`r.user_id`,
      user: sql`(SELECT ${columnsJson(person, "owner")} FROM users owner WHERE owner.id = r.user_id)`,
    },
  });

// biome-ignore lint/plugin: a refusal is recorded for groups that the actor may not see
addScoped("group", sql`SELECT r.id, NULL::int AS client_id FROM groups r`, sql`r`);

/** Returns `FROM … WHERE …` for the row of a group that the actor may see. */
export const fromGroup = (actor: SessionUser, id: number | null): Sql =>
  sql`FROM groups r WHERE r.id = ${id}::int AND ${visibleGroupsWhere(actor, sql`r.id`)}`;

const groupsList = (actor: SessionUser, { filters: { open } }: GroupListQuery): List => ({
  name: "groups",
  from: sql`groups r`,
  id: sql`r.id`,
  item: groupJson(actor),
  where: [
    visibleGroupsWhere(actor, sql`r.id`),
    ...(open === null
      ? []
      : [
          open === "true"
            ? sql`(r.closed_on IS NULL OR r.closed_on >= ${today()}::date)`
            : sql`r.closed_on < ${today()}::date`,
        ]),
  ],
  sorts: {
    name: { keys: [textKey(sql`r.name`)] },
    closedOn: { keys: [sql`r.closed_on`], nullable: true },
  },
  search: async (text) => containsText(sql`r.name`, text),
});

/** Returns a page of the groups that the actor may see. */
export const listGroups = (
  actor: SessionUser,
  query: GroupListQuery,
): Promise<{ items: JsonText<Group[]>; meta: Meta }> =>
  readPage<Group>(groupsList(actor, query), query, listing(actor, "group", query.search));

/** The columns of a file. They name nobody. */
const CELLS: Cells<Group> = [
  ["Name", ({ name }) => name],
  ["Form Type", ({ formType }) => formType.name],
  ["Service Code", ({ serviceCode }) => serviceCode.name],
  ["Usual Minutes", ({ usualMinutes }) => usualMinutes],
  ["Closed On", ({ closedOn }) => closedOn, "day"],
];

/** Writes all groups that match the query's filters to a file, and records the export. */
export const exportGroups = (actor: SessionUser, query: InColumns<GroupListQuery>): Promise<Table> =>
  listedTable<Group>("groups", { actor, entity: "group", list: groupsList(actor, query), query }, CELLS);

/** Returns a group the actor may see, and records the view and the people on its roster. Throws 404 otherwise. */
export async function getGroup(actor: SessionUser, id: number): Promise<Group> {
  const [row] = await rowsRecorded<{ id: number; record: Group }>(
    actor,
    { action: "viewed", entity: "group" },
    sql`SELECT r.id, ${groupJson(actor)} AS record ${fromGroup(actor, id)}`,
  );
  if (!row) throw notFound();
  await auditShown(actor, row.record.clientIds);
  return row.record;
}

/** A person on a roster, with what distinguishes namesakes, and what a colleague must know before a call. */
export type RosterPerson = NamedItem & Pick<ClientHit, "yearOfBirth" | "createdOn"> & { safeToCall: boolean };

/**
 * Returns the people on a visible group's roster by name, and those who came to `sessionId`. The caller records them as
 * shown.
 */
export const rosterOf = (
  actor: SessionUser,
  groupId: number,
  sessionId: number | null = null,
): Promise<RosterPerson[]> =>
  listRows<RosterPerson>(
    "roster of a group",
    sql`SELECT c.id, c.name, COALESCE(b.safe_to_call, FALSE) AS "safeToCall",
       extract(year FROM b.date_of_birth)::int AS "yearOfBirth", c.created_on::text AS "createdOn"
     FROM (
       SELECT gc.client_id FROM group_clients gc
       WHERE gc.group_id = ${groupId} AND ${visibleGroupsWhere(actor, sql`gc.group_id`)}
       UNION SELECT a.client_id FROM attendances a JOIN group_sessions s ON s.id = a.group_session_id
       WHERE s.id = ${sessionId}::int AND s.group_id = ${groupId} AND ${visibleGroupsWhere(actor, sql`s.group_id`)}
     ) AS people
       JOIN clients c ON c.id = people.client_id LEFT JOIN client_biographical_entries b ON b.client_id = c.id
     WHERE ${notHidden(actor, sql`c.id`)}
     ORDER BY c.name_folded, c.id`,
  );

/** A leader. Only active accounts can be added to a session. */
export type GroupLeader = NamedItem & { active: boolean };

/** Returns the names of the users who lead a visible group or have led one of its sessions. */
export const leaderNames = (actor: SessionUser, groupId: number): Promise<GroupLeader[]> =>
  listRows<GroupLeader>(
    "leaders of a group",
    sql`SELECT u.id, u.first_name || ' ' || u.last_name AS name, u.active AND u.activated_at IS NOT NULL AS active
       FROM users u WHERE u.id IN (
         SELECT gu.user_id FROM group_users gu WHERE gu.group_id = ${groupId} AND ${visibleGroupsWhere(actor, sql`gu.group_id`)}
         UNION SELECT l.user_id FROM group_session_leaders l JOIN group_sessions s ON s.id = l.group_session_id
         WHERE s.group_id = ${groupId} AND ${visibleGroupsWhere(actor, sql`s.group_id`)})
       ORDER BY ${textKey(sql`u.first_name || ' ' || u.last_name`)}, u.id`,
  );

/** Returns the choices of a group's fields. */
export async function groupChoices(actor: SessionUser) {
  const { users, formTypes } = await resourceLists<{ users: UserOption[]; formTypes: FormType[] }>(actor, [
    "users",
    "form_types",
  ]);
  const codes = await listRows<NamedItem & { formTypeIds: number[] }>(
    "service codes of groups",
    sql`SELECT c.id, c.code AS name, ARRAY(SELECT o.form_type_id FROM service_code_form_types o
       WHERE o.service_code_id = c.id ORDER BY 1) AS "formTypeIds" FROM service_codes c ORDER BY ${textKey(sql`c.code`)}, c.id`,
  );
  const types = formTypes.map((type) => ({
    id: type.id,
    name: type.name,
    fits: unfitReason(type, ANY_CODE, today()) === null,
  }));
  return { users, codes, formTypes: types };
}

/** A service code that asks for nothing. */
const ANY_CODE = { id: 0, hasReferral: false, isOffered: true };

/** Records that the actor was shown clients by name. */
export async function auditShown(actor: SessionUser, clientIds: readonly number[]): Promise<void> {
  const shown = [...new Set(clientIds)];
  await auditRead(actor, { action: "listed", entity: "client", shown });
}

/**
 * Records that the sign-in sheet of a visible group was printed, with the clients whose first names are on it. Throws 404.
 */
export async function recordSheetPrinted(
  actor: SessionUser,
  id: number,
  clientIds: readonly number[],
): Promise<void> {
  await recordPrinted(actor, groupHistory, id);
  if (clientIds.length === 0) return;
  const clients = await listRows<{ id: number }>(
    "people on a sheet",
    selectClients(sql`c.id`, visibleClientsWhere(actor), sql`c.id = ANY(${clientIds}::int[])`),
  );
  const shown = clients.map((client) => client.id);
  if (shown.length > 0) await auditRead(actor, { action: "printed", entity: "client", shown });
}

/** Returns a group in the transaction of `query`. A leader who took themselves off still gets the response to that. */
async function readGroup(query: Query, actor: SessionUser, id: number): Promise<Group> {
  const [row] = await query<{ record: Group }>(
    sql`SELECT ${groupJson(actor)} AS record FROM groups r WHERE r.id = ${id} AND ${visible}`,
  );
  if (!row) throw notFound();
  return row.record;
}

/** A form type with a service code, and what their forms depend on. */
export type TypeAndCode = { type: FormType | null; code: (ServiceCode & { isOffered: boolean }) | null };

/** Returns SQL for a form type and a service code as `TypeAndCode`, with the keys `type` and `code`. */
export const typeAndCodeSql = (typeId: Sql, codeId: Sql): Sql =>
  sql`(SELECT ${columnsJson(formType, "t")} FROM form_types t WHERE t.id = ${typeId}) AS type,
    (SELECT ${columnsJson(serviceCode, "c")}::jsonb || jsonb_build_object('isOffered', EXISTS (
        SELECT FROM service_code_form_types o WHERE o.service_code_id = c.id AND o.form_type_id = ${typeId}))
      FROM service_codes c WHERE c.id = ${codeId}) AS code`;

/** Returns SQL for the ids of those users who have an active account. */
export const activeIdsSql = (userIds: readonly number[]): Sql =>
  sql`ARRAY(SELECT u.id FROM users u WHERE u.active AND u.activated_at IS NOT NULL AND u.id = ANY(${userIds}::int[]))`;

/** Returns the reason why sessions of that day cannot use the type, or null. One that does not exist is another problem. */
export const unfit = ({ type, code }: TypeAndCode, day: string): string | null =>
  type && code ? unfitReason(type, code, day) : null;

type Found = TypeAndCode & {
  stored: Group | null;
  known: string[] | null;
  /** Those of the sent leaders who have an active account. */
  activeIds: number[];
  /** The sent clients that the actor may see. */
  clientIds: number[];
};

type Sent = GroupBody & { lockVersion?: number | undefined };
type Next = GroupInput & { clientIds: readonly number[] };

const groupSaves: RemovableKind<Sent, Found, Next> = {
  entity: "group",
  schema: groupSchema,
  open: find,
  async openToRemove(query, actor, id) {
    const found = await find(query, actor, id, {});
    const [sessions] = await query<{ count: number }>(
      sql`SELECT count(*)::int AS count FROM group_sessions WHERE group_id = ${id} AND ${visible}`,
    );
    if (sessions?.count) throw inUse("group", sessions.count, "session");
    await auditRoster(query, actor, id, found.stored?.clientIds ?? [], []);
    return found;
  },
  prepare({ stored, known, activeIds, clientIds, ...fit }, sent) {
    const problems: Record<string, string> = {};
    const values = groupSchema.parse({
      closedOn: null,
      ...merge(groupBody.shape.group, stored, sent, "group", problems),
    });
    Object.assign(problems, missingReferences(referencesOf(groupSchema, sent, "group"), known));
    const isNew = (id: number) => !stored?.leaderIds.includes(id);
    if (values.leaderIds.length === 0) problems["group.leaderIds"] = "must have at least one user";
    else if (values.leaderIds.some((id) => isNew(id) && !activeIds.includes(id)))
      problems["group.leaderIds"] ??= "must have an active account";
    if (sent.clientIds?.some((id) => !clientIds.includes(id)))
      problems["group.clientIds"] = "must be chosen from the list";
    const isOther =
      values.formTypeId !== stored?.formTypeId || values.serviceCodeId !== stored?.serviceCodeId;
    const reason = isOther ? unfit(fit, today()) : null;
    if (reason) problems["group.formTypeId"] = reason;
    if (Object.keys(problems).length > 0) throw invalidFields(problemsOnWire(groupBody, problems));
    return { ...values, clientIds: sent.clientIds ?? stored?.clientIds ?? [] };
  },
  besides({ stored }, next) {
    const { added, removed } = rosterChanges(stored, next);
    return added.length + removed.length > 0 ? { action: "updated" } : {};
  },
  async after(query, actor, id, { stored }, next) {
    if (!next) return;
    const { added, removed } = rosterChanges(stored, next);
    if (removed.length > 0)
      await query(
        sql`DELETE FROM group_clients gc WHERE gc.group_id = ${id} AND gc.client_id = ANY(${removed}::int[]) AND ${visible}`,
      );
    if (added.length > 0)
      await query(
        sql`INSERT INTO group_clients (group_id, client_id) SELECT ${id}::int, unnest(${added}::int[]) ON CONFLICT DO NOTHING`,
      );
    await auditRoster(query, actor, id, removed, added);
  },
};

/** Returns the clients that a save adds to the roster as the actor sees it, and those that it removes. */
function rosterChanges(stored: Group | null, { clientIds }: Pick<Next, "clientIds">) {
  const before = stored?.clientIds ?? [];
  return {
    added: clientIds.filter((id) => !before.includes(id)),
    removed: before.filter((id) => !clientIds.includes(id)),
  };
}

/** Records that clients were removed from a roster, and added to it. Each event is about that client alone. */
const auditRoster = (
  query: Query,
  actor: SessionUser,
  entityId: number,
  removed: readonly number[],
  added: readonly number[],
): Promise<void> =>
  auditMembers(query, actor, { entity: "group", entityId, field: "group.clientIds" }, [
    ...removed.map((from) => ({ from, to: null })),
    ...added.map((to) => ({ from: null, to })),
  ]);

/** Locks the clients of the roster, then the group, and reads what a save needs. Throws 404. */
async function find(query: Query, actor: SessionUser, id: number | null, sent: Sent): Promise<Found> {
  const on = await query<{ id: number }>(
    sql`SELECT gc.client_id AS id FROM group_clients gc WHERE gc.group_id = ${id}::int AND ${visibleGroupsWhere(actor, sql`gc.group_id`)}`,
  );
  await lockClientRows(query, [...on.map(({ id }) => id), ...(sent.clientIds ?? [])]);
  if (id !== null) {
    const locked = await query(sql`SELECT ${fromGroup(actor, id)} FOR UPDATE`);
    if (locked.length === 0) throw notFound();
  }
  const visibleIds = selectClients(
    sql`c.id`,
    visibleClientsWhere(actor),
    sql`c.id = ANY(${sent.clientIds ?? []}::int[])`,
  );
  const column = (sentId: number | undefined, name: Sql) =>
    sql`COALESCE(${sentId ?? null}::int, (SELECT r.${name} ${fromGroup(actor, id)}))`;
  const [found] = await query<Found>(
    sql`SELECT (SELECT ${groupJson(actor)} ${fromGroup(actor, id)}) AS stored,
       ${existingSql(actor, groupSchema, [...referencesOf(groupSchema, sent, "group")])} AS known,
       ${typeAndCodeSql(column(sent.formTypeId, sql`form_type_id`), column(sent.serviceCodeId, sql`service_code_id`))},
       ${activeIdsSql(sent.leaderIds ?? [])} AS "activeIds",
       ARRAY(${visibleIds}) AS "clientIds"`,
  );
  if (!found) throw new Error("A SELECT without FROM returns a row");
  return found;
}

/** Creates a group of the actor. A repeated key returns it as it is now. Throws 404, and 422 with the invalid fields. */
export function createGroup(
  actor: SessionUser,
  sent: GroupBody,
  idempotencyKey: string | null,
): Promise<Group> {
  const key = creationKey(actor, idempotencyKey, { group: sent });
  return createOnce(
    key,
    (query) => addRecordIn(groupSaves, query, actor, sent, { ownerId: actor.userId, key }),
    (query, id) => readGroup(query, actor, id),
    async (query, id) => {
      const found = await query(sql`SELECT ${fromGroup(actor, id)}`);
      if (found.length === 0) throw notFound();
      await audit(query, actor, { action: "viewed", entity: "group", entityId: id });
    },
  );
}

/** Updates a visible group and the roster that the actor sees. Throws 404, 409 for a stale version, and 422. */
export const updateGroup = (actor: SessionUser, id: number, sent: GroupBody): Promise<Group> =>
  inTransaction(async (query) => {
    await updateRecordIn(groupSaves, query, actor, id, sent);
    return readGroup(query, actor, id);
  });

/** Removes a visible group with its roster. Throws 404, and 409 if it has sessions. */
export const removeGroup = (actor: SessionUser, id: number): Promise<void> =>
  inTransaction((query) => removeRecordIn(groupSaves, query, actor, id));

export const groupHistory: HistoryKind = {
  entity: "group",
  // A change of the roster names its client. Readers get only events about visible clients.
  schema: z.extend(groupSchema, { clientIds: lookup("clients", "Roster") }),
  select: (actor, id) => sql`SELECT r.id, NULL::int AS client_id ${fromGroup(actor, id)}`,
};
