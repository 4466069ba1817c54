import "server-only";
import type { Change } from "@/lib/audit/changes";
import { type ClientKey, encryptDetails, encryptForClient, readClientKeys } from "@/lib/audit/values";
import { fullName, type SessionUser } from "@/lib/core/access/permissions";
import { selectClients, selectForms, withoutActor } from "@/lib/core/access/scope";
import { type AuditAction, READINGS } from "@/lib/core/api/audit-acts";
import { type Query, rows } from "@/lib/core/database/client";
import { isDatabaseError, isTimeOut } from "@/lib/core/database/errors";
import type { Recorder } from "@/lib/core/database/list";
import { Statement } from "@/lib/core/database/record-write";
import { replicaReader } from "@/lib/core/database/replica";
import { type ReadRows, recordRows } from "@/lib/core/database/statements";
import { type ErrorCode, unavailable } from "@/lib/core/errors";
import { singular } from "@/lib/core/fields/tables";
import { env } from "@/lib/core/process/env";
import { codeOf } from "@/lib/core/process/error-frames";
import { log } from "@/lib/core/process/log";
import { requestContext } from "@/lib/core/process/request-context";
import { empty, identifier, join, type Sql, sql } from "@/lib/core/sql";

// Records who did what to which record, and who saw it. A change and its event are written by the same statement or
// transaction, so that neither exists without the other. A read is recorded by its own statement or right after it.

/** The acting user; without an id, no account. With a token, a program that acts for the user. */
export type AuditActor = Pick<SessionUser, "firstName" | "lastName"> & {
  userId: number | null;
  token?: { name: string };
};

/** Returns the name in an audit row. The sealed columns are fixed, so this column also holds the token's name. */
const nameOf = (actor: AuditActor) =>
  `${fullName(actor).trim()}${actor.token ? ` (token ${actor.token.name})` : ""}`;

export const NOBODY: AuditActor = { userId: null, firstName: "", lastName: "" };

/** The actor is the user account the event is about; only its id is known. */
export const ITSELF = Symbol("the account itself");

type Act = {
  action: AuditAction;
  /** The kind of record, as in request bodies: `form`. */
  entity?: string;
  entityId?: number | null;
  /** The client the record is about, if any. */
  clientId?: number | null;
  changes?: readonly Change[];
  /** The stored key of the client of `changes`: null if there is none yet, undefined without a client. */
  clientKey?: ClientKey | null;
  /** The ids of the records that a list showed. */
  shown?: readonly number[];
  /** The number of rows of a list whose ids are not recorded. */
  count?: number;
};

/**
 * An act on each row of a part of a statement. The row has the `id`; `client` is its column with the client, or an id.
 */
export type PartAct = Omit<Act, "entityId" | "clientId"> & { client?: "id" | "client_id" | number };

/** The columns of an event, by name. */
type Columns = Readonly<Record<string, Sql>>;

const actorColumns = (actor: AuditActor): Columns => ({
  user_id: sql`${actor.userId}::int`,
  user_name: sql`${nameOf(actor)}::text`,
});

function requestColumns(): Columns {
  const { id: requestId = null, address = null } = requestContext() ?? {};
  return { request_id: sql`${requestId}::text`, address: sql`${address}::text` };
}

const actColumns = ({ action, entity }: Pick<Act, "action" | "entity">): Columns => ({
  action: sql`${action}::text`,
  entity: sql`${entity ?? null}::text`,
  ...requestColumns(),
});

const insertSql = (columns: Columns, from: Sql): Sql =>
  sql`INSERT INTO audit_events (${join(Object.keys(columns).map(identifier))})
   SELECT ${join(Object.values(columns))} FROM ${from}`;

/**
 * For statements that write nothing but the record of their read. PostgreSQL then responds before the event is on disk.
 * If PostgreSQL or the machine crashes, the newest events may be lost, but never a change.
 */
const ASYNC_COMMIT = sql`set_config('synchronous_commit', 'off', true)`;

/**
 * Records an act as a part of a larger SQL statement. There is one event for each row of the part `of`, which has the
 * record's `id`.
 */
