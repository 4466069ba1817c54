import "server-only";
import type * as z from "zod/mini";
import { pathLabel, sentencesOf, type ValueText } from "@/lib/audit/change-words";
import type { Change } from "@/lib/audit/changes";
import { readFormerKeys } from "@/lib/audit/former-keys";
import { listedTable } from "@/lib/audit/list-export";
import { auditRead, listing, rowsRecorded } from "@/lib/audit/record";
import type {
  AuditEvent,
  AuditListQuery,
  AuditUser,
  History,
  HistoryEvent,
  HistoryQuery,
} from "@/lib/audit/schema";
import type { ChangeSentence } from "@/lib/audit/sentences";
import { isIndex } from "@/lib/audit/titles";
import { decryptDetails } from "@/lib/audit/values";
import { AUDIT_LABELS, addressWords, sentence, whoWords } from "@/lib/audit/words";
import { can, canAny, type SessionUser } from "@/lib/core/access/permissions";
import { assertAllowed, type Hiding, withoutActor } from "@/lib/core/access/scope";
import { AUDIT_ACTIONS, type AuditAction, READINGS, VIEWS } from "@/lib/core/api/audit-acts";
import type { Table } from "@/lib/core/api/files";
import type { InFile } from "@/lib/core/api/list-file";
import type { Meta } from "@/lib/core/api/list-query";
import { type Query, rows } from "@/lib/core/database/client";
import { containsText, textKey } from "@/lib/core/database/folded";
import { type List, readPage } from "@/lib/core/database/list";
import { namesOf } from "@/lib/core/database/record-names";
import { isoTimestamp } from "@/lib/core/database/record-read";
import { recordRows } from "@/lib/core/database/statements";
import { notFound } from "@/lib/core/errors";
import { type Cells, textOf } from "@/lib/core/fields/columns";
import { rowNameField, schemasAlong } from "@/lib/core/fields/facts";
import { isPhone, MASKED_NUMBER } from "@/lib/core/fields/phone";
import { env } from "@/lib/core/process/env";
import { constant, empty, type Sql, sql } from "@/lib/core/sql";
import { currency, shortDateTimeOfDay } from "@/lib/core/text/format";

/** SQL for the start of a day in the organization's time zone, `after` days later. */
const beginOf = (day: string, after = 0) =>
  sql`(${day}::date + ${constant(after)})::timestamp AT TIME ZONE ${env().TZ}`;

/**
 * SQL condition: the event `e` is not about a hidden client, or about a record that belongs to one. It is not encrypted
 * with a key they share (lib/clients/merges) either.
 */
export function aboutNobodyHidden(actor: Hiding): Sql {
  if (actor.hiddenClients.length === 0) return sql`TRUE`;
  const hiddenIds = sql`${actor.hiddenClients}::int[]`;
  // biome-ignore lint/plugin: finds what is hidden
  return sql`(e.client_id = ANY(${hiddenIds})
      OR e.entity = 'client' AND e.entity_id = ANY(${hiddenIds})
      OR e.entity = 'form' AND EXISTS (SELECT FROM forms f WHERE f.id = e.entity_id AND f.client_id = ANY(${hiddenIds}))
      OR e.entity = 'stay' AND EXISTS (SELECT FROM stays st WHERE st.id = e.entity_id AND st.client_id = ANY(${hiddenIds}))
      OR EXISTS (SELECT FROM client_keys s
        WHERE s.id = e.key_id AND s.also_ids <> '{}' AND (s.also_ids || s.client_id) && ${hiddenIds})) IS NOT TRUE`;
}

const NOT_VIEWS = AUDIT_ACTIONS.filter((action) => !VIEWS.includes(action));

/**
 * SQL condition: the record with this id in the listing `e` is a hidden client, or belongs to one. For a removed form
 * or stay, the removal event has the client.
 */
