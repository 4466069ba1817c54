import "server-only";
import { readPhoneticNames } from "@/lib/clients/names";
import { similarTo } from "@/lib/clients/search";
import { inTransaction, type Query, rows } from "@/lib/core/database/client";
import { holdDefinitions } from "@/lib/core/database/definitions";
import { asAppError } from "@/lib/core/database/errors";
import { AppError } from "@/lib/core/errors";
import { TEXT_MAX } from "@/lib/core/fields/validation";
import { REQUIRED } from "@/lib/core/fields/words";
import { inTurns } from "@/lib/core/process/in-turns";
import { identifier, sql } from "@/lib/core/sql";
import { today } from "@/lib/core/text/format";
import type { Actor } from "@/lib/identity/session";
import { addToLists, readLists } from "@/lib/transfer/imports/additions";
import {
  type Column,
  EXTERNAL_ID,
  listsOf,
  naming,
  type Readers,
  shortened,
  valueColumnOf,
} from "@/lib/transfer/imports/columns";
import { DigestMap } from "@/lib/transfer/imports/digest-map";
import { EarlierNames, type RowName } from "@/lib/transfer/imports/earlier-names";
import { readRows } from "@/lib/transfer/imports/file/table";
import { endImport } from "@/lib/transfer/imports/imports";
import {
  type Allowed,
  advance,
  CHUNK,
  inChunk,
  inChunks,
  type Job,
  lockJob,
  REST,
  storeNote,
} from "@/lib/transfer/imports/jobs";
import type { ImportRecord, Kind, LeftBlankCell } from "@/lib/transfer/imports/kind";
import { isThereSql, rowNotHidden } from "@/lib/transfer/imports/kinds";
import type { NewNote } from "@/lib/transfer/imports/notes";
import { headingRowOf, headingsOf, mappingOf } from "@/lib/transfer/imports/notes";
import { countBlanks, countProblems, type Refusal } from "@/lib/transfer/imports/problems";
import { valueReader } from "@/lib/transfer/imports/readings";
import {
  type Context,
  groupLines,
  isAbout,
  type Lines,
  ownerName,
  prepare,
} from "@/lib/transfer/imports/records";
import type { ImportNote, Mapping } from "@/lib/transfer/imports/schema";

/** Imports the remaining rows. Returns false if stopped before the last one. */
export async function importRows(
  job: Job,
  allowed: Allowed,
  kind: Kind,
  stop: AbortSignal,
): Promise<boolean> {
  let actor = await allowed();
  const context = await contextOf(job, actor, kind);
  const file = readRows(job);
  const { headingRow, above } = await headingRowOf(rows, job.id);
  const rowsBefore = headingRow === 0 ? 0 : above.length + 1;
  for (let skipped = 0; skipped < rowsBefore; skipped += 1) await file.next();
  const idColumn = context.columns.findIndex((column) => column?.key === EXTERNAL_ID);
  const records = groupLines(file, kind.lines && idColumn >= 0 ? idColumn : null);
  await skipDone(job, kind, context, records);
  const isFinished = await inChunks(stop, async () => {
    const chunk: Lines[] = [];
    let length = 0;
    while (length < CHUNK) {
      const { value, done } = await records.next();
      if (done) break;
      chunk.push(value);
      length += value.rows.length;
    }
    if (length === 0) return null;
    actor = await allowed();
    const created = await importChunk(job, actor, kind, context, chunk);
    if (length < CHUNK) return null;
    return created > 0 ? REST.writing : REST.comparing;
  });
  await records.return(undefined);
  if (!isFinished) return false;
  await inTransaction(async (query) => {
    const { created } = await lockJob(query, job);
    if (job.status === "running") await endImport(query, actor, job.id, "done", created);
    else
      await query(
        sql`UPDATE imports SET status = 'checked', lease = NULL, leased_until = NULL WHERE id = ${job.id}`,
      );
  });
  return true;
}

/** The number of names, and of numbers of refused rows, that are read at once when an import resumes. */
const READ_AT_ONCE = 500;

/**
 * Skips the records of earlier chunks, which never end within a record. Collects their keys again, and in a dry run, which
 * has rolled them back, their names.
 */
async function skipDone(job: Job, kind: Kind, context: Context, records: ReturnType<typeof groupLines>) {
  const isRefused = refusedBefore(job);
  const isDryRun = job.status === "checking";
  let names: RowName[] = [];
  const remember = async () => {
    for (const [at, name] of (await readPhoneticNames(rows, namesIn(names))).entries())
      if (names[at]) context.earlier.add(name, names[at]);
    names = [];
  };
  for (let done = 0; done < job.done; ) {
    const { value } = await records.next();
    if (!value) break;
    done += value.rows.length;
    const record = prepare(job, kind, context, value);
    let refused = false;
    for (const { number } of value.rows) refused = (await isRefused(number)) || refused;
    if (refused) continue;
    // A row that repeats an earlier one has no new name to compare.
    if (accept(context, record) && kind.people && isDryRun) names.push(rowName(record));
    if (names.length === READ_AT_ONCE) await remember();
  }
  await remember();
}

