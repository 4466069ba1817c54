import "server-only";
import pg from "pg";
import { isTimeOut, unavailable } from "@/lib/api/errors";
import { type AuditAction, READINGS } from "@/lib/audit/acts";
import type { Change } from "@/lib/audit/changes";
import { type ClientKey, type Encrypted, encryptDetails, encryptForClient } from "@/lib/audit/values";
import { fullName, type SessionUser } from "@/lib/auth/permissions";
import { type Bind, binding } from "@/lib/database/bind";
import { type Query, rows } from "@/lib/database/client";
import type { Recorder } from "@/lib/database/list";
import { Statement } from "@/lib/database/record-write";
import { singular } from "@/lib/fields/tables";
import { env } from "@/lib/server/env";
import { codeOf } from "@/lib/server/error-reports";
import { requestContext } from "@/lib/server/request-context";

// Who did what to which record and who saw it (contract §8). A change is recorded in its own statement or transaction,
// so that neither is there without the other; a reading in its statement, or right after it.

/** Who acts; without an id, somebody whom no account stands for. With a token, a program in the user's name. */
export type AuditActor = Pick<SessionUser, "firstName" | "lastName"> & {
  userId: number | null;
  token?: { name: string };
};

/** The name in an audit row: the sealed columns are fixed, so that a token is named here too. */
const nameOf = (actor: AuditActor) =>
  `${fullName(actor).trim()}${actor.token ? ` (token ${actor.token.name})` : ""}`;

export const NOBODY: AuditActor = { userId: null, firstName: "", lastName: "" };

/** The actor is the account that the record is: only its id is known. */
export const ITSELF = Symbol("the account itself");

export type Act = {
  action: AuditAction;
  /** The body's singular name of what it was done to. */
  entity?: string;
  entityId?: number | null;
  /** Whom the record is about, where it is about a client. */
  clientId?: number | null;
  changes?: readonly Change[];
  /** Of the client that `changes` are about, as it was read; null: there is none yet. Left out, they are about none. */
  clientKey?: ClientKey | null;
  /** The ids of the records that a list has shown. */
  shown?: readonly number[];
  search?: string;
};

/** An act on the rows of a part of a statement: `id` of each, and the column that names the client. */
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
 * To be read by a statement that only reads and records this: PostgreSQL then answers before the event is on the disk.
 * A crash of PostgreSQL or of the machine may lose the events of its last moments, never a change.
 */
const SOON_WRITTEN = "set_config('synchronous_commit', 'off', true)";

/** Records an act as a part of a statement, once for each row of the part `of`, which knows the record's id. */
export function auditPart(
  statement: Statement,
  actor: AuditActor | typeof ITSELF,
  act: PartAct,
  of: string,
  from = of,
): void {
  const bind: TypedBind = (value, type) => `${statement.bind(value)}::${type}`;
  const { client, changes = [], clientKey, shown, search } = act;
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
  if (shown) columns.push(["rows", bind(shown.length, "int")], ["shown", bind(shown, "int[]")]);
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

/** Records an act by `query`: in the transaction of the change. */
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

/** Records what was read, which goes on where that cannot be written. 503 with AUDIT_REQUIRED. */
export async function auditRead(actor: AuditActor | typeof ITSELF, act: Act): Promise<void> {
  try {
    await record(rows, actor, act, READINGS.includes(act.action) ? `, ${SOON_WRITTEN}` : "");
  } catch (error) {
    unrecorded(error, actor, act);
  }
}

/**
 * What `recorded` answers, a reading that records itself. Where that cannot be written, reading goes on with `plain`,
 * and the log names those of `said`. 503 with AUDIT_REQUIRED.
 */
async function readRecorded<Answer>(
  actor: AuditActor,
  recorded: () => Promise<Answer>,
  plain: () => Promise<Answer>,
  said: (answer: Answer) => Act[],
): Promise<Answer> {
  try {
    return await recorded();
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || isTimeOut(error)) throw error;
    const answer = await plain();
    for (const act of said(answer)) unrecorded(error, actor, act);
    return answer;
  }
}

/**
 * Rows of `select`, each with its `id` (and `client_id`, if `act` says so), recorded by the same statement. Where that
 * cannot be written, reading goes on without. 503 with AUDIT_REQUIRED.
 */
export async function rowsRecorded<Row extends { id: number }>(
  actor: AuditActor,
  act: PartAct,
  select: (bind: Bind) => string,
): Promise<Row[]> {
  const statement = new Statement();
  const of = statement.with(select(statement.bind));
  auditPart(statement, actor, act, of, `${of}, ${SOON_WRITTEN}`);
  return readRecorded(
    actor,
    () => rows<Row>(statement.sql(`SELECT * FROM ${of}`), statement.values),
    () => {
      const { values, bind } = binding();
      return rows<Row>(select(bind), values);
    },
    (read) => read.map(({ id }) => ({ ...act, entityId: id })),
  );
}

/** Records a reading of a list of records with the body's singular name `entity`, or a search in it. */
export function listing(actor: AuditActor, entity: string, search: string, keepsIds = true): Recorder {
  const act = { action: search ? "searched" : "listed", entity, search } as const;
  return {
    insert(bind, page, order) {
      const typed: TypedBind = (value, type) => `${bind(value)}::${type}`;
      const columns = [...actorColumns(typed, actor), ...actColumns(typed, act)];
      if (keepsIds)
        columns.push(["rows", "count(*)::int"], ["shown", `COALESCE(array_agg(id ORDER BY ${order}), '{}')`]);
      if (search) columns.push(...detailsColumns(typed, encryptDetails({ search })));
      return insertSql(columns, keepsIds ? `${page}, ${SOON_WRITTEN}` : SOON_WRITTEN);
    },
    read: (recorded, plain, shown) =>
      readRecorded(actor, recorded, plain, (answer) => [
        { ...act, ...(keepsIds && { shown: shown(answer) }) },
      ]),
    nothing: () => auditRead(actor, { ...act, ...(keepsIds && { shown: [] }) }),
  };
}

/** Says in the log what could not be recorded: ids alone. */
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

/** Where records can be out of an actor's sight. */
const SCOPED: Readonly<Record<string, string>> = {
  form: "SELECT id, client_id FROM forms",
  client: "SELECT id, id AS client_id FROM clients",
};

/** Records that `actor` was refused what is at `pathname`: 403, or 404 for a record that is there but out of sight. */
export async function auditRefusal(
  actor: AuditActor,
  code: "forbidden" | "not_found",
  pathname: string,
): Promise<void> {
  const { entity, entityId } = recordAt(pathname);
  const act = { action: "refused", entity, entityId } as const;
  const found = entity !== undefined && Object.hasOwn(SCOPED, entity) ? SCOPED[entity] : undefined;
  if (entityId !== null && found)
    await rowsRecorded(
      actor,
      { ...act, client: "client_id" },
      (bind) => `${found} WHERE id = ${bind(entityId)}`,
    );
  else if (code === "forbidden") await auditRead(actor, act);
}
