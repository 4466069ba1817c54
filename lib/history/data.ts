import "server-only";
import type { z } from "zod";
import { notFound } from "@/lib/api/errors";
import type { InFile } from "@/lib/api/list-file";
import type { Meta } from "@/lib/api/list-query";
import { READINGS } from "@/lib/audit/acts";
import type { Change } from "@/lib/audit/changes";
import { readFormerKeys } from "@/lib/audit/former";
import { auditRead, listing, rowsRecorded } from "@/lib/audit/record";
import { decryptDetails } from "@/lib/audit/values";
import { can, canAny, type SessionUser } from "@/lib/auth/permissions";
import { assertAllowed, type Hiding, visibleClientsWhere, visibleFormsWhere } from "@/lib/auth/scope";
import { MERGED_INTO } from "@/lib/clients/merged";
import { clientSchema } from "@/lib/clients/schema";
import type { Bind } from "@/lib/database/bind";
import { type Query, rows } from "@/lib/database/client";
import { type List, readPage } from "@/lib/database/list";
import { listedTable, type Table } from "@/lib/database/list-export";
import { namesOf } from "@/lib/database/record-names";
import { isoTimestamp } from "@/lib/database/record-read";
import { bound, raw, sql } from "@/lib/database/sql";
import { recordRows } from "@/lib/database/statements";
import { type Cells, textOf } from "@/lib/fields/columns";
import { schemasAlong } from "@/lib/fields/facts";
import { capitalize, currency, shortDateTimeOfDay } from "@/lib/fields/format";
import { formSchema } from "@/lib/forms/schema";
import type {
  AuditEvent,
  AuditListQuery,
  AuditUser,
  History,
  HistoryChange,
  HistoryEvent,
} from "@/lib/history/schema";
import { AUDIT_LABELS, entityWords, fieldWords, sentence, whoWords } from "@/lib/history/words";
import { env } from "@/lib/server/env";

/** SQL for the start of a day in the organisation's time zone, `after` days later. */
const beginOf = (day: string, bind: Bind, after = 0) =>
  `(${bind(day)}::date + ${after})::timestamp AT TIME ZONE ${bind(env().TZ)}`;

/**
 * ` AND …`: the event `e` is about no client who is hidden from the actor, nor about a form or record that is theirs
 * again after a merge, and its values are under no key that they share (lib/merges).
 */
export function andAboutNobodyHidden(actor: Hiding, bind: Bind): string {
  if (actor.hiddenClients.length === 0) return "";
  const hidden = `${bind(actor.hiddenClients)}::int[]`;
  return ` AND (e.client_id = ANY(${hidden})
      OR e.entity = 'client' AND e.entity_id = ANY(${hidden})
      OR e.entity = 'form' AND EXISTS (SELECT FROM forms f WHERE f.id = e.entity_id AND f.client_id = ANY(${hidden}))
      OR EXISTS (SELECT FROM client_keys s
        WHERE s.id = e.key_id AND s.also_ids <> '{}' AND (s.also_ids || s.client_id) && ${hidden})) IS NOT TRUE`;
}

/** SQL for the ids that the listing `e` showed and for their number, both without hidden clients and their forms. */
function shownOf({ hiddenClients }: Hiding): { ids: string; count: string } {
  if (hiddenClients.length === 0) return { ids: "e.shown", count: "e.rows" };
  // Written out, because the columns of a list bind no values; these are numbers from the database.
  const hidden = `'{${hiddenClients.join(",")}}'::int[]`;
  const ids = `CASE WHEN e.shown IS NOT NULL THEN ARRAY(
    SELECT id FROM unnest(e.shown) WITH ORDINALITY AS listed (id, place)
    WHERE NOT (e.entity = 'client' AND id = ANY(${hidden})) AND NOT (e.entity = 'form'
      AND EXISTS (SELECT FROM forms f WHERE f.id = listed.id AND f.client_id = ANY(${hidden})))
    ORDER BY place) END`;
  return { ids, count: `coalesce(cardinality(${ids}), e.rows)` };
}

/** SQL: the event `e` is a list, a search or an export that showed the record of this id. */
const showedSql = (id: string) => `e.shown @> ARRAY[${id}::int]`;