function isHiddenSql({ hiddenClients }: Hiding, id: Sql): Sql {
  const hiddenIds = sql`${hiddenClients}::int[]`;
  // biome-ignore lint/plugin: finds what is hidden
  return sql`(e.entity = 'client' AND ${id} = ANY(${hiddenIds}) OR e.entity IN ('form', 'stay')
    AND (e.entity = 'form' AND EXISTS (SELECT FROM forms f WHERE f.id = ${id} AND f.client_id = ANY(${hiddenIds}))
      OR e.entity = 'stay' AND EXISTS (SELECT FROM stays st WHERE st.id = ${id} AND st.client_id = ANY(${hiddenIds}))
      OR EXISTS (SELECT FROM audit_events r WHERE r.entity = e.entity AND r.entity_id = ${id}
        AND r.action = 'removed' AND r.client_id = ANY(${hiddenIds}))))`;
}

/** Listings whose numbers would reveal hidden clients by comparison: imported records, events about clients. */
const IS_COUNTING = sql`e.entity IN ('import', 'auditEvent')`;

/**
 * Returns SQL for the ids and the number of rows in the listing `e`, without those of hidden clients. Both are null for
 * colleagues' imports and Audit Log views if any client is hidden from the reader.
 */
export function shownOf({ userId, hiddenClients }: SessionUser): { ids: Sql; count: Sql } {
  if (hiddenClients.length === 0) return { ids: sql`e.shown`, count: sql`e.rows` };
  const isWithheld = sql`${IS_COUNTING} AND e.user_id IS DISTINCT FROM ${userId}`;
  const ids = sql`CASE WHEN e.shown IS NOT NULL AND NOT (${isWithheld}) THEN ARRAY(
    SELECT id FROM unnest(e.shown) WITH ORDINALITY AS listed (id, place)
    WHERE NOT ${isHiddenSql({ hiddenClients }, sql`listed.id`)} ORDER BY place) END`;
  return { ids, count: sql`CASE WHEN NOT (${isWithheld}) THEN coalesce(cardinality(${ids}), e.rows) END` };
}

/** SQL condition: the event `e` is a list, a search or an export that showed the record with this id. */
const showedSql = (id: number) => sql`e.shown @> ARRAY[${id}::int]`;

/** The words of lib/audit-log.ts for an event, because it knows all records. */
export type EventWords = {
  /** The kinds of records whose events are described by their values. They are about no client. */
  entities: readonly string[];
  /** Returns the sentence for an event with these changes; null if they say no more than the record does. */
  sentenceOf: (event: Pick<AuditEvent, "action" | "entity">, changes: readonly Change[]) => string | null;
  /** Returns the labels of an event's changed fields. */
  fieldLabels: (fields: readonly string[]) => string[];
};

/** An event with its encrypted values, if they describe it. */
type DescribedEvent = AuditEvent & { details: string | null };

/** SQL for the values that describe the event `e`, as JSON with the key `details`. */
const describedBy = (entities: readonly string[]): Sql =>
  sql`json_build_object('details', CASE WHEN e.key_id IS NULL AND e.entity = ANY(${entities}::text[])
    THEN encode(e.details, 'base64') END)`;

/** Returns the function that describes an event, by its values if they can be decrypted. */
async function sentences({ sentenceOf }: EventWords): Promise<(event: DescribedEvent) => string> {
  const former = (await readFormerKeys(historyRows)).map(({ details }) => details);
  return ({ details, ...event }) => {
    const changes = details && decryptDetails(bytesIn(details), null, null, former)?.changes;
    return (changes && sentenceOf(event, changes)) || sentence(event);
  };
}

/**
 * Returns the list of audit events that match the filters, without those about clients hidden from the actor. With
 * `entities`, its items are described events.
 */
