import "server-only";
import { differences, type Values } from "@/lib/audit/changes";
import { type AuditActor, audit, auditRead } from "@/lib/audit/record";
import { can, type NamedItem, type SessionUser } from "@/lib/core/access/permissions";
import { assertAllowed, selectClients, visibleClientsWhere } from "@/lib/core/access/scope";
import { busy, forbidden, invalid, notFound, tooMany } from "@/lib/core/api/errors";
import type { Table } from "@/lib/core/api/files";
import { inTransaction, type Query, rows } from "@/lib/core/database/client";
import { isoTimestamp } from "@/lib/core/database/record-read";
import { constant, empty, type Sql, sql } from "@/lib/core/database/sql";
import { undefused } from "@/lib/core/fields/csv";
import { fairLimiter } from "@/lib/core/server/fair-queue";
import { processWide } from "@/lib/core/server/process-wide";
import type { Actor } from "@/lib/identity/session";
import { userOptions } from "@/lib/lookups/resources/lists";
import { haveOwners, matchesOf, matchesProblem } from "@/lib/transfer/imports/columns";
import { assertAwaited, storeFile } from "@/lib/transfer/imports/file/store";
import { formatOf, readRows } from "@/lib/transfer/imports/file/table";
import { kinds, rowNotHidden } from "@/lib/transfer/imports/kinds";
import { openNote, sealNote } from "@/lib/transfer/imports/notes";
import {
  type Import,
  type ImportItem,
  type ImportKind,
  type ImportNote,
  type ImportStart,
  importKinds,
  kindTitle,
  WORKING,
} from "@/lib/transfer/imports/schema";

/** How many notes of each kind are shown. */
const NOTES = 50;
const LISTED = 100;
/** While an import is in one of these, its columns are matched or may be again. */
const MATCHED: readonly string[] = ["waiting", "checking", "checked"];
/** A file that nobody imported is deleted after `WAITING_DAYS`, the notes of an import after `NOTES_DAYS`. */
const [WAITING_DAYS, NOTES_DAYS] = [7, 30];

const itemFor = (
  actor: SessionUser,
): Sql => sql`json_build_object('id', i.id, 'kind', i.kind, 'status', i.status, 'rows', i.rows, 'done', i.done,
  'created', i.created, 'repeated', i.repeated, 'failed', ${importCounts(actor).failed},
  'similar', ${importCounts(actor).alike},
  'removed', i.removed, 'kept', ${importCounts(actor).kept}, 'problem', i.problem,
  'createdAt', ${isoTimestamp(sql`i.created_at`)}, 'finishedAt', ${isoTimestamp(sql`i.finished_at`)},
  'user', (SELECT json_build_object('id', u.id, 'firstName', u.first_name, 'lastName', u.last_name)
    FROM users u WHERE u.id = i.user_id))`;

const kindsOf = (actor: SessionUser): ImportKind[] =>
  importKinds.filter((kind) => can(actor, kinds[kind].permission));

/** The condition that the note `n` is about no client, or about one who is not hidden from the actor. */
const noteNotHidden = ({ hiddenClients }: SessionUser): Sql =>
  hiddenClients.length === 0 ? sql`TRUE` : sql`NOT ${onlyOfHidden(hiddenClients)}`;
const onlyOfHidden = (hidden: readonly number[]) =>
  sql`(n.clients <> '{}' AND n.clients <@ ${hidden}::int[])`;

/** SQL: how many notes of the import `i` are hidden from the actor. */
const hiddenNotes = ({ hiddenClients }: SessionUser, about: ImportNote["about"]): Sql =>
  hiddenClients.length === 0
    ? sql`0`
    : sql`(SELECT count(*)::int FROM import_notes n
        WHERE n.import_id = i.id AND n.about = ${constant(about)} AND ${onlyOfHidden(hiddenClients)})`;

/** SQL for the columns of the import `i` that count notes, without those that are hidden from the actor. */
export const importCounts = (actor: SessionUser) => ({
  failed: sql`(i.failed - ${hiddenNotes(actor, "failed")})`,
  alike: sql`(i.alike - ${hiddenNotes(actor, "similar")})`,
  kept: sql`(i.kept - ${hiddenNotes(actor, "kept")})`,
});

/** The kinds that the actor may import, as options of a select. */
export const importableKinds = (actor: SessionUser) =>
  kindsOf(actor).map((value) => ({ value, label: kindTitle(value) }));

/** The accounts that may own what is imported; none where the actor may import nothing that has an owner. */
export const ownerChoices = (actor: SessionUser): Promise<NamedItem[]> =>
  kindsOf(actor).some((kind) => haveOwners(kinds[kind].columns)) ? userOptions(actor) : Promise.resolve([]);

/**
 * The imports `i` that the actor may see: those of kinds that they may import. Refused rows may tell of clients and forms
 * that the actor may not see, so of these kinds they see only their own imports.
 */
