import "server-only";
import { busy, forbidden, invalid, notFound } from "@/lib/api/errors";
import { differences, type Values } from "@/lib/audit/changes";
import { type AuditActor, audit, auditRead } from "@/lib/audit/record";
import { can, type NamedItem, type SessionUser } from "@/lib/auth/permissions";
import { assertAllowed, visibleClientsWhere } from "@/lib/auth/scope";
import type { Actor } from "@/lib/auth/session";
import { type Bind, binding } from "@/lib/database/bind";
import { inTransaction, type Query, rows } from "@/lib/database/client";
import type { Table } from "@/lib/database/list-export";
import { isoTimestamp } from "@/lib/database/record-read";
import { undefused } from "@/lib/fields/csv";
import { haveOwners, matchesOf, matchesProblem } from "@/lib/imports/columns";
import { assertAwaited, storeFile } from "@/lib/imports/file/data";
import { formatOf, readRows } from "@/lib/imports/file/table";
import { kinds } from "@/lib/imports/kinds/data";
import { openNote, sealNote } from "@/lib/imports/notes";
import {
  type Import,
  type ImportItem,
  type ImportKind,
  type ImportNote,
  type ImportStart,
  importKinds,
  kindTitle,
  WORKING,
} from "@/lib/imports/schema";
import { userOptions } from "@/lib/lookups/resources/data";
import { limiter } from "@/lib/server/limiter";

/** How many notes of each kind are shown. */
const NOTES = 50;
const LISTED = 100;
/** While an import is in one of these, its columns are matched or may be again. */
const MATCHED: readonly string[] = ["waiting", "checking", "checked"];
/** A file that nobody imported is deleted after `WAITING_DAYS`, the notes of an import after `NOTES_DAYS`. */
const [WAITING_DAYS, NOTES_DAYS] = [7, 30];

const itemFor = (
  actor: SessionUser,
  bind: Bind,
) => `json_build_object('id', i.id, 'kind', i.kind, 'status', i.status, 'rows', i.rows, 'done', i.done,
  'created', i.created, 'repeated', i.repeated, 'failed', i.failed - ${hiddenNotes(actor, "failed", bind)}, 'similar', i.alike - ${hiddenNotes(actor, "similar", bind)},
  'removed', i.removed, 'kept', i.kept - ${hiddenNotes(actor, "kept", bind)}, 'problem', i.problem, 'createdAt', ${isoTimestamp("i.created_at")},
  'finishedAt', ${isoTimestamp("i.finished_at")},
  'user', (SELECT json_build_object('id', u.id, 'firstName', u.first_name, 'lastName', u.last_name)
    FROM users u WHERE u.id = i.user_id))`;

const kindsOf = (actor: SessionUser): ImportKind[] =>
  importKinds.filter((kind) => can(actor, kinds[kind].permission));

/** ` AND …`: the note `n` is about no client, or about one who is not hidden from the actor. */
const andNoteNotHidden = ({ hiddenClients }: SessionUser, bind: Bind): string =>
  hiddenClients.length === 0 ? "" : ` AND NOT ${onlyOfHidden(bind(hiddenClients))}`;
const onlyOfHidden = (hidden: string) => `(n.clients <> '{}' AND n.clients <@ ${hidden}::int[])`;

