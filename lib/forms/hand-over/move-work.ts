import "server-only";
import { auditPart } from "@/lib/audit/record";
import type { Work } from "@/lib/clients/work";
import type { SessionUser } from "@/lib/core/access/permissions";
import { notHidden } from "@/lib/core/access/scope";
import { type Query, queryIn, type Tx } from "@/lib/core/database/client";
import { textKey } from "@/lib/core/database/folded";
import { Statement } from "@/lib/core/database/record-write";
import { invalid } from "@/lib/core/errors";
import { and, type Sql, sql } from "@/lib/core/sql";
import { draftsOf, handOverDrafts, type Selection } from "@/lib/forms/drafts/drafts";
import { closedThrough } from "@/lib/forms/periods/closed-periods";
import type { UserOption } from "@/lib/lookups/resources/schema";

const RECORDS = {
  client: { table: sql`clients`, clientId: sql`id`, only: [] },
  form: { table: sql`forms`, clientId: sql`client_id`, only: [sql`returned_at IS NOT NULL`] },
};
type Entity = keyof typeof RECORDS;

/** SQL condition on the entity's table: the row is part of the work. */
function selected(entity: Entity, { from, hidden, clientIds }: Selection): Sql {
  const { clientId, only } = RECORDS[entity];
  const about = clientIds ? [sql`${clientId} = ANY(${clientIds}::int[])`] : [];
  return and([sql`user_id = ${from}`, ...only, ...about, notHidden(hidden, clientId)]);
}

/** Returns the number of the user's clients, drafts, and returned forms that the actor may see. */
export async function countWork(query: Query, actor: SessionUser, from: number): Promise<Work> {
  const work = { from, hidden: actor };
  const count = (entity: Entity) =>
    sql`(SELECT count(*)::int FROM ${RECORDS[entity].table} WHERE ${selected(entity, work)})`;
  const [records] = await query<{ clients: number; returned: number }>(
    sql`SELECT ${count("client")} AS clients, ${count("form")} AS returned`,
  );
  const drafts = await draftsOf(query, actor, work);
  return { clients: 0, returned: 0, ...records, drafts: drafts.length };
}

/** SQL condition: the user `u` can take over work, that is, has an active account with Forms. */
const CAN_TAKE_OVER = sql`u.active AND EXISTS (
  SELECT FROM role_permissions rp JOIN permissions p ON p.id = rp.permission_id
  WHERE rp.role_id = u.role_id AND p.name = 'Forms')`;

/** Returns the users who can take over work and meet a condition on `u`, by name. */
export const readSuccessors = (query: Query, where: Sql): Promise<UserOption[]> =>
  query<UserOption>(
    sql`SELECT u.id, u.first_name AS "firstName", u.last_name AS "lastName", u.first_name || ' ' || u.last_name AS name, u.active
     FROM users u WHERE ${CAN_TAKE_OVER} AND ${where}
     ORDER BY ${textKey(sql`u.first_name || ' ' || u.last_name`)}, u.id`,
  );

/** Throws 422 on `field` if the colleague cannot take over the work of the user `from`. */
export async function assertCanTakeOver(tx: Tx, field: string, from: number, to: number): Promise<void> {
  if (to === from) throw invalid(field, "Choose a colleague");
  const colleague = await tx.user.findUnique({ where: { id: to }, select: { active: true } });
  if (!colleague) throw invalid(field, "User does not exist");
  if (!colleague.active) throw invalid(field, "This account is deactivated");
  if ((await readSuccessors(queryIn(tx), sql`u.id = ${to}`)).length === 0)
    throw invalid(field, "This colleague does not have the Forms permission");
}

/**
 * Moves the user's clients, drafts, and returned forms to the colleague `to` and returns the number of each.
 * Each record's event names both users. Other forms, and forms of closed periods, keep their advocate. With
 * `clientsOnly`, no form moves.
 */
export async function moveWork(
  tx: Tx,
  actor: SessionUser,
  work: Selection & { to: number; clientsOnly?: boolean },
): Promise<Work> {
  const query = queryIn(tx);
  await lock(query, "client", work);
  const clients = await move(query, actor, "client", work);
  if (work.clientsOnly) return { clients, drafts: 0, returned: 0 };
  await lock(query, "form", work);
  const returned = await move(query, actor, "form", work, await closedThrough(query, "FOR SHARE"));
  return { clients, drafts: await handOverDrafts(tx, actor, work), returned };
}

/** Locks the rows in order of id, as all code does, so that two transactions never deadlock. */
async function lock(query: Query, entity: Entity, work: Selection): Promise<void> {
  await query(
    sql`SELECT FROM ${RECORDS[entity].table} WHERE ${selected(entity, work)} ORDER BY id FOR UPDATE`,
  );
}

/**
 * Leaves `updated_at` alone: a transfer is not activity for the client, and retention counts from the last activity.
 */
async function move(
  query: Query,
  actor: SessionUser,
  entity: Entity,
  work: Selection & { to: number },
  closed: string | null = null,
): Promise<number> {
  const { table, clientId } = RECORDS[entity];
  const { from, to } = work;
  const statement = new Statement();
  // A form of a closed period does not change.
  const open = closed === null ? [] : [sql`service_on > ${closed}::date`];
  const moved = statement.with(
    sql`UPDATE ${table} SET user_id = ${to}, updated_by_id = ${actor.userId}, lock_version = lock_version + 1
     WHERE ${and([selected(entity, work), ...open])} RETURNING id, ${clientId} AS client_id`,
  );
  const changes = [{ field: `${entity}.userId`, from, to }];
  auditPart(statement, actor, { action: "updated", entity, client: "client_id", changes }, moved);
  return (await query(statement.sql(sql`SELECT id FROM ${moved}`))).length;
}