function auditList(actor: SessionUser, { filters }: AuditListQuery, entities?: readonly string[]): List {
  const { userId, entity, entityId, action, views, from, to } = filters;
  const listing = shownOf(actor);
  const withViews = views || action !== null;
  const showed = (id: number) => {
    const visibly =
      actor.hiddenClients.length === 0 ? empty : sql` AND NOT ${isHiddenSql(actor, sql`${id}::int`)}`;
    // Exports show records but do not count as views. Their own index finds them, because a record is exported far
    // less often than it is listed.
    const exported = withViews ? empty : sql`e.action = 'exported' AND `;
    return sql`${exported}${showedSql(id)}${visibly}`;
  };
  const event = sql`json_build_object('id', e.id, 'at', ${isoTimestamp(sql`e.at`)}, 'userId', e.user_id, 'userName', e.user_name,
      'action', e.action, 'entity', e.entity, 'entityId', e.entity_id, 'requestId', e.request_id,
      'address', e.address, 'fields', COALESCE(e.fields, '{}'), 'rows', ${listing.count}, 'shown', ${listing.ids})`;
  return {
    name: "audit events",
    from: sql`audit_events e`,
    id: sql`e.id`,
    item: entities ? sql`(${event}::jsonb || ${describedBy(entities)}::jsonb)::json` : event,
    where: [
      withoutActor("the next condition hides events, which are not forms or clients"),
      aboutNobodyHidden(actor),
      ...(userId === null ? [] : [sql`e.user_id = ${userId}`]),
      ...(entity === null ? [] : [sql`e.entity = ${entity}`]),
      // The events of the record, and every list, search and export that showed it.
      ...(entityId === null ? [] : [sql`(e.entity_id = ${entityId} OR ${showed(entityId)})`]),
      ...(action === null ? [] : [sql`e.action = ${action}`]),
      // Lists the remaining actions, so that counting them can use the index on the action.
      ...(withViews ? [] : [sql`e.action = ANY(${NOT_VIEWS}::text[])`]),
      ...(from === null ? [] : [sql`e.at >= ${beginOf(from)}`]),
      ...(to === null ? [] : [sql`e.at < ${beginOf(to, 1)}`]),
    ],
    sorts: { at: { keys: [sql`e.at`] } },
    search: async (search) => containsText(sql`e.user_name`, search),
  };
}

/** Returns a page of the audit trail, newest first. */
export async function listAuditEvents(
  actor: SessionUser,
  query: AuditListQuery,
): Promise<{ auditEvents: AuditEvent[]; meta: Meta }> {
  assertAllowed(actor, "audit-log");
  const record = listing(actor, "auditEvent", query.search);
  const { items, meta } = await readPage<AuditEvent>(auditList(actor, query), query, record);
  return { auditEvents: items.value(), meta };
}

/** An event in words, with its time in the organization's time zone. */
export type AuditRow = AuditEvent & { moment: string; words: string; labels: string[] };

/** Returns a page of the audit trail for its screen, newest first. */
export async function loadAuditLog(
  actor: SessionUser,
  query: AuditListQuery,
  words: EventWords,
): Promise<{ rows: AuditRow[]; meta: Meta }> {
  assertAllowed(actor, "audit-log");
  const record = listing(actor, "auditEvent", query.search);
  const { items, meta } = await readPage<DescribedEvent>(
    auditList(actor, query, words.entities),
    query,
    record,
  );
  const wordsOf = await sentences(words);
  const events = items.value().map(({ details, ...event }) => {
    const described = wordsOf({ ...event, details });
    return {
      ...event,
      moment: shortDateTimeOfDay(event.at),
      words: described,
      // A description by values names them.
      labels: described === sentence(event) ? words.fieldLabels(event.fields) : [],
    };
  });
  return { rows: events, meta };
}

const auditCells = (
  { fieldLabels }: EventWords,
  wordsOf: (event: DescribedEvent) => string,
): Cells<DescribedEvent> => [
  [AUDIT_LABELS.at, ({ at }) => at, "moment"],
  [AUDIT_LABELS.userName, ({ userName }) => whoWords(userName)],
  [AUDIT_LABELS.action, wordsOf],
  [AUDIT_LABELS.fields, ({ fields }) => fieldLabels(fields).join("; ")],
  [AUDIT_LABELS.address, ({ address }) => addressWords(address)],
];

/** Returns all events that match the filters as a table and records the export. */
export async function exportAuditEvents(
  actor: SessionUser,
  query: InFile<AuditListQuery>,
  words: EventWords,
): Promise<Table> {
  assertAllowed(actor, "audit-log");
  const list = auditList(actor, query, words.entities);
  const cells = auditCells(words, await sentences(words));
  return listedTable("audit_log", { actor, entity: "auditEvent", list, query }, cells);
}

