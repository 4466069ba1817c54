import "server-only";
import type { z } from "zod";
import { notFound } from "@/lib/api/errors";
import type { Meta } from "@/lib/api/list-query";
import { READINGS } from "@/lib/audit/acts";
import type { Change } from "@/lib/audit/changes";
import { readFormerKeys } from "@/lib/audit/former";
import { listing, rowsRecorded } from "@/lib/audit/record";
import { decryptDetails } from "@/lib/audit/values";
import { can, canAny, type SessionUser } from "@/lib/auth/permissions";
import { assertAllowed, visibleClientsWhere, visibleFormsWhere } from "@/lib/auth/scope";
import { clientSchema } from "@/lib/clients/schema";
import { type Bind, binding } from "@/lib/database/bind";
import { type Query, rows } from "@/lib/database/client";
import { readPage } from "@/lib/database/list";
import { isoTimestamp } from "@/lib/database/record-read";
import { schemasAlong } from "@/lib/fields/facts";
import { formSchema } from "@/lib/forms/schema";
import type {
  AuditEvent,
  AuditListQuery,
  AuditUser,
  History,
  HistoryChange,
  HistoryEvent,
} from "@/lib/history/schema";
import { namesOf, textIn } from "@/lib/history/texts";
import { env } from "@/lib/server/env";

/** The beginning of a day of the organisation's, `after` days later. */
const beginOf = (day: string, bind: Bind, after = 0) =>
  `(${bind(day)}::date + ${after})::timestamp AT TIME ZONE ${bind(env().TZ)}`;

/** The audit trail, newest first (contract §8). */
export async function listAuditEvents(
  actor: SessionUser,
  query: AuditListQuery,
): Promise<{ auditEvents: AuditEvent[]; meta: Meta }> {
  assertAllowed(actor, "audit-log");
  const { userId, entity, entityId, action, from, to } = query.filters;
  const showing = action === "listed" || action === "searched";
  const { items, meta } = await readPage<AuditEvent>(
    {
      name: "audit events",
      from: "audit_events e",
      alias: "e",
      item: `json_build_object('id', e.id, 'at', ${isoTimestamp("e.at")}, 'userId', e.user_id, 'userName', e.user_name,
        'action', e.action, 'entity', e.entity, 'entityId', e.entity_id, 'requestId', e.request_id,
        'address', e.address, 'fields', COALESCE(e.fields, '{}'), 'shown', e.shown)`,
      where: (bind) => [
        ...(userId === null ? [] : [`e.user_id = ${bind(userId)}`]),
        ...(entity === null ? [] : [`e.entity = ${bind(entity)}`]),
        ...(action === null ? [] : [`e.action = ${bind(action)}`]),
        ...(from === null ? [] : [`e.at >= ${beginOf(from, bind)}`]),
        ...(to === null ? [] : [`e.at < ${beginOf(to, bind, 1)}`]),
        ...(entityId === null
          ? []
          : [showing ? `e.shown @> ARRAY[${bind(entityId)}::int]` : `e.entity_id = ${bind(entityId)}`]),
      ],
      sorts: { at: "e.at" },
      search: async (search) => ({
        where: (bind) => `strpos(lower(e.user_name), lower(${bind(search)})) > 0`,
      }),
    },
    query,
    listing(actor, "auditEvent", query.search, false),
  );
  return { auditEvents: items, meta };
}

/** Whose events there may be, by name: the Audit Log is theirs to narrow, whatever else its holder may read. */
export async function auditUsers(actor: SessionUser): Promise<AuditUser[]> {
  assertAllowed(actor, "audit-log");
  return rows(
    "SELECT id, first_name || ' ' || last_name AS name, active FROM users ORDER BY lower(first_name || ' ' || last_name), id",
  );
}

/** Records whose history is kept with its values: how they are found within the actor's sight, and their fields. */
const RECORDS = {
  form: {
    schema: formSchema,
    select: (actor: SessionUser, id: number, bind: Bind) =>
      `SELECT f.id, f.client_id FROM forms f WHERE f.id = ${bind(id)} AND ${visibleFormsWhere(actor, bind)}`,
  },
  client: {
    schema: clientSchema,
    select: (actor: SessionUser, id: number, bind: Bind) =>
      `SELECT c.id, c.id AS client_id FROM clients c WHERE c.id = ${bind(id)} AND ${visibleClientsWhere(actor)}`,
  },
} as const;
type Kind = keyof typeof RECORDS;

