import "server-only";
import pg from "pg";
import { AppError, notFound } from "@/lib/api/errors";
import type { InFile } from "@/lib/api/list-file";
import type { Meta } from "@/lib/api/list-query";
import type { Change } from "@/lib/audit/changes";
import { audit, listing } from "@/lib/audit/record";
import { readClientKey } from "@/lib/audit/values";
import { fullName, type SessionUser } from "@/lib/auth/permissions";
import { assertAllowed, type Hiding, REMAINING, remainingClientsWhere, seesClients } from "@/lib/auth/scope";
import { binding } from "@/lib/database/bind";
import { db, type Query, queryIn } from "@/lib/database/client";
import { type List, readPage } from "@/lib/database/list";
import { listedTable, type Table } from "@/lib/database/list-export";
import { nameSearch } from "@/lib/database/names";
import { isoTimestamp } from "@/lib/database/record-read";
import { bound, raw, sql } from "@/lib/database/sql";
import type { Cells } from "@/lib/fields/columns";
import { addDays, date, today } from "@/lib/fields/format";
import { ADVOCATE_NAME, CLIENT_LABELS } from "@/lib/fields/words";
import type {
  Hold,
  RetainedClient,
  Retention,
  RetentionInput,
  retainedClientsQuery,
} from "@/lib/retention/schema";
import { env } from "@/lib/server/env";

const ID = 1;

/** The last day on which a backup may still hold what is removed today. */
export const backupsUntil = (): string => addDays(today(), env().BACKUP_KEEP_DAYS);

/** What the organisation has set. */
export async function readRetention(actor: SessionUser): Promise<Retention> {
  assertAllowed(actor, "retention");
  const { years, nightly } = await db().retentionSetting.findUniqueOrThrow({ where: { id: ID } });
  return { years, nightly, backupsUntil: backupsUntil() };
}

/** Sets after how many years clients are due, and whether they go by night. */
export async function saveRetention(actor: SessionUser, input: RetentionInput): Promise<Retention> {
  assertAllowed(actor, "retention");
  await db().$transaction(async (tx) => {
    const query = queryIn(tx);
    const [former] = await query<RetentionInput>(
      `SELECT years, nightly FROM retention_settings WHERE id = ${ID} FOR UPDATE`,
    );
    await tx.retentionSetting.update({ where: { id: ID }, data: input });
    const changes: Change[] = (["years", "nightly"] as const)
      .filter((field) => former?.[field] !== input[field])
      .map((field) => ({ field: `retention.${field}`, from: former?.[field] ?? null, to: input[field] }));
    if (changes.length > 0)
      await audit(query, actor, { action: "updated", entity: "retention", entityId: ID, changes });
  });
  return { ...input, backupsUntil: backupsUntil() };
}

/** SQL: a client without activity since this moment has been due for so many days; null while no number of years is set. */
const cutoff = (days: number) =>
  `(SELECT now() - make_interval(years => years, days => ${days}) FROM retention_settings WHERE id = ${ID})`;
export const CUTOFF = cutoff(0);

/**
 * The condition on `c` that the client has been due for so many days, as there was no activity: no save of the record or
 * of a form, and no day of service. Nobody is due while no number of years is set.
 */
export const dueFor = (days: number) => `${REMAINING} AND c.updated_at < ${cutoff(days)} AND NOT EXISTS (
  SELECT FROM forms f WHERE f.client_id = c.id AND (f.updated_at >= ${cutoff(days)} OR f.service_on >= ${cutoff(days)}))`;
export const DUE = dueFor(0);

/** The condition on `c` that a legal hold stands. */
export const HELD = "EXISTS (SELECT FROM client_holds h WHERE h.client_id = c.id)";

const holdJson = (
  reason: string,
) => `(SELECT json_build_object('reason', ${reason}, 'at', ${isoTimestamp("h.held_at")},
    'by', (SELECT u.first_name || ' ' || u.last_name FROM users u WHERE u.id = h.held_by_id))
  FROM client_holds h WHERE h.client_id = c.id)`;

type RetainedQuery = ReturnType<typeof retainedClientsQuery.parse>;

/**
 * The clients who are due, the oldest records first, or those under a legal hold. Whoever may not see clients gets no
 * name, nor anything that tells one: no search finds a client, the order by name is by id, and no reason is given.
 */
function retainedList(actor: SessionUser, { filters }: RetainedQuery): List {
  assertAllowed(actor, "retention");
  const named = seesClients(actor);
  return {
    name: "retained clients",
    from: sql`clients c`,
    id: sql`c.id`,
    joins: sql`JOIN users u ON u.id = c.user_id`,
    item: raw(`json_build_object('id', c.id, 'advocate', u.first_name || ' ' || u.last_name,
      'hold', ${holdJson(named ? "h.reason" : "NULL")}, 'name', ${named ? "c.name" : "'Client ' || c.id"},
      'forms', (SELECT count(*)::int FROM forms f WHERE f.client_id = c.id),
      'lastActivityOn', (SELECT greatest(
          (greatest(c.updated_at, max(f.updated_at)) AT TIME ZONE ${pg.escapeLiteral(env().TZ)})::date, max(f.service_on))
        FROM forms f WHERE f.client_id = c.id))`),
    where: [
      bound((bind) => remainingClientsWhere(actor, bind)),
      ...(filters.held ? [HELD] : [DUE, `NOT ${HELD}`]).map(raw),
    ],
    sorts: { name: { keys: named ? [sql`c.name_folded`] : [] } },
    search: async (search) =>
      named ? nameSearch(search, { name: sql`c.name_folded`, clientId: sql`c.id` }) : sql`FALSE`,
  };
}