/** Returns a function that tells if the row of a number was refused. Its calls need ascending numbers. */
function refusedBefore({ id }: Job): (number: number) => Promise<boolean> {
  let [next, last]: [number[], number] = [[], 0];
  return async (number) => {
    while (last < number) {
      const refusals = await rows<{ number: number }>(
        sql`SELECT number FROM import_notes WHERE import_id = ${id} AND about = 'failed' AND number > ${last}
         ORDER BY number LIMIT ${READ_AT_ONCE}`,
      );
      next = refusals.map((refusal) => refusal.number);
      last = next.at(-1) ?? Number.POSITIVE_INFINITY;
    }
    return next.includes(number);
  };
}

/**
 * Returns the columns that the file can have. Throws 409 if a field of the file was removed since: without its column, its
 * values would be dropped without a word.
 */
function knownColumns(job: Job, kind: Kind): Column[] {
  const known = kind.columns();
  if (job.matches.some((key) => key !== "" && !known.some((column) => column.key === key)))
    throw new AppError("conflict_version", "A field of this file was removed. Please upload the file again.");
  return known;
}

async function contextOf(job: Job, actor: Actor, kind: Kind): Promise<Context> {
  const known = knownColumns(job, kind);
  const columns = job.matches.map((key) => known.find((column) => column.key === key) ?? null);
  const [mapping, headings] = await Promise.all([mappingOf(rows, job.id), headingsOf(rows, job.id)]);
  const users = await rows<{ id: number; email: string; name: string }>(
    sql`SELECT id, lower(email) AS email, concat_ws(' ', first_name, last_name) AS name FROM users`,
  );
  const owners = new Map(users.map(({ id, email }) => [email, id]));
  const names = users.map(({ name }) => ownerName(name));
  for (const [at, { id }] of users.entries()) {
    const name = names[at] ?? "";
    if (names.indexOf(name) === names.lastIndexOf(name)) owners.set(name, id);
  }
  return {
    columns,
    wholeNames: new Map(known.map((column) => [column.key, column])),
    mapping,
    headings,
    readers: await readersOf(rows, columns, headings, mapping),
    owners,
    ownerId: job.owner_id ?? actor.userId,
    accepted: new DigestMap(),
    acceptedValues: new DigestMap(),
    occurrences: new DigestMap(),
    earlier: new EarlierNames(),
  };
}

/** Returns the readers of a file's columns of values, with the lists as they are now. */
async function readersOf(
  query: Query,
  columns: readonly (Column | null)[],
  headings: readonly string[],
  mapping: Mapping,
): Promise<Readers> {
  const lists = await readLists(query, listsOf(columns.flatMap((column) => column ?? [])));
  return new Map(
    columns.flatMap((column, at) => {
      const values = column && valueColumnOf(column, headings[at] ?? "", lists);
      if (!column || !values) return [];
      const decisions = mapping.columns.find(({ key }) => key === column.key) ?? {};
      return [[column.key, valueReader(values, decisions, today())] as const];
    }),
  );
}

/**
 * Imports one chunk and returns the number of records it created. A dry run does the same, then rolls back all except
 * notes and counts.
 */