export function visibleImportsWhere(actor: SessionUser): Sql {
  const hidden = actor.hiddenClients.length > 0;
  const ownOnly = [...(hidden ? ["clients"] : []), ...(hidden || !can(actor, "all-forms") ? ["forms"] : [])];
  return sql`i.kind = ANY(${kindsOf(actor)}::text[]) AND i.status <> 'uploading'
    AND (i.user_id = ${actor.userId} OR i.kind <> ALL(${ownOnly}::text[]))`;
}

type Row = {
  item: ImportItem;
  matches: string[];
  owner_id: number | null;
  uploaded_by_id: number | null;
  headings: Buffer | null;
};

/** The import, locked if `lock`. 404, also for an import that the actor may not see. */
async function read(query: Query, actor: SessionUser, id: number, lock = false): Promise<Row> {
  const [row] = await query<Row>(
    sql`SELECT ${itemFor(actor)} AS item, i.matches, i.owner_id, i.uploaded_by_id,
       (SELECT n.sealed FROM import_notes n WHERE n.import_id = i.id AND n.about = 'headings') AS headings FROM imports i
     WHERE i.id = ${id} AND ${visibleImportsWhere(actor)} ${lock ? sql`FOR UPDATE` : empty}`,
  );
  if (!row) throw notFound();
  return row;
}

/** The newest imports that the actor may see. */
export async function listImports(actor: SessionUser): Promise<ImportItem[]> {
  assertAllowed(actor, "import");
  const found = await rows<{ item: ImportItem }>(
    sql`SELECT ${itemFor(actor)} AS item FROM imports i WHERE ${visibleImportsWhere(actor)}
     ORDER BY i.id DESC LIMIT ${constant(LISTED)}`,
  );
  const imports = found.map(({ item }) => item);
  await auditRead(actor, { action: "listed", entity: "import", shown: imports.map(({ id }) => id) });
  return imports;
}

/**
 * The headings of a file. In a file without headings they are the first record, so they are sealed like one, and kept as
 * long as the refused rows, whose file they head.
 */
const headingsIn = (id: number, sealed: Buffer | null): string[] =>
  (sealed && openNote(id, sealed).cells) ?? [];

const mayHaveRefusedRows = (actor: SessionUser, { uploaded_by_id: uploader }: Row): boolean =>
  uploader === actor.userId && can(actor, "export");

/**
 * One import with its notes and, until it is started, the headings of its columns. While it is worked on it is asked for
 * again and again, so that the notes, and the record of the clients whom they name, come with its result. 404.
 */
export async function getImport(actor: SessionUser, id: number): Promise<Import> {
  assertAllowed(actor, "import");
  const row = await read(rows, actor, id);
  const { item, matches, owner_id: ownerId } = row;
  const isMatched = MATCHED.includes(item.status);
  const headings = isMatched ? headingsIn(id, row.headings) : [];
  const values = (isMatched && row.headings && openNote(id, row.headings).values) || [];
  const fields = kinds[item.kind].columns.map(({ key, label, required }) => ({ key, label, required }));
  const notes = WORKING.includes(item.status) ? [] : await readNotes(actor, id);
  const shown = [...new Set(notes.flatMap(({ clients }) => clients.map((client) => client.id)))];
  if (shown.length > 0) await auditRead(actor, { action: "listed", entity: "client", shown });
  return {
    ...item,
    headings,
    values,
    matches,
    fields,
    ownerId,
    notes,
    refusedRows: mayHaveRefusedRows(actor, row),
  };
}

async function readNotes(actor: SessionUser, id: number): Promise<ImportNote[]> {
  const found = await rows<{ about: ImportNote["about"]; number: number; clients: number[]; sealed: Buffer }>(
    sql`SELECT about, number, clients, sealed FROM (
       SELECT *, row_number() OVER (PARTITION BY about ORDER BY number) AS place FROM import_notes n
       WHERE import_id = ${id} AND about <> 'headings' AND ${noteNotHidden(actor)}
     ) AS n WHERE place <= ${constant(NOTES)} ORDER BY about, number`,
  );
  const ids = found.flatMap(({ clients }) => clients);
  const clients = await rows<{ id: number; name: string }>(
    selectClients(sql`c.id, c.name`, visibleClientsWhere(actor), sql`c.id = ANY(${ids}::int[])`),
  );
  return found.map(({ about, number, sealed, clients: ids }) => ({
    ...{ about, number, problem: openNote(id, sealed).problem },
    clients: clients.filter((client) => ids.includes(client.id)),
  }));
}

