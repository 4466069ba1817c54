import "server-only";
import type * as z from "zod/mini";
import { type Change, changesOf } from "@/lib/audit/changes";
import { auditAll, auditPart, type PartAct, type RecordAct } from "@/lib/audit/record";
import type { SessionUser } from "@/lib/core/access/permissions";
import type { AuditAction } from "@/lib/core/api/audit-acts";
import type { CreationKey } from "@/lib/core/api/idempotency";
import { inTransaction, type Query } from "@/lib/core/database/client";
import { withoutRemoved } from "@/lib/core/database/record-merge";
import {
  insertRecord,
  insertRecords,
  Statement,
  updateRecord as updateRow,
  updateRecords as updateRows,
} from "@/lib/core/database/record-write";
import { assertVersion } from "@/lib/core/database/versions";
import { notFound } from "@/lib/core/errors";
import { fieldsOf, recordFacts } from "@/lib/core/fields/facts";
import { identifier, type Sql, sql } from "@/lib/core/sql";

// The one way to save a record. Each save is one transaction: the key of a creation, the locks, the version, the rules of
// the record's module, one statement with the record and its events, and the record read again. Modules call the
// functions that end in `In` inside a transaction of their own, such as an import's.

type Values = Readonly<Record<string, unknown>>;
/** The fields as sent, with the version that the caller has read. */
type Sent = Values & { lockVersion?: number | undefined };
type Stored = Values & { id: number; lockVersion?: number };

/** The values that a save has locked and read. `stored` is the record as the API returns it, and null for a new one. */
export type Opened<Record extends Stored> = { stored: Record | null };

/**
 * The action of an update, columns besides the fields, and their changes for the event. Without an action, they apply only
 * if a field changes.
 */
export type Besides = { action?: AuditAction; columns?: Values; changes?: readonly Change[] };

/** An event of a save, without its record. */
type SaveAct = Pick<PartAct, "action" | "changes">;

/**
 * How the records of one kind are saved. Its functions run in the transaction of `query`, in the order in which they are
 * here. `Next` are the values to store.
 */
export interface SavedKind<Input extends Sent, Found extends Opened<Stored>, Next extends Values = Input> {
  /** The kind of record, as in request bodies and audit events. */
  entity: string;
  schema: z.core.$ZodType;
  /**
   * Locks what the save relies on and reads it: first the definitions of fields, then the client, the record, and the
   * closed period. Without an id, for a new record. Throws 404 if the actor may not see the record.
   */
  open(query: Query, actor: SessionUser, id: number | null, input: Input): Promise<Found>;
  /** Returns the values to store: the stored ones overwritten by the input. Throws 409, and 422 with every problem. */
  prepare(found: Found, input: Input): Next;
  /** Runs before the statement. Throws if other records forbid the save. */
  before?(query: Query, actor: SessionUser, found: Found, next: Next): Promise<void>;
  /** Returns what an update does besides storing the fields that differ. */
  besides?(found: Found, next: Next, actor: SessionUser): Besides;
  /** Returns the events of a save, of a view if nothing changes, or of a removal (`next` is null); otherwise there is one. */
  events?(act: SaveAct, found: Found, next: Next | null): readonly PartAct[];
  /** Adds more parts to the statement of a save. The part `row` has the record's id. */
  also?(statement: Statement, row: Sql, actor: SessionUser, act: Pick<SaveAct, "action">): void;
  /** Runs after the statement. */
  after?(query: Query, actor: SessionUser, id: number, found: Found, next: Next | null): Promise<void>;
}

/** How records are saved that can also be removed. */
export interface RemovableKind<Input extends Sent, Found extends Opened<Stored>, Next extends Values = Input>
  extends SavedKind<Input, Found, Next> {
  /** Locks and reads a record that is about to be removed. Throws 404, and 409 if it must stay. */
  openToRemove(query: Query, actor: SessionUser, id: number): Promise<Found>;
}

/** A save in a batch; without an id, of a new record. */
export type BatchSave<Input> = { id: number | null; input: Input };

/**
 * A kind whose records can be saved together. The number of statements does not depend on the number of records, up to
 * `BATCH` of them. The functions of `RemovableKind` for one record run for each, and `also` once, with the ids of all.
 */
export interface BatchKind<Input extends Sent, Found extends Opened<Stored>, Next extends Values = Input>
  extends RemovableKind<Input, Found, Next> {
  /** Does what `open` does for each of the saves. */
  openAll(query: Query, actor: SessionUser, saves: readonly BatchSave<Input>[]): Promise<Found[]>;
  /** Does what `openToRemove` does for each of the records. */
  openAllToRemove(query: Query, actor: SessionUser, ids: readonly number[]): Promise<Found[]>;
}