/** The list of audit events that match the filters, without those about clients who are hidden from the actor. */
function auditList(actor: SessionUser, { filters }: AuditListQuery): List {
  const { userId, entity, entityId, action, from, to } = filters;
  const shown = shownOf(actor);
  const showed = (id: string) =>
    `${showedSql(id)}${actor.hiddenClients.length === 0 ? "" : ` AND ${id}::int = ANY(${shown.ids})`}`;
  return {
    name: "audit events",
    from: sql`audit_events e`,
    id: sql`e.id`,
    item: raw(`json_build_object('id', e.id, 'at', ${isoTimestamp("e.at")}, 'userId', e.user_id, 'userName', e.user_name,
      'action', e.action, 'entity', e.entity, 'entityId', e.entity_id, 'requestId', e.request_id,
      'address', e.address, 'fields', COALESCE(e.fields, '{}'), 'rows', ${shown.count}, 'shown', ${shown.ids})`),
    where: [
      bound((bind) => `TRUE${andAboutNobodyHidden(actor, bind)}`),
      ...(userId === null ? [] : [sql`e.user_id = ${userId}`]),
      ...(entity === null ? [] : [sql`e.entity = ${entity}`]),
      // The events of the record, and every list, search and export that has shown it.
      ...(entityId === null
        ? []
        : [bound((bind) => `(e.entity_id = ${bind(entityId)} OR ${showed(bind(entityId))})`)]),
      ...(action === null ? [] : [sql`e.action = ${action}`]),
      ...(from === null ? [] : [bound((bind) => `e.at >= ${beginOf(from, bind)}`)]),
      ...(to === null ? [] : [bound((bind) => `e.at < ${beginOf(to, bind, 1)}`)]),
    ],
    sorts: { at: { keys: [sql`e.at`] } },
    search: async (search) => sql`strpos(lower(e.user_name), lower(${search})) > 0`,
  };
}

/** A page of the audit trail, newest first (contract §8). */
export async function listAuditEvents(
  actor: SessionUser,
  query: AuditListQuery,
): Promise<{ auditEvents: AuditEvent[]; meta: Meta }> {
  assertAllowed(actor, "audit-log");
  const record = listing(actor, "auditEvent", query.search);
  const { items, meta } = await readPage<AuditEvent>(auditList(actor, query), query, record);
  return { auditEvents: items.value(), meta };
}

const AUDIT_CELLS: Cells<AuditEvent> = {
  [AUDIT_LABELS.at]: ({ at }) => at,
  [AUDIT_LABELS.userName]: ({ userName }) => whoWords(userName),
  [AUDIT_LABELS.action]: sentence,
  [AUDIT_LABELS.fields]: ({ fields }) => fieldWords(fields),
  [AUDIT_LABELS.address]: ({ address }) => address ?? "",
};

/** All events that match the filters, to be written to a file; recorded as exported. */
export async function exportAuditEvents(actor: SessionUser, query: InFile<AuditListQuery>): Promise<Table> {
  assertAllowed(actor, "audit-log");
  const exporting = { actor, entity: "auditEvent", list: auditList(actor, query), query };
  return listedTable("audit_log", exporting, AUDIT_CELLS);
}

/** All users by name, for the filter of the Audit Log, whose holders may lack the permissions for other lists of users. */
export async function auditUsers(actor: SessionUser): Promise<AuditUser[]> {
  assertAllowed(actor, "audit-log");
  const users = await rows<AuditUser>(
    "SELECT id, first_name || ' ' || last_name AS name, active FROM users ORDER BY lower(first_name || ' ' || last_name), id",
  );
  await auditRead(actor, { action: "listed", entity: "user", shown: users.map(({ id }) => id) });
  return users;
}

/** The records that have a history: their fields, and the SQL that finds one if the actor may see it. */
const RECORDS = {
  form: {
    schema: formSchema,
    select: (actor: SessionUser, id: number, bind: Bind) =>
      `SELECT f.id, f.client_id FROM forms f WHERE f.id = ${bind(id)} AND ${visibleFormsWhere(actor, bind)}`,
  },
  client: {
    schema: clientSchema,
    select: (actor: SessionUser, id: number, bind: Bind) =>
      // The history of a merged client belongs to the one who has the record today.
      `SELECT c.id, c.id AS client_id FROM clients c WHERE c.id = ${bind(id)} AND ${visibleClientsWhere(actor, bind)}
       UNION ALL SELECT links.merged_id, c.id FROM ${MERGED_INTO} AS links JOIN clients c ON c.id = links.client_id
       WHERE links.merged_id = ${bind(id)} AND ${visibleClientsWhere(actor, bind)}`,
  },
} as const;
type Kind = keyof typeof RECORDS;

/** Records that the actor printed a form or client; 404 if the actor cannot see it. */
export async function recordPrinted(actor: SessionUser, entity: Kind, id: number): Promise<void> {
  const act = { action: "printed", entity, client: "client_id" } as const;
  // The paper is there, whether or not the caller still waits.
  const found = await rowsRecorded(actor, act, (bind) => RECORDS[entity].select(actor, id, bind), false);
  if (found.length === 0) throw notFound();
}

/** The most events of a record that a history shows, and the most lists that showed it. */
const MOST = 500;

/** An event whose values are still encrypted. Binary columns are base64. */
export type Row = Omit<HistoryEvent, "changes"> & {
  fields: string[] | null;
  details: string | null;
  keyId: string | null;
  wrapped: string | null;
};

/** SQL for the newest events about records of a kind, as `Row`s. It reads one more than is shown, to learn whether there are more. */
export const eventsSql = (entity: Kind, where: string, most = MOST + 1): string =>
  `SELECT e.id::int, ${isoTimestamp("e.at")} AS at, e.user_id AS "userId", e.user_name AS "userName", e.action, e.fields,
     encode(e.details, 'base64') AS details, e.key_id AS "keyId", encode(k.wrapped, 'base64') AS wrapped
   FROM audit_events e LEFT JOIN client_keys k ON k.id = e.key_id
   WHERE e.entity = '${entity}' AND ${where}
   ORDER BY e.at DESC, e.id DESC LIMIT ${most}`;