/** Stores a file, whose columns can then be matched. 422 where it cannot be read; nothing is kept then. */
export async function uploadImport(
  actor: SessionUser,
  kind: ImportKind,
  body: AsyncIterable<Uint8Array> | null,
): Promise<Import> {
  assertAllowed(actor, "import");
  assertAllowed(actor, kinds[kind].permission);
  const [made] = await rows<{ id: number }>(
    sql`INSERT INTO imports (kind, format, user_id, uploaded_by_id, status)
     VALUES (${kind}, '', ${actor.userId}, ${actor.userId}, 'uploading') RETURNING id`,
  );
  const id = made?.id ?? 0;
  try {
    const bytes = await storeFile(id, body);
    const format = await formatOf({ id, bytes });
    const { headings, values, count } = await inTurn(
      String(actor.userId),
      () => tooMany(RETRY_SECONDS),
      () => survey({ id, format, bytes }),
    );
    if (count === 0) throw invalid("file", "The file has no rows below its headings.");
    const sealed = sealNote(id, { problem: "", cells: headings, values });
    const matches = matchesOf(headings, kinds[kind].columns);
    await rows(
      sql`WITH headings AS (
         INSERT INTO import_notes (import_id, about, number, sealed) VALUES (${id}, 'headings', 1, ${sealed}))
       UPDATE imports SET format = ${format}, bytes = ${bytes}, rows = ${count}, matches = ${matches}, status = 'waiting'
       WHERE id = ${id}`,
    );
  } catch (error) {
    await rows(sql`DELETE FROM imports WHERE id = ${id}`);
    throw error;
  }
  return getImport(actor, id);
}

/** Reading a large file takes time and memory, so few uploads are read at once, and of each user one. */
const [READ_AT_ONCE, WAITING_MAX] = [3, 100];
const inTurn = processWide("uploads read", () => fairLimiter(READ_AT_ONCE, WAITING_MAX));
const RETRY_SECONDS = 10;

type Survey = { headings: string[]; values: number[]; count: number };

/** The headings of a file, the number of values below each, and of rows; stops when whoever sent it has disconnected. */
async function survey(file: Parameters<typeof readRows>[0]): Promise<Survey> {
  let [headings, count] = [[] as string[], -1];
  let values: number[] = [];
  for await (const { cells } of readRows(file)) {
    assertAwaited();
    count += 1;
    if (count === 0) {
      headings = cells.map((cell) => cell.trim());
      values = headings.map(() => 0);
    } else
      for (const [at, cell] of cells.entries())
        if (at < values.length && cell.trim() !== "") values[at] = (values[at] ?? 0) + 1;
  }
  return { headings, values, count: Math.max(0, count) };
}

/** What somebody decided of an import, in the transaction of `query`. */
async function auditDecision(query: Query, actor: AuditActor, id: number, from: Values, to: Values) {
  const changes = differences("import", from, to);
  await audit(query, actor, { action: "updated", entity: "import", entityId: id, changes });
}

/** Starts the import or a dry run in the background. 409 where it is not waiting; 422 with the fields. */
export async function startImport(actor: Actor, id: number, start: ImportStart): Promise<Import> {
  assertAllowed(actor, "import");
  await inTransaction(async (query) => {
    const row = await read(query, actor, id, true);
    const { item, headings } = row;
    if (!["waiting", "checked"].includes(item.status)) throw busy("This import has been started already.");
    const { columns } = kinds[item.kind];
    const { matches, ownerId } = start;
    const problem = matchesProblem(matches, headingsIn(id, headings).length, columns);
    if (problem) throw invalid("import.matches", problem);
    if (ownerId !== null) {
      const owners = haveOwners(columns) ? await query(sql`SELECT FROM users WHERE id = ${ownerId}`) : [];
      if (owners.length === 0) throw invalid("import.ownerId", "Owner does not exist");
    }
    const started = { status: start.dryRun ? "checking" : "running", matches, ownerId };
    // From here on the import acts for whoever starts it, with their permissions.
    await query(
      sql`UPDATE imports SET status = ${started.status}, matches = ${matches}, owner_id = ${ownerId}, user_id = ${actor.userId},
         token_id = ${actor.token?.id ?? null}, lease = NULL, leased_until = NULL,
         attempts = 0, done = 0, created = 0, repeated = 0, failed = 0, alike = 0 WHERE id = ${id}`,
    );
    await query(sql`DELETE FROM import_notes WHERE import_id = ${id} AND about <> 'headings'`);
    const former = { status: item.status, matches: row.matches, ownerId: row.owner_id };
    await auditDecision(query, actor, id, former, started);
  });
  return getImport(actor, id);
}

/** Ends an import and deletes its file; what was imported until then stays. 409 where it has ended already. */
export async function cancelImport(actor: SessionUser, id: number): Promise<Import> {
  assertAllowed(actor, "import");
  await inTransaction(async (query) => {
    const { item } = await read(query, actor, id, true);
    if (!["waiting", "checked", "checking", "running"].includes(item.status))
      throw busy("This import has ended already.");
    await endImport(query, actor, id, "cancelled", item.status === "running" ? item.created : 0);
    await auditDecision(query, actor, id, { status: item.status }, { status: "cancelled" });
  });
  return getImport(actor, id);
}