/** Records that the actor has seen or printed a form or client; 404 if there is none in the actor's sight. */
async function recordReading(
  actor: SessionUser,
  action: "viewed" | "printed",
  entity: Kind,
  id: number,
): Promise<void> {
  const act = { action, entity, client: "client_id" } as const;
  const found = await rowsRecorded(actor, act, (bind) => RECORDS[entity].select(actor, id, bind));
  if (found.length === 0) throw notFound();
}

/** Records that the actor has printed a form or client; 404 if there is none in the actor's sight. */
export const recordPrinted = (actor: SessionUser, entity: Kind, id: number): Promise<void> =>
  recordReading(actor, "printed", entity, id);

/** `readHistory` for the eyes of the actor: it holds the record's values, so that it counts as a view of the record. */
export async function openHistory(actor: SessionUser, entity: Kind, id: number): Promise<History> {
  const history = await readHistory(actor, entity, id);
  await recordReading(actor, "viewed", entity, id);
  return history;
}

/** How many events of a record are told at most. */
const MOST = 500;

type Row = Omit<HistoryEvent, "changes"> & {
  fields: string[] | null;
  details: Buffer | null;
  keyId: string | null;
  wrapped: Buffer | null;
};

/**
 * What was done to a form or client that the actor may read, newest first; what was read of it, for Audit Log alone.
 * Former values of a client need All Forms or Audit Log, and are null for everyone else (contract §8). 404.
 */
export async function readHistory(actor: SessionUser, entity: Kind, id: number): Promise<History> {
  const { values, bind } = binding();
  const [record] = await rows(RECORDS[entity].select(actor, id, bind), values);
  if (!record) throw notFound();
  const found = await rows<Row>(
    `SELECT e.id::int, ${isoTimestamp("e.at")} AS at, e.user_id AS "userId", e.user_name AS "userName", e.action,
       e.fields, e.details, e.key_id AS "keyId", k.wrapped
     FROM audit_events e LEFT JOIN client_keys k ON k.id = e.key_id
     WHERE e.entity = $1 AND e.entity_id = $2 AND NOT e.action = ANY($3::text[])
     ORDER BY e.at DESC, e.id DESC LIMIT ${MOST + 1}`,
    [entity, id, can(actor, "audit-log") ? [] : READINGS],
  );
  const former = found.some(({ details, keyId }) => details && keyId === null)
    ? (await readFormerKeys(rows)).map(({ details }) => details)
    : [];
  const mayReadValues = entity === "form" || canAny(actor, ["all-forms", "audit-log"]);
  const events = found.slice(0, MOST).map(({ fields, details, keyId, wrapped, ...event }) => {
    const opened =
      mayReadValues && details ? decryptDetails(details, keyId, wrapped, former)?.changes : undefined;
    const changes = opened ?? (fields ?? []).map((field) => ({ field, from: null, to: null }));
    return { ...event, readable: opened !== undefined, changes };
  });
  const names = await namesIn(
    rows,
    RECORDS[entity].schema,
    events.flatMap(({ changes }) => changes),
  );
  return {
    events: events.map(({ readable, changes, ...event }) => ({
      ...event,
      changes: changes.map((change) => told(RECORDS[entity].schema, change, readable, names)),
    })),
    truncated: found.length > MOST,
  };
}

/** The field that a change is of, below the name of its record. */
const factsAt = (schema: z.core.$ZodType, field: string) => [
  ...schemasAlong(schema, field.split(".").slice(1)),
];

function namesIn(query: Query, schema: z.core.$ZodType, changes: readonly Change[]) {
  return namesOf(
    query,
    changes.map(({ field, from, to }) => ({
      facts: factsAt(schema, field).at(-1)?.facts,
      values: [from, to],
    })),
  );
}

function told(
  schema: z.core.$ZodType,
  { field, from, to }: Change,
  readable: boolean,
  names: ReadonlyMap<string, string>,
): HistoryChange {
  const along = factsAt(schema, field);
  const label = along
    .map(({ name, facts }) => (/^\d+$/.test(name) ? String(Number(name) + 1) : (facts?.label ?? name)))
    .filter(Boolean)
    .join(" › ");
  const facts = along.at(-1)?.facts;
  const text = (value: unknown) => (readable ? textIn(facts, value, names) : null);
  return { field, label, from, to, fromText: text(from), toText: text(to) };
}