/** The most records that are saved together. Their checks keep the program busy until they are done. */
const BATCH = 100;

/** The owner of a new record, and columns besides the fields. */
type Owned = { ownerId?: number; columns?: Values; key?: CreationKey | null };

const nothing = async () => {};

/** True if the records of this kind have a version, and so the columns of who saved last. */
const hasVersion = (schema: z.core.$ZodType) =>
  fieldsOf(schema).some(({ facts }) => facts.kind === "version");

/** Returns the values to store. Throws as the functions of the kind do. */
async function nextOf<Input extends Sent, Found extends Opened<Stored>, Next extends Values>(
  kind: SavedKind<Input, Found, Next>,
  query: Query,
  actor: SessionUser,
  found: Found,
  input: Input,
): Promise<Next> {
  const next = kind.prepare(found, input);
  await kind.before?.(query, actor, found, next);
  return withoutRemoved(kind.schema, next);
}

/** Adds a record in the transaction of `query` and returns its id. Throws as the functions of its kind do. */
export async function addRecordIn<Input extends Sent, Found extends Opened<Stored>, Next extends Values>(
  kind: SavedKind<Input, Found, Next>,
  query: Query,
  actor: SessionUser,
  input: Input,
  { ownerId, columns, key }: Owned = {},
): Promise<number> {
  const found = await kind.open(query, actor, null, input);
  const next = await nextOf(kind, query, actor, found, input);
  const statement = new Statement();
  const row = insertRecord(statement, kind.schema, next, {
    ...(ownerId !== undefined && { user_id: ownerId }),
    ...(hasVersion(kind.schema) && { updated_by_id: actor.userId }),
    ...columns,
  });
  key?.keep(statement, row);
  const changes = changesOf(kind.schema, null, next, kind.entity);
  const act = { action: "created", changes } as const;
  return (await write(kind, query, actor, { statement, row, act, found, next }, nothing)).id;
}

/**
 * Creates a record of the actor and returns it as `read` does. A repeated key creates nothing: the record is returned as
 * it is now, and recorded as viewed. Throws 404 if it was removed since.
 */
export function createOnce<Result>(
  key: CreationKey | null,
  create: (query: Query) => Promise<number>,
  read: (query: Query, id: number) => Promise<Result>,
  repeat: (query: Query, id: number, record: Result) => Promise<void>,
): Promise<Result> {
  return inTransaction(async (query) => {
    const first = (await key?.claim(query)) ?? null;
    const id = first ?? (await create(query));
    const record = await read(query, id);
    if (first !== null) await repeat(query, id, record);
    return record;
  });
}

/**
 * Saves over a record in the transaction of `query`. Without changes, it writes nothing but the view. Throws 409 with the
 * name of the user who saved since, if the version in `input` is old, and otherwise as the functions of its kind do.
 * Returns the record before.
 */
export async function updateRecordIn<Input extends Sent, Found extends Opened<Stored>, Next extends Values>(
  kind: SavedKind<Input, Found, Next>,
  query: Query,
  actor: SessionUser,
  id: number,
  input: Input,
): Promise<NonNullable<Found["stored"]>> {
  return (await saveOver(kind, query, actor, id, input, nothing)).stored;
}

/** Saves over a record in a transaction, and returns it as `read` does. Throws as `updateRecordIn` does. */
export function updateRecord<Input extends Sent, Found extends Opened<Stored>, Next extends Values, Result>(
  kind: SavedKind<Input, Found, Next>,
  actor: SessionUser,
  id: number,
  input: Input,
  read: (query: Query, actor: SessionUser, id: number) => Promise<Result>,
): Promise<Result> {
  return inTransaction(
    async (query) => (await saveOver(kind, query, actor, id, input, () => read(query, actor, id))).record,
  );
}

/** Saves over a record as `updateRecordIn` does. Returns the record before, and what `read` returns after the statement. */
async function saveOver<Input extends Sent, Found extends Opened<Stored>, Next extends Values, Result>(
  kind: SavedKind<Input, Found, Next>,
  query: Query,
  actor: SessionUser,
  id: number,
  input: Input,
  read: () => Promise<Result>,
): Promise<{ stored: NonNullable<Found["stored"]>; record: Result }> {
  const found = await kind.open(query, actor, id, input);
  const { stored, next, act, columns } = await changeOf(kind, query, actor, found, input);
  const statement = new Statement();
  const row = columns
    ? updateRow(statement, kind.schema, next, stored, actor.userId, columns)
    : statement.with(sql`SELECT ${id}::int AS id`);
  const { record } = await write(kind, query, actor, { statement, row, act, found, next }, read);
  return { stored, record };
}

/**
 * Returns what an update does: the record before, the values to store, the event, and columns besides the fields. Without
 * changes, the event is a view, and `columns` is null. Throws 404, 409, and 422.
 */