/**
 * Ends an import, or its undo, in the transaction of `query`: its file is deleted, and the `made` records are audited as
 * one event. `problem` says why it failed.
 */
export async function endImport(
  query: Query,
  actor: AuditActor,
  id: number,
  status: "done" | "cancelled" | "failed" | "undone",
  made: number,
  problem = "",
): Promise<void> {
  // A dry run counts as created what it rolled back.
  await query(
    sql`UPDATE imports SET created = CASE WHEN status IN ('checking', 'checked') THEN 0 ELSE created END,
       status = ${status}, problem = ${problem}, finished_at = now(), lease = NULL, leased_until = NULL WHERE id = ${id}`,
  );
  await query(sql`DELETE FROM import_parts WHERE import_id = ${id}`);
  if (status === "done" || made > 0)
    await audit(query, actor, { action: "imported", entity: "import", entityId: id, count: made });
}

/** Starts to undo an import in the background. 409 while it is worked on, or where nothing is left to undo. */
export async function undoImport(actor: Actor, id: number): Promise<Import> {
  assertAllowed(actor, "import");
  await inTransaction(async (query) => {
    const { item } = await read(query, actor, id, true);
    if (WORKING.includes(item.status)) throw busy("This import is still being worked on.");
    // A record that is restricted from the actor looks like one that was removed: the first undo is done with it.
    const found = await query(
      sql`SELECT FROM import_rows r WHERE r.import_id = ${id} AND (
         ${rowNotHidden(actor, kinds[item.kind])} OR NOT EXISTS (
           SELECT FROM import_notes n WHERE n.import_id = ${id} AND n.about = 'kept' AND n.number = r.record_id)) LIMIT 1`,
    );
    if (found.length === 0) throw busy("There is nothing to undo.");
    await query(sql`DELETE FROM import_notes WHERE import_id = ${id} AND about = 'kept'`);
    await query(
      sql`UPDATE imports SET status = 'undoing', user_id = ${actor.userId}, token_id = ${actor.token?.id ?? null},
         kept = 0, done = removed, attempts = 0,
         lease = NULL, leased_until = NULL WHERE id = ${id}`,
    );
    await auditDecision(query, actor, id, { status: item.status }, { status: "undoing" });
  });
  return getImport(actor, id);
}

/**
 * The refused rows, each with its problem, as a table; audited as exported before it begins. They may hold what others
 * may not see, so 403 for everyone but whoever sent the file, who needs Export besides.
 */
export async function exportFailedRows(actor: SessionUser, id: number): Promise<Table> {
  assertAllowed(actor, "import");
  const row = await read(rows, actor, id);
  if (!mayHaveRefusedRows(actor, row)) throw forbidden();
  const { item } = row;
  const headings = headingsIn(id, row.headings);
  await audit(rows, actor, { action: "exported", entity: "import", entityId: id, count: item.failed });
  return {
    name: "failed-rows",
    header: [...headings, "Problem"],
    batches: failedRows(actor, id, headings.length),
  };
}

async function* failedRows(actor: SessionUser, id: number, width: number): AsyncGenerator<string[][]> {
  let after = 0;
  for (;;) {
    const found = await rows<{ number: number; sealed: Buffer }>(
      sql`SELECT number, sealed FROM import_notes n
       WHERE import_id = ${id} AND about = 'failed' AND number > ${after} AND ${noteNotHidden(actor)}
       ORDER BY number LIMIT 500`,
    );
    if (found.length === 0) return;
    yield found.map(({ sealed }) => {
      const { cells = [], problem } = openNote(id, sealed);
      return [...Array.from({ length: width }, (_, at) => undefused(cells[at] ?? "")), problem];
    });
    after = found.at(-1)?.number ?? 0;
  }
}

/** Returns how many imports wait for their turn or are at work. */
export async function countWaitingImports(): Promise<number> {
  const [found] = await rows<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM imports WHERE status IN ('checking', 'running', 'undoing')`,
  );
  return found?.count ?? 0;
}

/** Deletes files that nobody imported, and the notes of imports that ended long ago. */
export async function removeOldImports(): Promise<void> {
  await rows(
    sql`DELETE FROM imports
     WHERE status IN ('waiting', 'checked') AND created_at < now() - make_interval(days => ${constant(WAITING_DAYS)})
       OR status = 'uploading' AND created_at < now() - interval '1 day'`,
  );
  await rows(
    sql`DELETE FROM import_notes n USING imports i WHERE i.id = n.import_id
       AND i.finished_at < now() - make_interval(days => ${constant(NOTES_DAYS)})`,
  );
}
