import "server-only";
import pg from "pg";
import type { ErrorCode } from "@/lib/api/codes";
import { isTimeOut, unavailable } from "@/lib/api/errors";
import { type AuditAction, READINGS } from "@/lib/audit/acts";
import type { Change } from "@/lib/audit/changes";
import { type ClientKey, type Encrypted, encryptDetails, encryptForClient } from "@/lib/audit/values";
import { fullName, type SessionUser } from "@/lib/auth/permissions";
import { type Bind, binding } from "@/lib/database/bind";
import { type Query, rows } from "@/lib/database/client";
import type { Recorder } from "@/lib/database/list";
import { Statement } from "@/lib/database/record-write";
import { replicaReader } from "@/lib/database/replica";
import { bound } from "@/lib/database/sql";
import { type ReadRows, recordRows } from "@/lib/database/statements";
import { singular } from "@/lib/fields/tables";
import { env } from "@/lib/server/env";
import { codeOf } from "@/lib/server/error-reports";
import { requestContext } from "@/lib/server/request-context";

// Records who did what to which record, and who saw it (contract §8). A change and its event are written by the same
// statement or transaction, so that neither exists without the other. A read is recorded by its own statement or right
// after it.

/** Who acts; without an id, somebody whom no account stands for. With a token, a program in the user's name. */
export type AuditActor = Pick<SessionUser, "firstName" | "lastName"> & {
  userId: number | null;
  token?: { name: string };
};

/** The name in an audit row: the sealed columns are fixed, so that a token is named here too. */
const nameOf = (actor: AuditActor) =>
  `${fullName(actor).trim()}${actor.token ? ` (token ${actor.token.name})` : ""}`;

export const NOBODY: AuditActor = { userId: null, firstName: "", lastName: "" };

/** The actor is the user account that the event is about; only its id is known. */
export const ITSELF = Symbol("the account itself");

type Act = {
  action: AuditAction;
  /** The kind of record, as bodies name it: `form`. */
  entity?: string;
  entityId?: number | null;
  /** The client that the record is about, if any. */
  clientId?: number | null;
  changes?: readonly Change[];
  /** The stored key of the client that `changes` are about; null if there is none yet, undefined if they concern no client. */
  clientKey?: ClientKey | null;
  /** The ids of the records that a list showed. */
  shown?: readonly number[];
  /** How many rows a list had, where their ids are not recorded. */
  count?: number;
  search?: string;
};

/** An act on each row of a part of a statement. The row has the `id`; `client` is its column with the client, or an id. */
type PartAct = Omit<Act, "entityId" | "clientId"> & { client?: "id" | "client_id" | number };

type Column = readonly [name: string, sql: string];
type TypedBind = (value: unknown, type: string) => string;

const actorColumns = (bind: TypedBind, actor: AuditActor): Column[] => [
  ["user_id", bind(actor.userId, "int")],
  ["user_name", bind(nameOf(actor), "text")],
];

function actColumns(bind: TypedBind, { action, entity }: Pick<Act, "action" | "entity">): Column[] {
  const { id: requestId = null, address = null } = requestContext() ?? {};
  return [
    ["action", bind(action, "text")],
    ["entity", bind(entity ?? null, "text")],
    ["request_id", bind(requestId, "text")],
    ["address", bind(address, "text")],
  ];
}

const detailsColumns = (bind: TypedBind, { keyId, details }: Encrypted): Column[] => [
  ["key_id", bind(keyId, "uuid")],
  ["details", bind(details, "bytea")],
];

const insertSql = (columns: readonly Column[], from: string) =>
  `INSERT INTO audit_events (${columns.map(([name]) => name).join(", ")})
   SELECT ${columns.map(([, sql]) => sql).join(", ")} FROM ${from}`;

/**
 * Selected by statements that read and record the read, and write nothing else: PostgreSQL then answers before the event
 * is on disk. If PostgreSQL or the machine crashes, the events of the last moments may be lost, but never a change.
 */
const SOON_WRITTEN = "set_config('synchronous_commit', 'off', true)";

/**
 * Records an act as a part of a larger SQL statement: one event for each row of the part `of`, which has the record's
 * `id`.
 */