export function auditPart(
  statement: Statement,
  actor: AuditActor | typeof ITSELF,
  act: PartAct,
  of: Sql,
  from = of,
): void {
  const { client = null, changes = [], clientKey, shown } = act;
  const count = shown?.length ?? act.count;
  const clientId = typeof client === "string" ? identifier(client) : sql`${client}::int`;
  const itself = {
    user_id: sql`id`,
    user_name: sql`(SELECT first_name || ' ' || last_name FROM users WHERE users.id = ${of}.id)`,
  };
  const columns: Record<string, Sql> = {
    ...(actor === ITSELF ? itself : actorColumns(actor)),
    ...actColumns(act),
    entity_id: sql`id`,
    client_id: clientId,
  };
  if (changes.length > 0) columns.fields = sql`${changes.map(({ field }) => field)}::text[]`;
  if (count !== undefined) columns.rows = sql`${count}::int`;
  if (shown) columns.shown = sql`${shown}::int[]`;
  if (changes.length > 0) {
    const { keyId, details, made: newKey } = encryptChanges(changes, clientKey);
    columns.key_id = sql`${keyId}::uuid`;
    columns.details = sql`${details}::bytea`;
    if (newKey)
      statement.with(
        sql`INSERT INTO client_keys (id, client_id, wrapped)
         SELECT ${newKey.id}::uuid, ${clientId}, ${newKey.wrapped}::bytea FROM ${of}`,
      );
  }
  statement.with(insertSql(columns, from));
}

const encryptChanges = (changes: readonly Change[], clientKey: ClientKey | null | undefined) =>
  clientKey === undefined ? encryptDetails({ changes }) : encryptForClient({ changes }, clientKey);

/** An act on a record that shows no list. */
export type RecordAct = Omit<Act, "shown" | "count">;

/** Records acts in the transaction of `query`, in their order and with one statement for all. */
export async function auditAll(query: Query, actor: AuditActor, acts: readonly RecordAct[]): Promise<void> {
  if (acts.length === 0) return;
  const made = new Map<number, ClientKey>();
  const newKeys: { id: string; clientId: number; wrapped: Buffer }[] = [];
  const events = acts.map(({ action, entity, entityId = null, clientId = null, changes = [], clientKey }) => {
    const event = { action, entity: entity ?? null, entityId, clientId };
    if (changes.length === 0) return { ...event, fields: null, keyId: null, details: null };
    const own = clientId === null ? undefined : made.get(clientId);
    const { keyId, details, made: newKey } = encryptChanges(changes, own ?? clientKey);
    if (newKey && clientId !== null) {
      newKeys.push({ ...newKey, clientId });
      made.set(clientId, { id: newKey.id, wrapped: newKey.wrapped.toString("base64") });
    }
    return { ...event, fields: JSON.stringify(changes.map(({ field }) => field)), keyId, details };
  });
  const statement = new Statement();
  if (newKeys.length > 0)
    statement.with(
      sql`INSERT INTO client_keys (id, client_id, wrapped) SELECT * FROM unnest(${newKeys.map(({ id }) => id)}::uuid[],
        ${newKeys.map(({ clientId }) => clientId)}::int[], ${newKeys.map(({ wrapped }) => wrapped)}::bytea[])`,
    );
  const columns: Columns = {
    ...actorColumns(actor),
    ...requestColumns(),
    action: sql`given.action`,
    entity: sql`given.entity`,
    entity_id: sql`given.entity_id`,
    client_id: sql`given.client_id`,
    fields: sql`CASE WHEN given.fields IS NOT NULL THEN ARRAY(SELECT jsonb_array_elements_text(given.fields::jsonb)) END`,
    key_id: sql`given.key_id`,
    details: sql`decode(given.details, 'hex')`,
  };
  statement.with(
    insertSql(
      columns,
      sql`unnest(${events.map(({ action }) => action)}::text[], ${events.map(({ entity }) => entity)}::text[],
        ${events.map(({ entityId }) => entityId)}::int[], ${events.map(({ clientId }) => clientId)}::int[],
        ${events.map(({ fields }) => fields)}::text[], ${events.map(({ keyId }) => keyId)}::uuid[],
        ${events.map(({ details }) => details?.toString("hex") ?? null)}::text[]) WITH ORDINALITY
        AS given (action, entity, entity_id, client_id, fields, key_id, details, place) ORDER BY given.place`,
    ),
  );
  await query(statement.sql(sql`SELECT`));
}