async function importChunk(
  job: Job,
  actor: Actor,
  kind: Kind,
  context: Context,
  chunk: readonly Lines[],
): Promise<number> {
  return inChunk(async (tx, query) => {
    await lockJob(query, job);
    // Without this lock, two simultaneous imports of the same rows would both treat them as new.
    await query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`import ${job.kind}`}, 0))::text`);
    // After that wait, so that changes to the definitions do not wait for it too.
    await holdDefinitions(query);
    // The error of a save would have a value of the file, and the error of an import is stored as it is.
    knownColumns(job, kind);
    await query(sql`SAVEPOINT before_chunk`);
    const isExtended = await addToLists(tx, actor, context.columns, context.mapping);
    // A dry run rolls back what it added, and then adds it again.
    const readers = isExtended
      ? await readersOf(query, context.columns, context.headings, context.mapping)
      : context.readers;
    const prepared = await inTurns(chunk, (lines) => prepare(job, kind, { ...context, readers }, lines), 1);
    const notes: [about: ImportNote["about"], number: number, content: NewNote][] = [];
    const refusals: Refusal[] = [];
    const blanks: LeftBlankCell[] = [];
    const { existingKeys, hiddenKeys } = await readKeys(query, actor, job, kind, prepared);
    const isRepeated = ({ keys }: ImportRecord, at: number) =>
      !chunk[at]?.again && keys.some((key) => existingKeys.has(key));
    const earlierOf = ({ keys: [key = ""] }: ImportRecord, at: number) =>
      chunk[at]?.again ? undefined : context.accepted.get(key);
    const fresh = prepared.filter(
      (record, at) => !(record.unreadable || isRepeated(record, at) || earlierOf(record, at)),
    );
    await kind.complete?.(query, actor, fresh);
    const alike =
      kind.people && fresh.length > 0 ? await similarNames(query, actor, job, context, fresh) : null;
    const created = new Map<string, { id: number; forUserId: number | null }>();
    const counts = { created: 0, repeated: 0, duplicates: 0, failed: 0, alike: 0 };
    for (const [at, record] of prepared.entries()) {
      const { rows: lines, keys, ownerId, values, problems } = record;
      const [key = ""] = keys;
      try {
        if (record.unreadable) throw new AppError("invalid", record.unreadable);
        const earlier = earlierOf(record, at);
        if (earlier) {
          assertSameValues(context, record, earlier);
          counts.duplicates += 1;
          for (const { number } of lines)
            notes.push(["duplicate", number, { problem: `has the same values as row ${earlier}` }]);
          continue;
        }
        if (isRepeated(record, at)) {
          counts.repeated += 1;
          accept(context, record);
          continue;
        }
        if (problems.length > 0) throw new AppError("invalid", problems, { fields: kind.problems(values) });
        if (await kind.isThere?.(tx, actor, values)) {
          counts.repeated += 1;
          accept(context, record);
          continue;
        }
        const forUserId = keys.some((one) => hiddenKeys.has(one)) ? actor.userId : null;
        created.set(key, { id: await kind.add(tx, actor, values, ownerId), forUserId });
      } catch (error) {
        const { code, message, extra } = asAppError(error);
        // Refuses the record only for its own faults, which are detected before any of it is written.
        if (code !== "invalid" && code !== "period_closed") throw error;
        counts.failed += lines.length;
        const problem = extra.fields ? problemText(kind, record, extra.fields) : message;
        const clients = typeof values.clientId === "number" ? [values.clientId] : [];
        for (const { number, cells } of lines) {
          notes.push(["failed", number, { problem, cells, clients }]);
          refusals.push({ number, problem });
        }
        continue;
      }
      accept(context, record);
      counts.created += 1;
      blanks.push(...record.blanks());
      const similar = alike?.get(record);
      if (!similar) continue;
      counts.alike += 1;
      const { name, clients, rows } = similar;
      const others = rows.map((other) => `row ${other.number} (${shortened(other.name)})`).join(" or ");
      // The names of the clients follow.
      const end = others && clients.length > 0 ? `${others} or` : others;
      const problem = `(${shortened(name)}) may be the same person as ${end}`.trimEnd();
      for (const { number } of lines) notes.push(["similar", number, { problem, clients }]);
    }
    await storeKeys(query, job, kind, created);
    if (job.status === "checking") await query(sql`ROLLBACK TO SAVEPOINT before_chunk`);
    for (const [about, number, content] of notes) await storeNote(query, job, about, number, content);
    await countProblems(query, job.id, refusals);
    await countBlanks(query, job.id, blanks);
    const done = chunk.reduce((sum, lines) => sum + lines.rows.length, 0);
    await advance(query, job, done, counts);
    return counts.created;
  });
}

/**
 * Remembers an accepted record by its key, so that later rows of the file can be compared. Returns false if an earlier
 * row of the file has the key.
 */
function accept({ accepted, acceptedValues }: Context, record: ImportRecord): boolean {
  const { keys, rows, texts } = record;
  const [[key = ""], [row]] = [keys, rows];
  if (accepted.get(key) !== undefined) return false;
  accepted.set(key, row?.number ?? 0);
  // Without an External Id, the key is that of the values.
  if (texts.has(EXTERNAL_ID)) acceptedValues.set(keyOfValues(record), row?.number ?? 0);
  return true;
}

const keyOfValues = ({ keys: [key = ""], content }: ImportRecord): string => `${key} ${content}`;

/** Throws 422 if a record whose External Id occurred before has other values than the earlier row. */
function assertSameValues({ acceptedValues }: Context, record: ImportRecord, earlier: number): void {
  const id = record.texts.get(EXTERNAL_ID);
  if (id === undefined || acceptedValues.get(keyOfValues(record)) !== undefined) return;
  throw new AppError("invalid", naming(`Row ${earlier} has the same External Id and other values`, id));
}

/**
 * Returns the record's problems, one per line, with the refused values: those of its cells, then those of its fields. A
 * field whose cell was refused is not missing too.
 */
function problemText(
  kind: Kind,
  { lines, problems }: ImportRecord,
  fields: Readonly<Record<string, string>>,
): string {
  const ofFields = Object.entries(fields).flatMap(([path, problem]) => {
    const index = Number(/\.(\d+)(\.|$)/.exec(path)?.[1] ?? 0);
    const cell = lines[index]?.find(([column]) => isAbout(kind, path, column));
    if (!problem.endsWith(REQUIRED)) return naming(problem, cell?.[1]);
    const label = problem.slice(0, -REQUIRED.length).trimEnd();
    const isAboutCell = (other: string) => other.startsWith(`${label} `) || other.startsWith(`${label}:`);
    return problems.some(isAboutCell) ? [] : problem;
  });
  return [...new Set([...problems, ...ofFields])].join("\n");
}

/**
 * Returns the keys of rows whose records were imported before and still exist. For the actor, a record of a hidden
 * client was never imported, so its key is in `hiddenKeys`.
 */
async function readKeys(
  query: Query,
  actor: Actor,
  job: Job,
  kind: Kind,
  prepared: readonly ImportRecord[],
): Promise<{ existingKeys: Set<string>; hiddenKeys: ReadonlySet<string> }> {
  const keys = prepared.flatMap((record) => record.keys);
  const imported = await query<{ key: string; visible: boolean }>(
    sql`SELECT r.key, ${rowNotHidden(actor, kind)} AS visible FROM import_rows r
     WHERE r.kind = ${job.kind} AND r.key = ANY(${keys}::text[]) AND ${isThereSql(kind)}`,
  );
  const keysOf = (visible: boolean) =>
    new Set(imported.filter((row) => row.visible === visible).map(({ key }) => key));
  return { existingKeys: keysOf(true), hiddenKeys: keysOf(false) };
}

/** Stores the keys that identify the new records, and replaces those of records that no longer exist. */
async function storeKeys(
  query: Query,
  job: Job,
  kind: Kind,
  created: ReadonlyMap<string, { id: number; forUserId: number | null }>,
): Promise<void> {
  const keys = [...created.keys()];
  const ids = [...created.values()].map(({ id }) => id);
  const forUsers = [...created.values()].map(({ forUserId }) => forUserId);
  await query(
    sql`DELETE FROM import_rows r WHERE r.kind = ${job.kind} AND r.key = ANY(${keys}::text[]) AND NOT ${isThereSql(kind)}`,
  );
  await query(
    sql`INSERT INTO import_rows (kind, key, record_id, import_id, for_user_id, saved_at)
     SELECT ${job.kind}, made.key, t.id, ${job.id}, made.for_user_id, t.updated_at
     FROM unnest(${keys}::text[], ${ids}::int[], ${forUsers}::int[]) AS made (key, id, for_user_id)
       JOIN ${identifier(kind.table)} t ON t.id = made.id`,
  );
}

/** The possible matches of a record with this name: clients, and earlier rows of the file. */
type Alike = { name: string; clients: number[]; rows: RowName[] };

/** Returns, by record, the clients and the earlier rows of the file with similar names. */
async function similarNames(
  query: Query,
  actor: Actor,
  job: Job,
  context: Context,
  records: readonly ImportRecord[],
): Promise<Map<ImportRecord | undefined, Alike>> {
  // Records of earlier chunks are in the database, unless this is a dry run.
  if (job.status !== "checking") context.earlier.clear();
  const names = records.map(rowName);
  const phoneticNames = await readPhoneticNames(query, namesIn(names));
  const others = phoneticNames.flatMap((name, place) => {
    const candidates = context.earlier.alike(name);
    if (names[place]) context.earlier.add(name, names[place]);
    return candidates.map((other) => ({ place, ...other }));
  });
  const similar = await similarTo(query, actor, phoneticNames, others);
  const nameByRow = new Map(others.map(({ number, name }) => [number, name]));
  return new Map(
    similar.map(({ place, clients, others: numbers }) => {
      const rows = numbers.map((number) => ({ number, name: nameByRow.get(number) ?? "" }));
      return [records[place], { name: names[place]?.name ?? "", clients, rows }];
    }),
  );
}

const rowName = ({ rows: [row], values }: ImportRecord): RowName => ({
  number: row?.number ?? 0,
  // A longer name is refused, but a dry run would keep it.
  name: String(values.name ?? "").slice(0, TEXT_MAX),
});
const namesIn = (names: readonly RowName[]) => names.map(({ name }) => name);