export function auditPart(
  statement: Statement,
  actor: AuditActor | typeof ITSELF,
  act: PartAct,
  of: string,
  from = of,
): void {
  const bind: TypedBind = (value, type) => `${statement.bind(value)}::${type}`;
  const { client, changes = [], clientKey, shown, search } = act;
  const count = shown?.length ?? act.count;
  const clientId = typeof client === "number" ? bind(client, "int") : (client ?? "NULL::int");
  const columns: Column[] = [
    ...(actor === ITSELF
      ? ([
          ["user_id", "id"],
          ["user_name", `(SELECT first_name || ' ' || last_name FROM users WHERE users.id = ${of}.id)`],
        ] as const)
      : actorColumns(bind, actor)),
    ...actColumns(bind, act),
    ["entity_id", "id"],
    ["client_id", clientId],
  ];
  if (changes.length > 0)
    columns.push([
      "fields",
      bind(
        changes.map(({ field }) => field),
        "text[]",
      ),
    ]);
  if (count !== undefined) columns.push(["rows", bind(count, "int")]);
  if (shown) columns.push(["shown", bind(shown, "int[]")]);
  if (changes.length > 0 || search) {
    const details = { ...(changes.length > 0 && { changes }), ...(search && { search }) };
    const made = clientKey === undefined ? encryptDetails(details) : encryptForClient(details, clientKey);
    columns.push(...detailsColumns(bind, made));
    if (made.made) {
      const { id, wrapped } = made.made;
      statement.with(
        `INSERT INTO client_keys (id, client_id, wrapped) SELECT ${bind(id, "uuid")}, ${clientId}, ${bind(wrapped, "bytea")} FROM ${of}`,
      );
    }
  }
  statement.with(insertSql(columns, from));
}

/** Records an act in the transaction of `query`. */
export async function audit(query: Query, actor: AuditActor | typeof ITSELF, act: Act): Promise<void> {
  await record(query, actor, act);
}

async function record(query: Query, actor: AuditActor | typeof ITSELF, act: Act, more = ""): Promise<void> {
  const { entityId = null, clientId = null, ...rest } = act;
  const statement = new Statement();
  const of = statement.with(
    `SELECT ${statement.bind(entityId)}::int AS id, ${statement.bind(clientId)}::int AS client_id`,
  );
  auditPart(statement, actor, { ...rest, client: "client_id" }, of, `${of}${more}`);
  await query(statement.sql("SELECT"), statement.values);
}

/** Records a read. If that fails, the failure is logged and the read continues; with AUDIT_REQUIRED it is a 503. */
export async function auditRead(actor: AuditActor | typeof ITSELF, act: Act): Promise<void> {
  try {
    await record(rows, actor, act, READINGS.includes(act.action) ? `, ${SOON_WRITTEN}` : "");
  } catch (error) {
    unrecorded(error, actor, act);
  }
}

/**
 * Returns what `recorded` reads, which records itself. If recording fails, returns what `plain` reads and logs the events
 * of `actsOf`; with AUDIT_REQUIRED it is a 503.
 */
async function readRecorded<Answer>(
  actor: AuditActor,
  recorded: () => Promise<Answer>,
  plain: () => Promise<Answer>,
  actsOf: (answer: Answer) => Act[],
): Promise<Answer> {
  try {
    return await recorded();
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || isTimeOut(error)) throw error;
    const answer = await plain();
    for (const act of actsOf(answer)) unrecorded(error, actor, act);
    return answer;
  }
}

/** The reads whose rows only their caller waits for: they are cancelled when the client disconnects. */
const FOR_READERS: ReadonlySet<AuditAction> = new Set(["viewed", "printed", "exported"]);

/**
 * Reads the rows of `select` and records one event for each in the same statement. The rows have an `id`, and a
 * `client_id` if `act` refers to it. If recording fails, the failure is logged and the read continues; with
 * AUDIT_REQUIRED it is a 503. `endsWithCaller`: whether it is cancelled when the client disconnects; a refusal is not.
 */
export async function rowsRecorded<Row extends { id: number }>(
  actor: AuditActor,
  act: PartAct,
  select: (bind: Bind) => string,
  endsWithCaller = FOR_READERS.has(act.action),
): Promise<Row[]> {
  const statement = new Statement();
  const of = statement.with(select(statement.bind));
  auditPart(statement, actor, act, of, `${of}, ${SOON_WRITTEN}`);
  const read: ReadRows = endsWithCaller ? recordRows : (_, text, values) => rows(text, values);
  const label = `${act.entity} ${act.action}`;
  return readRecorded(
    actor,
    () => read<Row>(label, statement.sql(`SELECT * FROM ${of}`), statement.values),
    () => {
      const { values, bind } = binding();
      return read<Row>(label, select(bind), values);
    },
    (read) => read.map(({ id }) => ({ ...act, entityId: id })),
  );
}