/** SQL: how many notes of the import `i` are hidden from the actor. */
const hiddenNotes = ({ hiddenClients }: SessionUser, about: ImportNote["about"], bind: Bind): string =>
  hiddenClients.length === 0
    ? "0"
    : `(SELECT count(*)::int FROM import_notes n
        WHERE n.import_id = i.id AND n.about = '${about}' AND ${onlyOfHidden(bind(hiddenClients))})`;

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
function visibleImportsWhere(actor: SessionUser, bind: Bind): string {
  const hidden = actor.hiddenClients.length > 0;
  const ownOnly = [...(hidden ? ["clients"] : []), ...(hidden || !can(actor, "all-forms") ? ["forms"] : [])];
  return `i.kind = ANY(${bind(kindsOf(actor))}::text[]) AND i.status <> 'uploading'
    AND (i.user_id = ${bind(actor.userId)} OR i.kind <> ALL(${bind(ownOnly)}::text[]))`;
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
  const { values, bind } = binding(id);
  const [row] = await query<Row>(
    `SELECT ${itemFor(actor, bind)} AS item, i.matches, i.owner_id, i.uploaded_by_id,
       (SELECT n.sealed FROM import_notes n WHERE n.import_id = i.id AND n.about = 'headings') AS headings FROM imports i
     WHERE i.id = $1 AND ${visibleImportsWhere(actor, bind)} ${lock ? "FOR UPDATE" : ""}`,
    values,
  );
  if (!row) throw notFound();
  return row;
}

/** The newest imports that the actor may see. */
export async function listImports(actor: SessionUser): Promise<ImportItem[]> {
  assertAllowed(actor, "import");
  const { values, bind } = binding();
  const found = await rows<{ item: ImportItem }>(
    `SELECT ${itemFor(actor, bind)} AS item FROM imports i WHERE ${visibleImportsWhere(actor, bind)}
     ORDER BY i.id DESC LIMIT ${LISTED}`,
    values,
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
  const headings = MATCHED.includes(item.status) ? headingsIn(id, row.headings) : [];
  const fields = kinds[item.kind].columns.map(({ key, label, required }) => ({ key, label, required }));
  const notes = WORKING.includes(item.status) ? [] : await readNotes(actor, id);
  const shown = [...new Set(notes.flatMap(({ clients }) => clients.map((client) => client.id)))];
  if (shown.length > 0) await auditRead(actor, { action: "listed", entity: "client", shown });
  return { ...item, headings, matches, fields, ownerId, notes, refusedRows: mayHaveRefusedRows(actor, row) };
}

async function readNotes(actor: SessionUser, id: number): Promise<ImportNote[]> {
  const seen = binding(id);
  const found = await rows<{ about: ImportNote["about"]; number: number; clients: number[]; sealed: Buffer }>(
    `SELECT about, number, clients, sealed FROM (
       SELECT *, row_number() OVER (PARTITION BY about ORDER BY number) AS place FROM import_notes n
       WHERE import_id = $1 AND about <> 'headings'${andNoteNotHidden(actor, seen.bind)}
     ) AS n WHERE place <= ${NOTES} ORDER BY about, number`,
    seen.values,
  );
  const { values, bind } = binding(found.flatMap(({ clients }) => clients));
  const clients = await rows<{ id: number; name: string }>(
    `SELECT c.id, c.name FROM clients c WHERE c.id = ANY($1::int[]) AND ${visibleClientsWhere(actor, bind)}`,
    values,
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
    "INSERT INTO imports (kind, format, user_id, uploaded_by_id, status) VALUES ($1, '', $2, $2, 'uploading') RETURNING id",
    [kind, actor.userId],
  );
  const id = made?.id ?? 0;
  try {
    const bytes = await storeFile(id, body);
    const format = await formatOf({ id, bytes });
    const { headings, count } = await alone(() => survey({ id, format, bytes }));
    if (count === 0) throw invalid("file", "The file has no rows below its headings.");
    await rows(
      `WITH headings AS (INSERT INTO import_notes (import_id, about, number, sealed) VALUES ($1, 'headings', 1, $5))
       UPDATE imports SET format = $2, bytes = $3, rows = $4, matches = $6, status = 'waiting' WHERE id = $1`,
      [
        ...[id, format, bytes, count, sealNote(id, { problem: "", cells: headings })],
        matchesOf(headings, kinds[kind].columns),
      ],
    );
  } catch (error) {
    await rows("DELETE FROM imports WHERE id = $1", [id]);
    throw error;
  }
  return getImport(actor, id);
}

/** To read a large file takes time and memory, so uploads are read one after the other. */
const oneByOne = limiter(1);
const alone = <T>(work: () => Promise<T>) => oneByOne(new AbortController().signal, work);

/** The headings of a file and the number of rows below; stops when whoever sent it has disconnected. */
async function survey(file: Parameters<typeof readRows>[0]): Promise<{ headings: string[]; count: number }> {
  let [headings, count] = [[] as string[], -1];
  for await (const { cells } of readRows(file)) {
    assertAwaited();
    count += 1;
    if (count === 0) headings = cells.map((cell) => cell.trim());
  }
  return { headings, count: Math.max(0, count) };
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
      const owners = haveOwners(columns) ? await query("SELECT FROM users WHERE id = $1", [ownerId]) : [];
      if (owners.length === 0) throw invalid("import.ownerId", "Owner does not exist");
    }
    const started = { status: start.dryRun ? "checking" : "running", matches, ownerId };
    // From here on the import acts for whoever starts it, with their permissions.
    await query(
      `UPDATE imports SET status = $2, matches = $3, owner_id = $4, user_id = $5, token_id = $6, lease = NULL, leased_until = NULL,
         attempts = 0, done = 0, created = 0, repeated = 0, failed = 0, alike = 0 WHERE id = $1`,
      [id, started.status, matches, ownerId, actor.userId, actor.token?.id ?? null],
    );
    await query("DELETE FROM import_notes WHERE import_id = $1 AND about <> 'headings'", [id]);
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
    `UPDATE imports SET created = CASE WHEN status IN ('checking', 'checked') THEN 0 ELSE created END,
       status = $2, problem = $3, finished_at = now(), lease = NULL, leased_until = NULL WHERE id = $1`,
    [id, status, problem],
  );
  await query("DELETE FROM import_parts WHERE import_id = $1", [id]);
  if (status === "done" || made > 0)
    await audit(query, actor, { action: "imported", entity: "import", entityId: id, count: made });
}