/**
 * Returns all users by name, for the filter of the Audit Log. Its holders may lack the permissions for other lists of
 * users.
 */
export async function auditUsers(actor: SessionUser): Promise<AuditUser[]> {
  assertAllowed(actor, "audit-log");
  const users = await rows<AuditUser>(
    sql`SELECT id, first_name || ' ' || last_name AS name, active FROM users ORDER BY ${textKey(sql`first_name || ' ' || last_name`)}, id`,
  );
  await auditRead(actor, { action: "listed", entity: "user", shown: users.map(({ id }) => id) });
  return users;
}

/** A kind of record with a history. The module of the record declares it. */
export type HistoryKind = {
  entity: string;
  schema: z.core.$ZodType;
  /** Returns SQL for the `id` and `client_id` of the record, if the actor may see it. */
  select: (actor: SessionUser, id: number) => Sql;
  /** Returns the condition on the events `e` of the record that the actor may see, if not all. */
  events?: (actor: SessionUser) => Sql;
};

/** Records that the actor printed a record. Throws 404 if the actor cannot see it. */
export async function recordPrinted(
  actor: SessionUser,
  { entity, select }: HistoryKind,
  id: number,
): Promise<void> {
  const act = { action: "printed", entity, client: "client_id" } as const;
  // The page is already printed, even if the caller no longer waits.
  const found = await rowsRecorded(actor, act, select(actor, id), false);
  if (found.length === 0) throw notFound();
}

/**
 * The most events on a page of a history, and the most bytes of encrypted values. The newest event is on it whatever its
 * size.
 */
const PAGE_EVENTS = 200;
const PAGE_BYTES = 1_000_000;

/** An event whose values are still encrypted. Binary columns are base64. */
export type Row = Omit<HistoryEvent, "changes"> & {
  fields: string[] | null;
  details: string | null;
  keyId: string | null;
  wrapped: string | null;
};

/** The columns of a `Row` of the events `e`, which may have a client's key `k`. */
const ROW_COLUMNS = sql`e.id::int, ${isoTimestamp(sql`e.at`)} AS at, e.user_id AS "userId", e.user_name AS "userName", e.action,
  e.fields, encode(e.details, 'base64') AS details, e.key_id AS "keyId", encode(k.wrapped, 'base64') AS wrapped`;

/** SQL condition: the event `e` is about a record of the kind. */
const ofKind = (entity: HistoryKind["entity"]) => sql`e.entity = ${constant(entity)}`;

/** SQL for the newest events about records of a kind, as `Row`s. */
export const eventsSql = (entity: HistoryKind["entity"], where: Sql, most: number): Sql =>
  sql`SELECT ${ROW_COLUMNS} FROM audit_events e LEFT JOIN client_keys k ON k.id = e.key_id
   WHERE ${ofKind(entity)} AND ${where}
   ORDER BY e.at DESC, e.id DESC LIMIT ${constant(most)}`;

/** An event of a page; `found` is the number of events that were found for the page. */
type PageRow = Row & { found: number };

/** SQL for the page of the newest events about records of a kind, as JSON. It reads no values beyond the bytes of a page. */
const pageSql = (entity: HistoryKind["entity"], where: Sql): Sql =>
  sql`(SELECT COALESCE(json_agg(event ORDER BY event.at DESC, event.id DESC), '[]')
    FROM (SELECT ${ROW_COLUMNS}, e.found FROM (
        SELECT e.*, count(*) OVER () AS found, row_number() OVER newest AS place,
          sum(COALESCE(octet_length(e.details), 0)) OVER newest - COALESCE(octet_length(e.details), 0) AS bytes_before
        FROM (SELECT e.* FROM audit_events e WHERE ${ofKind(entity)} AND ${where}
          ORDER BY e.at DESC, e.id DESC LIMIT ${constant(PAGE_EVENTS + 1)}) AS e
        WINDOW newest AS (ORDER BY e.at DESC, e.id DESC)) AS e
      LEFT JOIN client_keys k ON k.id = e.key_id
      WHERE e.place <= ${constant(PAGE_EVENTS)} AND (e.place = 1 OR e.bytes_before < ${constant(PAGE_BYTES)})) AS event)`;