/**
 * The same for a client's whole record, opened, printed or exported. For a file it is read from the replica, where that
 * has everything committed until now, and recorded on the primary before anything of it is answered.
 */
export async function rowsOfRecord<Row extends { id: number }>(
  actor: AuditActor,
  act: PartAct & { client: "id" | number },
  select: (bind: Bind) => string,
): Promise<Row[]> {
  const reader = act.action === "exported" ? await replicaReader(0) : null;
  if (!reader?.asOf()) return rowsRecorded(actor, act, select);
  const { values, bind } = binding();
  const found = await reader.rows<Row>(`${act.entity} exported`, select(bind), values);
  const ids = found.map(({ id }) => id);
  await rowsRecorded(actor, act, (bind) => `SELECT unnest(${bind(ids)}::int[]) AS id`);
  return found;
}

/** Records that a list of records, named as bodies name one of them, was read or searched. */
export function listing(actor: AuditActor, entity: string, search: string): Recorder {
  const act = { action: search ? "searched" : "listed", entity, search } as const;
  return {
    insert: bound((bind) => {
      const typed: TypedBind = (value, type) => `${bind(value)}::${type}`;
      const columns = [...actorColumns(typed, actor), ...actColumns(typed, act)];
      columns.push(["rows", "count(*)::int"], ["shown", "COALESCE(array_agg(id ORDER BY place), '{}')"]);
      if (search) columns.push(...detailsColumns(typed, encryptDetails({ search })));
      return insertSql(columns, `page, ${SOON_WRITTEN}`);
    }),
    read: (recorded, plain, shown) =>
      readRecorded(actor, recorded, plain, (answer) => [{ ...act, shown: shown(answer) }]),
  };
}

/** Logs an event that could not be recorded. It contains only ids. */
function unrecorded(
  error: unknown,
  actor: AuditActor | typeof ITSELF,
  { action, entity, entityId, shown }: Act,
): void {
  const { id, route } = requestContext() ?? {};
  const userId = actor === ITSELF ? entityId : actor.userId;
  const event = { at: new Date().toISOString(), userId, action, entity, entityId, shown };
  console.error(
    JSON.stringify({ level: "error", alarm: "audit_not_written", id, route, code: codeOf(error), event }),
  );
  if (env().AUDIT_REQUIRED) throw unavailable();
}

/** The record that a path of the API or of a page is about: `/api/age_brackets/3` → ageBracket 3. */
function recordAt(pathname: string): { entity?: string; entityId: number | null } {
  const [name = "", id = ""] = pathname.replace(/^\/(api\/|settings\/)?/, "").split("/");
  const entity = singular(name).replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return { entity: entity || undefined, entityId: /^\d{1,9}$/.test(id) ? Number(id) : null };
}

/** The kinds of records that can exist without being visible to an actor. */
const SCOPED = {
  form: "SELECT id, client_id FROM forms",
  client: "SELECT id, id AS client_id FROM clients",
} as const;

/** Records that `actor` was refused these forms or clients, one event for each that exists. */
export async function auditRefused(
  actor: AuditActor,
  entity: keyof typeof SCOPED,
  ids: readonly number[],
): Promise<void> {
  await rowsRecorded(
    actor,
    { action: "refused", entity, client: "client_id" },
    (bind) => `${SCOPED[entity]} WHERE id = ANY(${bind(ids)}::int[])`,
  );
}

/**
 * Records that `actor` was refused the record at `pathname`: a 403, or a 404 for a record that exists but is not
 * visible.
 */
export async function auditRefusal(actor: AuditActor, code: ErrorCode, pathname: string): Promise<void> {
  const { entity, entityId } = recordAt(pathname);
  if (entityId !== null && (entity === "form" || entity === "client"))
    await auditRefused(actor, entity, [entityId]);
  else if (code !== "not_found") await auditRead(actor, { action: "refused", entity, entityId });
}