async function changeOf<Input extends Sent, Found extends Opened<Stored>, Next extends Values>(
  kind: SavedKind<Input, Found, Next>,
  query: Query,
  actor: SessionUser,
  found: Found,
  input: Input,
): Promise<{ stored: NonNullable<Found["stored"]>; next: Next; act: SaveAct; columns: Values | null }> {
  const { stored } = found;
  if (!stored) throw notFound();
  await assertUnchanged(query, kind.schema, stored, input.lockVersion);
  const next = await nextOf(kind, query, actor, found, input);
  const changes = changesOf(kind.schema, stored, next, kind.entity);
  const besides = kind.besides?.(found, next, actor) ?? {};
  if (changes.length === 0 && !besides.action)
    return { stored, next, act: { action: "viewed", changes }, columns: null };
  const act = { action: besides.action ?? "updated", changes: [...changes, ...(besides.changes ?? [])] };
  return { stored, next, act, columns: besides.columns ?? {} };
}

/** Removes a record in the transaction of `query`. Throws as the kind's `openToRemove` does. */
export async function removeRecordIn<Input extends Sent, Found extends Opened<Stored>, Next extends Values>(
  kind: RemovableKind<Input, Found, Next>,
  query: Query,
  actor: SessionUser,
  id: number,
): Promise<void> {
  const found = await kind.openToRemove(query, actor, id);
  const statement = new Statement();
  const table = identifier(recordFacts(kind.schema).table);
  const row = statement.with(sql`DELETE FROM ${table} WHERE id = ${id} RETURNING id`);
  const changes = changesOf(kind.schema, found.stored, null, kind.entity);
  const act = { action: "removed", changes } as const;
  await write(kind, query, actor, { statement, row, act, found, next: null }, nothing);
}

/** The statement of a save, and what its event and the kind's functions need. */
type Written<Found, Next> = {
  statement: Statement;
  /** The part with the record's id. */
  row: Sql;
  act: SaveAct;
  found: Found;
  next: Next | null;
};

/** Runs the statement of a save with its events. Returns the record's id, and what `read` returns afterwards. */
async function write<Input extends Sent, Found extends Opened<Stored>, Next extends Values, Result>(
  kind: SavedKind<Input, Found, Next>,
  query: Query,
  actor: SessionUser,
  { statement, row, act, found, next }: Written<Found, Next>,
  read: () => Promise<Result>,
): Promise<{ id: number; record: Result }> {
  for (const event of kind.events?.(act, found, next) ?? [{ ...act, entity: kind.entity }])
    auditPart(statement, actor, event, row);
  kind.also?.(statement, row, actor, act);
  const written = query<{ id: number }>(statement.sql(sql`SELECT id FROM ${row}`)).then(async ([saved]) => {
    if (!saved) throw new Error(`The ${kind.entity} was locked, but not written`);
    await kind.after?.(query, actor, saved.id, found, next);
    return saved.id;
  });
  // Only a kind that does more after the statement delays the read. Otherwise both are sent in one packet.
  if (kind.after) await written;
  const [id, record] = await Promise.all([written, read()]);
  return { id, record };
}

const batchesOf = <Item>(items: readonly Item[]): Item[][] =>
  Array.from({ length: Math.ceil(items.length / BATCH) }, (_, at) =>
    items.slice(at * BATCH, (at + 1) * BATCH),
  );

/** Adds records as `addRecordIn` does, in batches. Returns their ids in the order of `inputs`. */
export async function addRecordsIn<Input extends Sent, Found extends Opened<Stored>, Next extends Values>(
  kind: BatchKind<Input, Found, Next>,
  query: Query,
  actor: SessionUser,
  inputs: readonly Input[],
  { ownerId, columns }: Omit<Owned, "key"> = {},
): Promise<number[]> {
  const ids: number[] = [];
  for (const part of batchesOf(inputs)) {
    const founds = await kind.openAll(
      query,
      actor,
      part.map((input) => ({ id: null, input })),
    );
    const nexts: Next[] = [];
    for (const [at, found] of founds.entries())
      nexts.push(await nextOf(kind, query, actor, found, itemAt(part, at)));
    const statement = new Statement();
    const row = insertRecords(statement, kind.schema, nexts, {
      ...(ownerId !== undefined && { user_id: ownerId }),
      ...(hasVersion(kind.schema) && { updated_by_id: actor.userId }),
      ...columns,
    });
    kind.also?.(statement, row, actor, { action: "created" });
    const written = await query<{ id: number }>(statement.sql(sql`SELECT id FROM ${row} ORDER BY id`));
    const saved = founds.map((found, at): Saved<Found, Next> => {
      const next = itemAt(nexts, at);
      const changes = changesOf(kind.schema, null, next, kind.entity);
      return { id: itemAt(written, at).id, act: { action: "created", changes }, found, next };
    });
    await finish(kind, query, actor, saved);
    ids.push(...written.map(({ id }) => id));
  }
  return ids;
}