/** Starts to undo an import in the background. 409 while it is worked on, or where nothing is left to undo. */
export async function undoImport(actor: Actor, id: number): Promise<Import> {
  assertAllowed(actor, "import");
  await inTransaction(async (query) => {
    const { item } = await read(query, actor, id, true);
    if (WORKING.includes(item.status)) throw busy("This import is still being worked on.");
    const found = await query("SELECT FROM import_rows WHERE import_id = $1 LIMIT 1", [id]);
    if (found.length === 0) throw busy("There is nothing to undo.");
    await query("DELETE FROM import_notes WHERE import_id = $1 AND about = 'kept'", [id]);
    await query(
      `UPDATE imports SET status = 'undoing', user_id = $2, token_id = $3, kept = 0, done = removed, attempts = 0,
         lease = NULL, leased_until = NULL WHERE id = $1`,
      [id, actor.userId, actor.token?.id ?? null],
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
    const { values, bind } = binding(id, after);
    const found = await rows<{ number: number; sealed: Buffer }>(
      `SELECT number, sealed FROM import_notes n
       WHERE import_id = $1 AND about = 'failed' AND number > $2${andNoteNotHidden(actor, bind)} ORDER BY number LIMIT 500`,
      values,
    );
    if (found.length === 0) return;
    yield found.map(({ sealed }) => {
      const { cells = [], problem } = openNote(id, sealed);
      return [...Array.from({ length: width }, (_, at) => undefused(cells[at] ?? "")), problem];
    });
    after = found.at(-1)?.number ?? 0;
  }
}

/** Deletes files that nobody imported, and the notes of imports that ended long ago. */
export async function removeOldImports(): Promise<void> {
  await rows(
    `DELETE FROM imports WHERE status IN ('waiting', 'checked') AND created_at < now() - make_interval(days => ${WAITING_DAYS})
       OR status = 'uploading' AND created_at < now() - interval '1 day'`,
  );
  await rows(
    `DELETE FROM import_notes n USING imports i WHERE i.id = n.import_id
       AND i.finished_at < now() - make_interval(days => ${NOTES_DAYS})`,
  );
}