/** Events with their decrypted changes, and the function that formats their values. */
export type Opened = {
  events: (Omit<HistoryEvent, "changes"> & { readable: boolean; changes: readonly Change[] })[];
  valueText: ValueText;
};

/**
 * Returns a page of the events of a record, the newest or those before the event `before`. Records that as a view, which
 * is not in the result. Only holders of Audit Log get reads of the record, and the lists, searches, and exports that
 * showed it. Only they and holders of Restrict Clients get the changes of restrictions. Values of a client are readable
 * only with All Forms or Audit Log. Throws 404 if the actor cannot see the record.
 */
async function readHistory(
  actor: SessionUser,
  { entity, schema, select, events = () => sql`TRUE` }: HistoryKind,
  id: number,
  { filters: { views }, before = null, numbers = false }: HistoryQuery,
): Promise<Opened & { truncated: boolean }> {
  const auditor = can(actor, "audit-log");
  const hiddenActions = [
    ...(auditor ? (views ? [] : VIEWS) : READINGS),
    ...(canAny(actor, ["audit-log", "restrict-clients"]) ? [] : ["restricted"]),
  ];
  const older =
    before === null
      ? sql`TRUE`
      : sql`(e.at, e.id) < (SELECT last.at, last.id FROM audit_events last WHERE last.id = ${before})`;
  const newest = (where: Sql) => {
    const told = sql`NOT e.action = ANY(${hiddenActions}::text[]) AND ${aboutNobodyHidden(actor)} AND ${events(actor)}`;
    return pageSql(entity, sql`${where} AND ${older} AND ${told}`);
  };
  // A separate query, because lists show a record far more often than it changes. Its id is bound, because the planner
  // uses the index only for a number that it knows.
  const showings = auditor ? newest(showedSql(id)) : sql`'[]'::json`;
  const [record] = await rowsRecorded<{
    id: number;
    client_id: number | null;
    events: PageRow[];
    showings: PageRow[];
  }>(
    actor,
    { action: "viewed", entity, client: "client_id" },
    sql`SELECT record.id, record.client_id, ${showings} AS showings, ${newest(sql`e.entity_id = record.id`)} AS events
      FROM (${select(actor, id)}) AS record`,
  );
  if (!record) throw notFound();
  // Before anything is returned, so that no number is shown without its event.
  if (numbers)
    await auditRead(actor, { action: "revealed", entity, entityId: id, clientId: record.client_id });
  const pages = [record.events, record.showings];
  // The event lists end at different times. Events after the earlier end are left for the next page.
  const ends = pages.flatMap((events) => {
    const last = events.at(-1);
    return last && last.found > events.length ? [last] : [];
  });
  const shown = pages
    .flatMap((events) => events.map(({ found: _, ...event }): Row => event))
    .filter((event) => ends.every((end) => newestFirst(event, end) <= 0))
    .sort(newestFirst);
  const mayReadValues = entity !== "client" || canAny(actor, ["all-forms", "audit-log"]);
  const opened = await openEvents(historyRows, schema, shown, mayReadValues);
  return {
    ...opened,
    events: numbers ? opened.events : opened.events.map((event) => withoutNumbers(schema, event)),
    truncated: ends.length > 0,
  };
}

/** True if the changed field holds a phone number. */
const isNumber = (schema: z.core.$ZodType, field: string) => isPhone(factsAlong(schema, field).at(-1)?.facts);

/** Returns the event with a mask in place of each phone number. */
function withoutNumbers(schema: z.core.$ZodType, event: Opened["events"][number]): Opened["events"][number] {
  const mask = (value: unknown) => (value ? MASKED_NUMBER : value);
  return {
    ...event,
    changes: event.changes.map((change) =>
      isNumber(schema, change.field) ? { ...change, from: mask(change.from), to: mask(change.to) } : change,
    ),
  };
}

const newestFirst = (one: Row, other: Row) => other.at.localeCompare(one.at) || other.id - one.id;

/** Returns the history of a record as the API does, newest first; see `readHistory`. */
export async function openHistory(
  actor: SessionUser,
  kind: HistoryKind,
  id: number,
  query: HistoryQuery,
): Promise<History> {
  const { truncated, ...opened } = await readHistory(actor, kind, id, query);
  return { events: withTexts(kind.schema, opened), truncated };
}