/** A client who was added to a list of a record (`from` is null) or removed from it (`to` is null). */
export type Membership = { from: number; to: null } | { from: null; to: number };

/** Records that clients were added to the list `field` of a record, or removed. Each event is about that client alone. */
export async function auditMembers(
  query: Query,
  actor: AuditActor,
  { field, ...record }: { entity: string; entityId: number; field: string },
  members: readonly Membership[],
): Promise<void> {
  if (members.length === 0) return;
  const clientOf = ({ from, to }: Membership) => from ?? to ?? 0;
  const keys = await readClientKeys(query, members.map(clientOf));
  const acts = members.map((member) => {
    const clientId = clientOf(member);
    const changes = [{ field, ...member }];
    return {
      ...record,
      action: "updated" as const,
      clientId,
      changes,
      clientKey: keys.get(clientId) ?? null,
    };
  });
  await auditAll(query, actor, acts);
}

/** Records an act in the transaction of `query`. */
export async function audit(query: Query, actor: AuditActor | typeof ITSELF, act: Act): Promise<void> {
  await record(query, actor, act);
}

/** Records a save in the transaction of `query`: `updated`, or `viewed` if it changed nothing. */
export const auditSave = (
  query: Query,
  actor: AuditActor,
  act: Omit<Act, "action"> & { changes: readonly Change[] },
): Promise<void> => audit(query, actor, { ...act, action: act.changes.length > 0 ? "updated" : "viewed" });

async function record(
  query: Query,
  actor: AuditActor | typeof ITSELF,
  act: Act,
  more = empty,
): Promise<void> {
  const { entityId = null, clientId = null, ...rest } = act;
  const statement = new Statement();
  const of = statement.with(sql`SELECT ${entityId}::int AS id, ${clientId}::int AS client_id`);
  auditPart(statement, actor, { ...rest, client: "client_id" }, of, sql`${of}${more}`);
  await query(statement.sql(sql`SELECT`));
}

/**
 * Records a read. If that fails, logs the failure and lets the read continue; with AUDIT_REQUIRED it throws 503.
 */
export async function auditRead(actor: AuditActor | typeof ITSELF, act: Act): Promise<void> {
  try {
    await record(rows, actor, act, READINGS.includes(act.action) ? sql`, ${ASYNC_COMMIT}` : empty);
  } catch (error) {
    reportUnrecorded(error, actor, act);
  }
}

/**
 * Returns the result of `recorded`, which records itself. If recording fails, returns the result of `plain` and logs
 * the events of `actsOf`; with AUDIT_REQUIRED it throws 503.
 */
async function readRecorded<Result>(
  actor: AuditActor,
  recorded: () => Promise<Result>,
  plain: () => Promise<Result>,
  actsOf: (result: Result) => Act[],
): Promise<Result> {
  try {
    return await recorded();
  } catch (error) {
    if (!isDatabaseError(error) || isTimeOut(error)) throw error;
    const result = await plain();
    for (const act of actsOf(result)) reportUnrecorded(error, actor, act);
    return result;
  }
}

/** Reads whose rows only their caller waits for: they are canceled when the client disconnects. */
const FOR_READERS: ReadonlySet<AuditAction> = new Set(["viewed", "printed", "exported"]);

/**
 * Reads the rows of `select` and records one event for each in the same statement. The rows have an `id`, and a
 * `client_id` if `act` refers to it. If recording fails, logs the failure and lets the read continue; with
 * AUDIT_REQUIRED it throws 503. With `endsWithCaller` it is canceled when the client disconnects; a refusal is not.
 */
export async function rowsRecorded<Row extends { id: number }>(
  actor: AuditActor,
  act: PartAct,
  select: Sql,
  endsWithCaller = FOR_READERS.has(act.action),
): Promise<Row[]> {
  const statement = new Statement();
  const of = statement.with(select);
  auditPart(statement, actor, act, of, sql`${of}, ${ASYNC_COMMIT}`);
  const readRows: ReadRows = endsWithCaller ? recordRows : (_, plain) => rows(plain);
  const label = `${act.entity} ${act.action}`;
  return readRecorded(
    actor,
    () => readRows<Row>(label, statement.sql(sql`SELECT * FROM ${of}`)),
    () => readRows<Row>(label, select),
    (read) => read.map(({ id }) => ({ ...act, entityId: id })),
  );
}