/**
 * The history of a form or client, newest first (contract §8). Reads of it, and the lists, searches and exports that
 * showed it, are included only for holders of Audit Log, and who must not know of the client only for them and for
 * holders of Restrict Clients.
 * Old and new values of a client are included only for All Forms or Audit Log, and are null for everyone else. Opening
 * the history is recorded as a view of the record; that view itself is not part of the answer. 404 if the actor cannot
 * see the record.
 */
export async function openHistory(actor: SessionUser, entity: Kind, id: number): Promise<History> {
  const auditor = can(actor, "audit-log");
  const untold = [
    ...(auditor ? [] : READINGS),
    ...(canAny(actor, ["audit-log", "restrict-clients"]) ? [] : ["restricted"]),
  ];
  const [record] = await rowsRecorded<{ id: number; events: Row[]; showings: Row[] }>(
    actor,
    { action: "viewed", entity, client: "client_id" },
    (bind) => {
      const newest = (where: string) => {
        const events = eventsSql(entity, `${where}${andAboutNobodyHidden(actor, bind)}`);
        return `(SELECT COALESCE(json_agg(event ORDER BY event.at DESC, event.id DESC), '[]') FROM (${events}) AS event)`;
      };
      // Apart, because lists show a record far more often than anybody changes it. Its id is bound, because the planner
      // takes the index only for a number that it knows.
      const showings = auditor ? newest(showedSql(bind(id))) : "'[]'::json";
      return `SELECT record.id, record.client_id, ${showings} AS showings,
          ${newest(`e.entity_id = record.id AND NOT e.action = ANY(${bind(untold)}::text[])`)} AS events
        FROM (${RECORDS[entity].select(actor, id, bind)}) AS record`;
    },
  );
  if (!record) throw notFound();
  const both = [record.events, record.showings];
  const newest = both.flatMap((events) => events.slice(0, MOST)).sort(newestFirst);
  const mayReadValues = entity === "form" || canAny(actor, ["all-forms", "audit-log"]);
  return {
    events: await tell(historyRows, RECORDS[entity].schema, newest, mayReadValues),
    truncated: both.some((events) => events.length > MOST),
  };
}

const newestFirst = (one: Row, other: Row) => other.at.localeCompare(one.at) || other.id - one.id;

/** The same for the screen, with each moment formatted in the organisation's time zone. */
export async function loadHistory(actor: SessionUser, entity: Kind, id: number) {
  const { events, truncated } = await openHistory(actor, entity, id);
  return {
    events: events.map(({ at, ...event }) => ({ ...event, moment: shortDateTimeOfDay(at) })),
    truncated,
  };
}

const bytesIn = (base64: string) => Buffer.from(base64, "base64");

/** The rows of a statement that only whoever looks at a history waits for: it is cancelled when they leave. */
export const historyRows: Query = (text, values = []) => recordRows("history", text, values);

/** Events with their changes: labels of the fields, and the values if they may be shown and can be decrypted. */
export async function tell(
  query: Query,
  schema: z.core.$ZodType,
  found: readonly Row[],
  mayReadValues: boolean,
): Promise<HistoryEvent[]> {
  const former = found.some(({ details, keyId }) => details && keyId === null)
    ? (await readFormerKeys(query)).map(({ details }) => details)
    : [];
  const open = ({ details, keyId, wrapped }: Row) =>
    mayReadValues && details
      ? decryptDetails(bytesIn(details), keyId, wrapped === null ? null : bytesIn(wrapped), former)?.changes
      : undefined;
  const events = found.map((row) => {
    const { fields, details: _, keyId: __, wrapped: ___, ...event } = row;
    const opened = open(row);
    const changes = opened ?? (fields ?? []).map((field) => ({ field, from: null, to: null }));
    return { ...event, readable: opened !== undefined, changes };
  });
  const names = await namesIn(
    query,
    schema,
    events.flatMap(({ changes }) => changes),
  );
  return events.map(({ readable, changes, ...event }) => ({
    ...event,
    changes: changes.map((change) => changeShown(schema, change, readable, names)),
  }));
}

/** The schemas along the path of a changed field, without the name of the record that the path begins with. */
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

function changeShown(
  schema: z.core.$ZodType,
  { field, from, to }: Change,
  readable: boolean,
  names: ReadonlyMap<string, string>,
): HistoryChange {
  const along = factsAt(schema, field);
  const label = along
    .map(({ name, facts }) => {
      if (/^\d+$/.test(name)) return String(Number(name) + 1);
      return facts?.label ?? capitalize(entityWords(name));
    })
    .filter(Boolean)
    .join(" › ");
  const facts = along.at(-1)?.facts;
  const text = (value: unknown) => {
    if (!readable) return null;
    const isAmount = facts?.kind === "money" && typeof value === "number";
    return isAmount ? currency(value) : textOf(value, facts, names, ", ");
  };
  return { field, label, from, to, fromText: text(from), toText: text(to) };
}