/** Saves over records as `updateRecordIn` does, in batches. */
export async function updateRecordsIn<Input extends Sent, Found extends Opened<Stored>, Next extends Values>(
  kind: BatchKind<Input, Found, Next>,
  query: Query,
  actor: SessionUser,
  saves: readonly { id: number; input: Input }[],
): Promise<void> {
  for (const part of batchesOf(saves)) {
    const founds = await kind.openAll(query, actor, part);
    const saved: Saved<Found, Next>[] = [];
    const updates: Parameters<typeof updateRows>[2][number][] = [];
    for (const [at, found] of founds.entries()) {
      const { stored, next, act, columns } = await changeOf(
        kind,
        query,
        actor,
        found,
        itemAt(part, at).input,
      );
      if (columns) updates.push({ next, stored, more: columns });
      saved.push({ id: stored.id, act, found, next });
    }
    if (updates.length > 0) {
      const statement = new Statement();
      const row = updateRows(statement, kind.schema, updates, actor.userId);
      kind.also?.(statement, row, actor, { action: "updated" });
      await assertWritten(kind, query, statement, row, updates.length);
    }
    await finish(kind, query, actor, saved);
  }
}

/** Removes records as `removeRecordIn` does, in batches. */
export async function removeRecordsIn<Input extends Sent, Found extends Opened<Stored>, Next extends Values>(
  kind: BatchKind<Input, Found, Next>,
  query: Query,
  actor: SessionUser,
  ids: readonly number[],
): Promise<void> {
  const table = identifier(recordFacts(kind.schema).table);
  for (const part of batchesOf(ids)) {
    const founds = await kind.openAllToRemove(query, actor, part);
    const statement = new Statement();
    const row = statement.with(sql`DELETE FROM ${table} WHERE id = ANY(${part}::int[]) RETURNING id`);
    kind.also?.(statement, row, actor, { action: "removed" });
    await assertWritten(kind, query, statement, row, part.length);
    await finish(
      kind,
      query,
      actor,
      founds.map((found, at) => {
        const changes = changesOf(kind.schema, found.stored, null, kind.entity);
        return { id: itemAt(part, at), act: { action: "removed", changes }, found, next: null };
      }),
    );
  }
}

function itemAt<Item>(items: readonly Item[], at: number): Item {
  const item = items[at];
  if (item === undefined) throw new Error("A batch was opened with other records");
  return item;
}

/** A record of a batch that was written. */
type Saved<Found, Next> = { id: number; act: SaveAct; found: Found; next: Next | null };

/** Runs the statement of a batch. Throws unless it wrote as many records. */
async function assertWritten(
  { entity }: { entity: string },
  query: Query,
  statement: Statement,
  row: Sql,
  count: number,
): Promise<void> {
  const written = await query(statement.sql(sql`SELECT id FROM ${row}`));
  if (written.length !== count) throw new Error(`Not every ${entity} that was locked was written`);
}

/** Records the events of a batch, and runs what follows the save of each record. */
async function finish<Input extends Sent, Found extends Opened<Stored>, Next extends Values>(
  kind: BatchKind<Input, Found, Next>,
  query: Query,
  actor: SessionUser,
  saved: readonly Saved<Found, Next>[],
): Promise<void> {
  const acts = saved.flatMap(({ id, act, found, next }) =>
    // The parts of one statement run in reverse.
    [...(kind.events?.(act, found, next) ?? [{ ...act, entity: kind.entity }])].reverse().map(
      ({ client, ...event }): RecordAct => ({
        ...event,
        entityId: id,
        clientId: client === "id" ? id : typeof client === "number" ? client : null,
      }),
    ),
  );
  await auditAll(query, actor, acts);
  if (kind.after) for (const { id, found, next } of saved) await kind.after(query, actor, id, found, next);
}

/** Throws 409 with the name of the user who saved since, if `version` is not the version of the locked record. */
export async function assertUnchanged(
  query: Query,
  schema: z.core.$ZodType,
  { id, lockVersion = 0 }: Stored,
  version: number | undefined,
): Promise<void> {
  if (version === undefined || version === lockVersion) return;
  const table = identifier(recordFacts(schema).table);
  const [saved] = await query<{ changedBy: string }>(
    sql`SELECT u.first_name || ' ' || u.last_name AS "changedBy" FROM users u
     WHERE u.id = (SELECT updated_by_id FROM ${table} WHERE id = ${id})`,
  );
  assertVersion({ lockVersion, changedBy: saved?.changedBy ?? null }, version);
}