/** An event on the screen: its time in the organization's time zone, and its changes in words. */
export type ShownEvent = Pick<HistoryEvent, "id" | "action" | "userName"> & {
  moment: string;
  changes: ChangeSentence[];
};

/** Returns the history of a record for its screen; see `readHistory`. */
export async function loadHistory(
  actor: SessionUser,
  kind: HistoryKind,
  id: number,
  query: HistoryQuery,
): Promise<{ events: ShownEvent[]; truncated: boolean; mayShowViews: boolean; hasNumbers: boolean }> {
  const { events, valueText, truncated } = await readHistory(actor, kind, id, {
    ...query,
    numbers: false,
  });
  return {
    hasNumbers: events.some(
      ({ readable, changes }) => readable && changes.some(({ field }) => isNumber(kind.schema, field)),
    ),
    events: events.map(({ id, at, action, userName, readable, changes }) => ({
      id,
      action,
      userName,
      moment: shortDateTimeOfDay(at),
      changes: sentencesOf(kind.schema, changes, {
        valueText,
        readable,
        whole: isWhole(action, changes),
      }),
    })),
    truncated,
    mayShowViews: can(actor, "audit-log"),
  };
}

/**
 * True if the event lists the values of a whole record. A record merged into another is recorded as removed.
 */
const isWhole = (action: AuditAction, changes: readonly Change[]) =>
  ["created", "removed", "imported"].includes(action) ||
  changes.some(({ field, to }) => field === "client.mergedInto" && to !== null);

const bytesIn = (base64: string) => Buffer.from(base64, "base64");

/**
 * Reads rows that only the reader of a history waits for: the statement is canceled when the client disconnects.
 */
export const historyRows: Query = (statement) => recordRows("history", statement);

/** Decrypts the changes that may be shown and whose keys still exist, and reads the names of records. */
export async function openEvents(
  query: Query,
  schema: z.core.$ZodType,
  found: readonly Row[],
  mayReadValues: boolean,
): Promise<Opened> {
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
    const changes: readonly Change[] =
      opened ?? (fields ?? []).map((field) => ({ field, from: null, to: null }));
    return { ...event, readable: opened !== undefined, changes };
  });
  return {
    events,
    valueText: await openChanges(
      query,
      schema,
      events.flatMap(({ changes }) => changes),
    ),
  };
}

/** Reads the names of the records in the changes. Returns the function that formats the values of these changes. */
export async function openChanges(
  query: Query,
  schema: z.core.$ZodType,
  changes: readonly Change[],
): Promise<ValueText> {
  const names = await namesOf(
    query,
    changes.flatMap(({ field, from, to, row }) => {
      const along = factsAlong(schema, field);
      const rows = along.find(({ name }) => isIndex(name))?.schema;
      return [
        { facts: along.at(-1)?.facts, values: [from, to] },
        { facts: rows && rowNameField(rows)?.facts, values: [row] },
      ];
    }),
  );
  return (facts, value) =>
    facts?.kind === "money" && typeof value === "number"
      ? currency(value)
      : textOf(value, facts, names, ", ");
}

/**
 * Returns the schemas along the path of a changed field, without the record name that the path begins with.
 */
const factsAlong = (schema: z.core.$ZodType, field: string) => [
  ...schemasAlong(schema, field.split(".").slice(1)),
];

/** Returns the events as the API does: each change with its label and its values as text. */
export const withTexts = (schema: z.core.$ZodType, { events, valueText }: Opened): HistoryEvent[] =>
  events.map(({ readable, changes, ...event }) => ({
    ...event,
    changes: changes.map(({ field, from, to, row }) => {
      const { facts } = factsAlong(schema, field).at(-1) ?? {};
      const text = (value: unknown) => (readable ? valueText(facts, value) : null);
      const label = pathLabel(schema, field, (naming) => (readable ? valueText(naming.facts, row) : ""));
      return { field, label, from, to, fromText: text(from), toText: text(to) };
    }),
  }));