/** A page of the clients who are due or held. */
export async function listRetained(
  actor: SessionUser,
  query: RetainedQuery,
): Promise<{ clients: RetainedClient[]; meta: Meta }> {
  const record = listing(actor, "client", query.search);
  const { items, meta } = await readPage<RetainedClient>(retainedList(actor, query), query, record);
  return { clients: items.value(), meta };
}

const RETAINED_CELLS: Cells<RetainedClient> = {
  [CLIENT_LABELS.name]: ({ name }) => name,
  [ADVOCATE_NAME]: ({ advocate }) => advocate,
  "Last Activity": ({ lastActivityOn }) => date(lastActivityOn),
  Forms: ({ forms }) => forms,
};
const HELD_CELLS: Cells<RetainedClient> = {
  ...RETAINED_CELLS,
  "Legal Hold": ({ hold }) => hold?.reason ?? "",
  "Held By": ({ hold }) => hold?.by ?? "",
  "Held On": ({ hold }) => date(hold?.at),
};

/** All of them, to be written to a file; recorded as exported. */
export const exportRetained = (actor: SessionUser, query: InFile<RetainedQuery>): Promise<Table> =>
  listedTable(
    query.filters.held ? "clients_held" : "clients_due",
    { actor, entity: "client", list: retainedList(actor, query), query },
    query.filters.held ? HELD_CELLS : RETAINED_CELLS,
  );

/** The legal hold on a client; null where there is none. */
export async function holdOf(actor: SessionUser, clientId: number): Promise<Hold | null> {
  assertAllowed(actor, "retention");
  const found = await db().clientHold.findUnique({
    where: { clientId },
    include: { heldBy: { select: { firstName: true, lastName: true } } },
  });
  return (
    found && {
      reason: found.reason,
      by: found.heldBy && fullName(found.heldBy),
      at: found.heldAt.toISOString(),
    }
  );
}

/** Puts a legal hold on a client, or gives the one that stands another reason. 404. */
export async function holdClient(actor: SessionUser, clientId: number, reason: string): Promise<Hold> {
  await changeHold(actor, clientId, reason);
  const hold = await holdOf(actor, clientId);
  if (!hold) throw notFound();
  return hold;
}

/** Lifts the legal hold on a client. 404 where none stands. */
export const liftHold = (actor: SessionUser, clientId: number): Promise<void> =>
  changeHold(actor, clientId, null);

async function changeHold(actor: SessionUser, clientId: number, reason: string | null): Promise<void> {
  assertAllowed(actor, "retention");
  await db().$transaction(async (tx) => {
    const query = queryIn(tx);
    await lockClient(query, actor, clientId);
    const former = await readHold(query, clientId);
    if (reason === null && former === null) throw notFound();
    if (reason === null) await tx.clientHold.delete({ where: { clientId } });
    else {
      const data = { reason, heldById: actor.userId, heldAt: new Date() };
      await tx.clientHold.upsert({ where: { clientId }, create: { clientId, ...data }, update: data });
    }
    const changes = [{ field: "client.hold", from: former, to: reason }];
    const about = { entityId: clientId, clientId, changes, clientKey: await readClientKey(query, clientId) };
    await audit(query, actor, { action: "updated", entity: "client", ...about });
  });
}

/**
 * Keeps a removal, a purge, a hold, a restriction and new forms of a client apart until the transaction ends. 404 where
 * the client is not there for the actor.
 */
export async function lockClient(query: Query, actor: Hiding, clientId: number): Promise<void> {
  const { values, bind } = binding(clientId);
  const there = remainingClientsWhere(actor, bind);
  const locked = await query(`SELECT FROM clients c WHERE c.id = $1 AND ${there} FOR UPDATE`, values);
  if (locked.length === 0) throw notFound();
}

/** The reason of the hold on a client; null where none stands. */
async function readHold(query: Query, clientId: number): Promise<string | null> {
  const [hold] = await query<{ reason: string }>("SELECT reason FROM client_holds WHERE client_id = $1", [
    clientId,
  ]);
  return hold?.reason ?? null;
}

/**
 * Locks a client before something of theirs is removed, so that no hold is put on them before the transaction ends. 404;
 * 409 where a legal hold stands.
 */
export async function lockUnheld(query: Query, actor: Hiding, clientId: number): Promise<void> {
  await lockClient(query, actor, clientId);
  // A statement of its own, so that it sees what was committed while the first one waited for the lock.
  if ((await readHold(query, clientId)) !== null)
    throw new AppError("conflict_in_use", "This client is under legal hold.");
}