/**
 * The same for a client's whole record that is opened, printed or exported. For a file it reads from the replica, if
 * that has every committed change. It records the read on the primary before it returns anything.
 */
export async function rowsOfRecord<Row extends { id: number }>(
  actor: AuditActor,
  act: PartAct & { client: "id" | number },
  select: Sql,
): Promise<Row[]> {
  const reader = act.action === "exported" ? await replicaReader(0) : null;
  if (!reader?.asOf()) return rowsRecorded(actor, act, select);
  const records = await reader.rows<Row>(`${act.entity} exported`, select);
  const ids = records.map(({ id }) => id);
  await rowsRecorded(actor, act, sql`SELECT unnest(${ids}::int[]) AS id`);
  return records;
}

/**
 * Returns a recorder for a list of records, named as in request bodies, that was read or searched. The words of a
 * search are stored nowhere: they name clients, and no purge could find them.
 */
export function listing(actor: AuditActor, entity: string, search: string): Recorder {
  const act = { action: search ? "searched" : "listed", entity } as const;
  return {
    insert: insertSql(
      {
        ...actorColumns(actor),
        ...actColumns(act),
        rows: sql`count(*)::int`,
        shown: sql`COALESCE(array_agg(id ORDER BY place), '{}')`,
      },
      sql`page, ${ASYNC_COMMIT}`,
    ),
    read: (recorded, plain, shown) =>
      readRecorded(actor, recorded, plain, (result) => [{ ...act, shown: shown(result) }]),
  };
}

/** Logs an event that could not be recorded, with ids only. With AUDIT_REQUIRED it throws 503. */
function reportUnrecorded(
  error: unknown,
  actor: AuditActor | typeof ITSELF,
  { action, entity, entityId, shown }: Act,
): void {
  const userId = actor === ITSELF ? entityId : actor.userId;
  const event = { at: new Date().toISOString(), userId, action, entity, entityId, shown };
  log.error({ alarm: "audit_not_written", code: codeOf(error), event }, "An event could not be recorded");
  if (env().AUDIT_REQUIRED) throw unavailable();
}

/** Returns the record that an API or page path is about: `/api/age_brackets/3` → ageBracket 3. */
function recordAt(pathname: string): { entity?: string; entityId: number | null } {
  const [name = "", id = ""] = pathname.replace(/^\/(api\/|settings\/)?/, "").split("/");
  const entity = singular(name).replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return { entity: entity || undefined, entityId: /^\d{1,9}$/.test(id) ? Number(id) : null };
}

const visible = withoutActor("a refusal is recorded for records that the actor may not see");
type SelectIds = (ids: readonly number[]) => Sql;
/** The kinds of records that can exist without being visible to an actor, by their names in request bodies. */
const SCOPED = new Map<string, SelectIds>([
  ["form", (ids) => selectForms(sql`f.id, f.client_id`, visible, sql`f.id = ANY(${ids}::int[])`)],
  ["client", (ids) => selectClients(sql`c.id, c.id AS client_id`, visible, sql`c.id = ANY(${ids}::int[])`)],
]);

/** Adds a kind of declared record, with the SELECT of the `id` and `client_id` of its rows under the alias `row`. */
export function addScoped(entity: string, select: Sql, row: Sql): void {
  SCOPED.set(entity, (ids) => sql`${select} WHERE ${row}.id = ANY(${ids}::int[])`);
}

/** Records that `actor` was refused these records, one event for each that exists. */
export async function auditRefused(actor: AuditActor, entity: string, ids: readonly number[]): Promise<void> {
  const select = SCOPED.get(entity);
  if (select) await rowsRecorded(actor, { action: "refused", entity, client: "client_id" }, select(ids));
}

/** Records that `actor` was refused the record at `pathname`. A 404 counts if the record exists but is not visible. */
export async function auditRefusal(actor: AuditActor, code: ErrorCode, pathname: string): Promise<void> {
  const { entity, entityId } = recordAt(pathname);
  if (entityId !== null && entity && SCOPED.has(entity)) await auditRefused(actor, entity, [entityId]);
  else if (code !== "not_found") await auditRead(actor, { action: "refused", entity, entityId });
}
