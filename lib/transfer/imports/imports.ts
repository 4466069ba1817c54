import "server-only";
import { setImmediate as otherWork } from "node:timers/promises";
import { differences, type Values } from "@/lib/audit/changes";
import { type AuditActor, audit, auditRead } from "@/lib/audit/record";
import { can, canAll, type NamedItem, type SessionUser } from "@/lib/core/access/permissions";
import { assertAllowed, selectClients, visibleClientsWhere } from "@/lib/core/access/scope";
import type { Table } from "@/lib/core/api/files";
import type { FileFormat } from "@/lib/core/api/list-file";
import { inTransaction, type Query, rows } from "@/lib/core/database/client";
import { isoTimestamp } from "@/lib/core/database/record-read";
import { AppError, busy, forbidden, invalid, notFound, tooMany } from "@/lib/core/errors";
import { limiter } from "@/lib/core/process/limiter";
import { processWide } from "@/lib/core/process-wide";
import { constant, empty, type Sql, sql } from "@/lib/core/sql";
import { unescapeFormula } from "@/lib/core/text/csv";
import type { Actor } from "@/lib/identity/session";
import { userOptions } from "@/lib/lookups/resources/lists";
import { recordKeys, records } from "@/lib/records/registry";
import { mayAdd, readLists } from "@/lib/transfer/imports/additions";
import {
  CLIENT_NAME,
  type Column,
  haveOwners,
  listsOf,
  matchesOf,
  matchesProblem,
  shortened,
  valueColumnOf,
} from "@/lib/transfer/imports/columns";
import { HEADINGS_WITHIN, placeOfHeadings } from "@/lib/transfer/imports/file/heading-row";
import { assertHeadings } from "@/lib/transfer/imports/file/limits";
import { assertConnected, type FileRow, storeFile } from "@/lib/transfer/imports/file/store";
import { formatOf, readBatches } from "@/lib/transfer/imports/file/table";
import { kinds, rowNotHidden } from "@/lib/transfer/imports/kinds";
import { isOwnExport, openQuestion, suggestedMapping, unnamedColumn } from "@/lib/transfer/imports/mapping";
import { recalled } from "@/lib/transfer/imports/memory";
import {
  blanksOf,
  firstRowsOf,
  type HeadingRow,
  headingRowOf,
  headingsOf,
  mappingOf,
  openFileName,
  openNote,
  problemsOf,
  sealFileName,
  storeFileNote,
  surveyOf,
} from "@/lib/transfer/imports/notes";
import { ADD } from "@/lib/transfer/imports/readings";
import {
  type ColumnSurvey,
  type FirstRow,
  HEADING_MAX,
  type Import,
  type ImportField,
  type ImportItem,
  type ImportNote,
  type ImportStart,
  type Mapping,
} from "@/lib/transfer/imports/schema";
import { surveyorsOf } from "@/lib/transfer/imports/survey";
import { type ImportKind, importKinds, kindTitle, WORKING } from "@/lib/transfer/imports/words";

/**
 * The most notes of each kind that are shown, and the bytes after which no other one follows: earlier versions stored a
 * refused row in its note.
 */
const NOTES_SHOWN = { most: 50, bytes: 1_000_000 };
const IMPORTS_LISTED_MAX = 100;
/** Statuses that allow matching columns, now or again. */
const MATCHED: readonly string[] = ["waiting", "checking", "checked"];
/** Those in which the file does not change at the moment. */
const OPEN: readonly string[] = ["waiting", "checked"];
/**
 * A file that was not imported is deleted after `WAITING_DAYS`, refused rows after `REFUSED_DAYS`, the other notes of an
 * import after `NOTES_DAYS`. The decisions about its values are remembered for `MAPPING_DAYS`.
 */
const WAITING_DAYS = 7;
const REFUSED_DAYS = 7;
const NOTES_DAYS = 30;
const MAPPING_DAYS = 365;

const itemFor = (
  actor: SessionUser,
): Sql => sql`json_build_object('id', i.id, 'kind', i.kind, 'status', i.status, 'rows', i.rows, 'done', i.done,
  'created', i.created, 'repeated', i.repeated, 'duplicates', i.duplicates, 'failed', ${importCounts(actor).failed},
  'similar', ${importCounts(actor).alike},
  'removed', i.removed, 'kept', ${importCounts(actor).kept}, 'problem', i.problem,
  'createdAt', ${isoTimestamp(sql`i.created_at`)}, 'finishedAt', ${isoTimestamp(sql`i.finished_at`)},
  'user', (SELECT json_build_object('id', u.id, 'firstName', u.first_name, 'lastName', u.last_name)
    FROM users u WHERE u.id = i.user_id))`;

const kindsOf = (actor: SessionUser): ImportKind[] =>
  importKinds.filter((kind) => canAll(actor, kinds[kind].permissions));

/** SQL condition: the note `n` is about no client, or about one who is not hidden. */
const noteNotHidden = ({ hiddenClients }: SessionUser): Sql =>
  hiddenClients.length === 0 ? sql`TRUE` : sql`NOT ${onlyOfHidden(hiddenClients)}`;
const onlyOfHidden = (hidden: readonly number[]) =>
  sql`(n.clients <> '{}' AND n.clients <@ ${hidden}::int[])`;

/** SQL for the number of the import's (`i`) notes that are hidden from the actor. */
const hiddenNotes = ({ hiddenClients }: SessionUser, about: ImportNote["about"]): Sql =>
  hiddenClients.length === 0
    ? sql`0`
    : sql`(SELECT count(*)::int FROM import_notes n
        WHERE n.import_id = i.id AND n.about = ${constant(about)} AND ${onlyOfHidden(hiddenClients)})`;

/** SQL for the columns of the import `i` that count notes, without those hidden from the actor. */
export const importCounts = (actor: SessionUser) => ({
  failed: sql`(i.failed - ${hiddenNotes(actor, "failed")})`,
  alike: sql`(i.alike - ${hiddenNotes(actor, "similar")})`,
  kept: sql`(i.kept - ${hiddenNotes(actor, "kept")})`,
});

/** Returns the kinds the actor may import, as options of a select, with the headings of an empty file. */
export const importableKinds = (actor: SessionUser) =>
  kindsOf(actor).map((value) => ({
    value,
    label: kindTitle(value),
    headings: templateOf(kinds[value].columns()),
  }));

/** Returns the headings of an empty file for such records. A name is in one column. */
const templateOf = (columns: readonly Column[]): string[] =>
  columns.filter(({ part }) => !part).map(({ label }) => label);

/**
 * Returns the accounts that may own imported records; none if the actor may import no kind that has owners.
 */
export const ownerChoices = (actor: SessionUser): Promise<NamedItem[]> =>
  kindsOf(actor).some((kind) => haveOwners(kinds[kind].columns())) ? userOptions(actor) : Promise.resolve([]);

/**
 * SQL condition on the imports `i` the actor may see: those of kinds they may import. Refused rows may be about clients,
 * forms and stays the actor may not see. So of such kinds they see only their own imports.
 */
export function visibleImportsWhere(actor: SessionUser): Sql {
  const hidden = actor.hiddenClients.length > 0;
  const seesAll = can(actor, "all-forms");
  const ownOnly = [
    ...(hidden ? ["clients", "stays"] : []),
    ...(hidden || !seesAll ? ["forms", "attendances"] : []),
    ...(seesAll ? [] : recordKeys.filter((key) => records[key].seenBy === "owner")),
  ];
  return sql`i.kind = ANY(${kindsOf(actor)}::text[]) AND i.status <> 'uploading'
    AND (i.user_id = ${actor.userId} OR i.kind <> ALL(${ownOnly}::text[]))`;
}

/** An import without what the database stores encrypted. */
type Item = Omit<ImportItem, "fileName">;

type Row = {
  item: Item;
  file_name: Buffer | null;
  matches: string[];
  owner_id: number | null;
  uploaded_by_id: number | null;
  has_refused_rows: boolean;
};

/** Returns the import, locked if `lock`. Throws 404, also for an import the actor may not see. */
async function readImport(query: Query, actor: SessionUser, id: number, lock = false): Promise<Row> {
  const [row] = await query<Row>(
    sql`SELECT ${itemFor(actor)} AS item, i.file_name, i.matches, i.owner_id, i.uploaded_by_id,
       COALESCE(i.finished_at > now() - make_interval(days => ${constant(REFUSED_DAYS)}), TRUE) AS has_refused_rows
     FROM imports i
     WHERE i.id = ${id} AND ${visibleImportsWhere(actor)} ${lock ? sql`FOR UPDATE` : empty}`,
  );
  if (!row) throw notFound();
  return row;
}

/** Returns the newest imports the actor may see. */
export async function listImports(actor: SessionUser): Promise<ImportItem[]> {
  assertAllowed(actor, "import");
  const items = await rows<Pick<Row, "item" | "file_name">>(
    sql`SELECT ${itemFor(actor)} AS item, i.file_name FROM imports i WHERE ${visibleImportsWhere(actor)}
     ORDER BY i.id DESC LIMIT ${constant(IMPORTS_LISTED_MAX)}`,
  );
  const imports = items.map(({ item, file_name: sealed }) => ({
    ...item,
    fileName: openFileName(item.id, sealed),
  }));
  await auditRead(actor, { action: "listed", entity: "import", shown: imports.map(({ id }) => id) });
  return imports;
}

const mayHaveRefusedRows = (
  actor: SessionUser,
  { uploaded_by_id: uploader, has_refused_rows: isKept }: Row,
): boolean => isKept && uploader === actor.userId;

/** Returns the fields that the columns of a file can be, with the values that theirs can become while the file is open. */
async function fieldsOf(
  actor: SessionUser,
  columns: readonly Column[],
  isOpen: boolean,
): Promise<ImportField[]> {
  const lists = isOpen ? await readLists(rows, listsOf(columns)) : new Map();
  return columns.map((column) => {
    const { key, label, required, facts, reads = null, corrects, part } = column;
    const values = isOpen ? valueColumnOf(column, label, lists) : undefined;
    const isName = key === "name" || key === CLIENT_NAME;
    const isText = facts && !reads && !required && facts.kind !== "longText";
    return {
      key,
      label,
      required,
      reads,
      options: [...(values?.options ?? [])],
      hasCodes: values?.hasCodes ?? false,
      several: facts?.kind === "choices" || facts?.kind === "lookups",
      canAdd: mayAdd(actor, column),
      corrects: isName ? "name" : (corrects ?? (isText ? "text" : null)),
      partOf: part?.of ?? null,
    };
  });
}

/**
 * Returns one import with its notes and, until it starts, the headings of its columns. Screens poll a running import.
 * Its notes, and the audit record of their clients, come only with its result. Throws 404.
 */
export async function getImport(actor: SessionUser, id: number): Promise<Import> {
  assertAllowed(actor, "import");
  const row = await readImport(rows, actor, id);
  const { item, matches, owner_id: ownerId } = row;
  const isMatched = MATCHED.includes(item.status);
  const isOpen = OPEN.includes(item.status);
  const headings: HeadingRow = isMatched
    ? await headingRowOf(rows, id)
    : { headings: [], headingRow: 1, above: [] };
  const columns = isOpen ? await surveyOf(rows, id) : [];
  const firstRows = isOpen ? await firstRowsOf(rows, id) : [];
  const fields = await fieldsOf(actor, kinds[item.kind].columns(), isOpen);
  const isWorking = WORKING.includes(item.status);
  const showsValues = !isWorking && actor.hiddenClients.length === 0;
  const problems = showsValues ? await problemsOf(rows, id) : [];
  const blanks = showsValues ? await blanksOf(rows, id) : [];
  const { notes, noteCounts } = isWorking ? NO_NOTES : await readNotes(actor, id);
  const shown = [...new Set(notes.flatMap(({ clients }) => clients.map((client) => client.id)))];
  if (shown.length > 0) await auditRead(actor, { action: "listed", entity: "client", shown });
  return {
    ...item,
    fileName: openFileName(id, row.file_name),
    ...headings,
    firstRows,
    columns,
    matches,
    mapping: isMatched ? await mappingOf(rows, id) : { asWritten: false, columns: [] },
    fields,
    ownerId,
    notes,
    problems,
    blanks,
    noteCounts,
    refusedRows: mayHaveRefusedRows(actor, row),
  };
}

const NOTES_LISTED: readonly ImportNote["about"][] = ["failed", "duplicate", "similar", "kept"];
type Notes = Pick<Import, "notes" | "noteCounts">;
const NO_NOTES: Notes = { notes: [], noteCounts: { failed: 0, duplicate: 0, similar: 0, kept: 0 } };

async function readNotes(actor: SessionUser, id: number): Promise<Notes> {
  const counted = await rows<{ about: ImportNote["about"]; count: number }>(
    sql`SELECT about, count(*)::int AS count FROM import_notes n
     WHERE import_id = ${id} AND about = ANY(${[...NOTES_LISTED]}::text[]) AND ${noteNotHidden(actor)} GROUP BY about`,
  );
  const notes = await rows<{ about: ImportNote["about"]; number: number; clients: number[]; sealed: Buffer }>(
    sql`SELECT n.about, n.number, n.clients, n.sealed
     FROM unnest(${counted.map(({ about }) => about)}::text[]) AS listed (about), LATERAL (
       SELECT *, sum(octet_length(sealed)) OVER (ORDER BY number) - octet_length(sealed) AS bytes_before FROM (
         SELECT * FROM import_notes n
         WHERE import_id = ${id} AND n.about = listed.about AND ${noteNotHidden(actor)}
         ORDER BY number LIMIT ${constant(NOTES_SHOWN.most)}) AS first
     ) AS n WHERE bytes_before < ${constant(NOTES_SHOWN.bytes)} ORDER BY n.about, n.number`,
  );
  const ids = notes.flatMap(({ clients }) => clients);
  const clients = await rows<{ id: number; name: string }>(
    selectClients(sql`c.id, c.name`, visibleClientsWhere(actor), sql`c.id = ANY(${ids}::int[])`),
  );
  return {
    notes: notes.map(({ about, number, sealed, clients: ids }) => ({
      about,
      number,
      problem: openNote(id, sealed).problem,
      clients: clients.filter((client) => ids.includes(client.id)),
    })),
    noteCounts: {
      ...NO_NOTES.noteCounts,
      ...Object.fromEntries(counted.map(({ about, count }) => [about, count])),
    },
  };
}

/**
 * Stores a file, whose columns can then be matched. Throws 422 if it cannot be read, and then stores nothing.
 */
export async function uploadImport(
  actor: SessionUser,
  kind: ImportKind,
  body: AsyncIterable<Uint8Array> | null,
  fileName: string | null = null,
): Promise<Import> {
  assertAllowed(actor, "import");
  for (const permission of kinds[kind].permissions) assertAllowed(actor, permission);
  const [created] = await rows<{ id: number }>(
    sql`INSERT INTO imports (kind, format, user_id, uploaded_by_id, status)
     VALUES (${kind}, '', ${actor.userId}, ${actor.userId}, 'uploading') RETURNING id`,
  );
  const id = created?.id ?? 0;
  try {
    const bytes = await storeFile(id, body);
    const format = await formatOf({ id, bytes });
    const survey = await inTurn(() => surveyFile({ id, format, bytes }, kinds[kind].columns()));
    if (survey.count === 0) throw invalid("file", NO_ROWS);
    const suggested = await suggestions(actor, kind, survey);
    const sealedName = fileName === null ? null : sealFileName(id, fileName);
    await inTransaction(async (query) => {
      await storeSurvey(query, id, survey, suggested);
      await query(
        sql`UPDATE imports SET file_name = ${sealedName}, format = ${format}, bytes = ${bytes} WHERE id = ${id}`,
      );
    });
  } catch (error) {
    await rows(sql`DELETE FROM imports WHERE id = ${id}`);
    throw error;
  }
  return getImport(actor, id);
}

const NO_ROWS = "The file has no rows below its headings.";

/** Stores what a file has below its headings, with the suggested fields. The import then waits for its user. */
async function storeSurvey(
  query: Query,
  id: number,
  { headings, headingRow, firstRows, survey, count }: Survey,
  { matches, mapping }: Awaited<ReturnType<typeof suggestions>>,
): Promise<void> {
  await storeFileNote(query, id, "headings", { cells: headings, headingRow });
  await storeFileNote(query, id, "survey", { survey, firstRows });
  await storeFileNote(query, id, "mapping", { mapping });
  await query(
    sql`UPDATE imports SET rows = ${count}, matches = ${matches}, status = 'waiting' WHERE id = ${id}`,
  );
}

/**
 * Takes another row of a file for its headings, 0 for none, and suggests the fields again. Throws 409 if the import is not
 * open, and 422 if the row is not one of the first ones or has no rows below it.
 */
export async function chooseHeadings(actor: Actor, id: number, headingRow: number): Promise<Import> {
  assertAllowed(actor, "import");
  const { item } = await readImport(rows, actor, id);
  assertOpen(item);
  const { kind } = item;
  const [file] = await rows<{ format: FileFormat; bytes: number }>(
    sql`SELECT format, bytes FROM imports WHERE id = ${id}`,
  );
  if (!file) throw notFound();
  const columns = kinds[kind].columns();
  const survey = await inTurn(() => surveyFile({ id, ...file }, columns, headingRow));
  const isFound = headingRow === 0 || survey.firstRows.some(({ number }) => number === headingRow);
  if (!isFound) throw invalid("import.headingRow", "The headings must be in one of the first rows.");
  if (survey.count === 0) throw invalid("import.headingRow", NO_ROWS);
  const suggested = await suggestions(actor, kind, survey);
  await inTransaction(async (query) => {
    const { item } = await readImport(query, actor, id, true);
    assertOpen(item);
    const former = await headingRowOf(query, id);
    await removeResult(query, id);
    await storeSurvey(query, id, survey, suggested);
    await auditDecision(query, actor, id, { headingRow: former.headingRow }, { headingRow });
  });
  return getImport(actor, id);
}

/** Removes the result of a check. */
async function removeResult(query: Query, id: number): Promise<void> {
  await query(
    sql`DELETE FROM import_notes WHERE import_id = ${id} AND about NOT IN ('headings', 'survey', 'mapping')`,
  );
  await query(
    sql`UPDATE imports SET done = 0, created = 0, repeated = 0, failed = 0, alike = 0, duplicates = 0 WHERE id = ${id}`,
  );
}

/** Throws 409 if the import has started or was canceled. */
function assertOpen({ status }: Item): void {
  if (status === "cancelled") throw busy("This import was canceled, and its file is deleted.");
  if (!OPEN.includes(status)) throw busy("This import has already been started.");
}

/** Reads a few uploads at once, because a large file takes time and memory, and one of each user. */
const inTurn = processWide("uploads read", () =>
  limiter(3, 1, {
    most: 10,
    refusal: () => tooMany(60, "Too many files at once. Please wait until the others are read."),
  }),
);

/** Returns the fields and decisions that the screen suggests: as for the latest file with the same headings, or by the headings. */
async function suggestions(
  actor: SessionUser,
  kind: ImportKind,
  { headings, headingRow, survey, since1904 }: Survey,
): Promise<{ matches: string[]; mapping: Mapping }> {
  const columns = kinds[kind].columns();
  const asWritten = isOwnExport(headings, columns);
  const suggested = matchesOf(headings, columns);
  const first = {
    matches: suggested,
    mapping: suggestedMapping(suggested, columns, survey, { asWritten, since1904 }),
  };
  // Names of columns without headings are no headings to recognize in another file.
  if (asWritten || headingRow === 0) return first;
  const earlier = await rows<{ id: number; sealed: Buffer }>(
    sql`SELECT i.id, n.sealed FROM imports i JOIN import_notes n ON n.import_id = i.id AND n.about = 'mapping'
     WHERE i.kind = ${kind} AND i.status IN ('done', 'undone', 'undoing') AND ${visibleImportsWhere(actor)}
     ORDER BY i.id DESC LIMIT ${constant(REMEMBERED_IMPORTS)}`,
  );
  const notes = earlier.map(({ id, sealed }) => openNote(id, sealed));
  return recalled(notes, { ...first, headings, columns, survey });
}

/** The earlier imports whose decisions are suggested again. */
const REMEMBERED_IMPORTS = 5;

type Survey = {
  headings: string[];
  headingRow: number;
  firstRows: FirstRow[];
  survey: ColumnSurvey[];
  count: number;
  since1904: boolean;
};

/**
 * Returns the headings of a file, its first rows, what its columns have, and the number of rows. Takes the headings from the
 * row with the number `chosen`, from no row if it is 0, and finds them if it is omitted. Stops if the client has
 * disconnected. Throws 422 for a heading that is too long.
 */
async function surveyFile(
  file: Parameters<typeof readBatches>[0],
  columns: readonly Column[],
  chosen?: number,
): Promise<Survey> {
  let first: FileRow[] | null = [];
  let count = 0;
  let head: Omit<Survey, "survey" | "count"> = {
    headings: [],
    headingRow: 1,
    firstRows: [],
    since1904: false,
  };
  let surveyors = surveyorsOf(0);
  const addRow = ({ cells }: FileRow) => {
    count += 1;
    for (const [at, surveyor] of surveyors.entries()) surveyor.add(unescapeFormula(cells[at] ?? ""));
  };
  const begin = async (rows: readonly FileRow[]) => {
    const known: number[] = [];
    if (chosen === undefined)
      for (const { cells } of rows) {
        known.push(matchesOf(headingsIn(cells).map(shortHeading), columns).filter(Boolean).length);
        // A row may have a thousand cells, so that other requests would wait for all rows.
        await otherWork();
      }
    const place =
      chosen === undefined
        ? placeOfHeadings(
            rows.map(({ cells }) => cells),
            known,
          )
        : rows.findIndex(({ number }) => number === chosen);
    const row = rows[place];
    const headings = row ? headingsIn(row.cells) : columnNames(rows);
    assertHeadings(headings);
    head = {
      headings,
      headingRow: row?.number ?? 0,
      firstRows: rows.map(({ number, cells }) => ({
        number,
        text: shortened(cells.filter((cell) => cell.trim() !== "").join(", ")),
      })),
      since1904: (row ?? rows[0])?.since1904 ?? false,
    };
    surveyors = surveyorsOf(headings.length);
    for (const next of rows.slice(place + 1)) addRow(next);
  };
  for await (const batch of readBatches(file)) {
    assertConnected();
    for (const row of batch) {
      if (!first) addRow(row);
      else if (first.push(row) === HEADINGS_WITHIN) {
        await begin(first);
        first = null;
      }
    }
  }
  if (first) await begin(first);
  return { ...head, survey: surveyors.map((surveyor) => surveyor.result()), count };
}

/** Returns the headings in a row. A column without a heading at the end is none: what moved there would be left out. */
const headingsIn = (cells: readonly string[]): string[] =>
  cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== "") + 1).map((cell) => cell.trim());

/** Returns a cell, or "" for one that is too long for a heading. Comparing a megabyte with all headings takes seconds. */
const shortHeading = (cell: string): string => (cell.length > HEADING_MAX ? "" : cell);

/** Returns the names of the columns of a file without headings, as many as its first rows have. */
const columnNames = (rows: readonly FileRow[]): string[] =>
  Array.from({ length: Math.max(0, ...rows.map(({ cells }) => headingsIn(cells).length)) }, (_, at) =>
    unnamedColumn(at),
  );

/** Returns the stored decisions about fields that are still in the same column of the file. */
const forColumns = (
  { asWritten, columns }: Mapping,
  former: readonly string[],
  matches: readonly string[],
): Mapping => ({
  asWritten,
  columns: columns.filter(({ key }) => matches.indexOf(key) === former.indexOf(key)),
});

/** Throws 422 if a decision is about no column of the file, if a question about days is open, or if the actor may not add to a list. */
function assertDecided(
  actor: SessionUser,
  { columns: decisions }: Mapping,
  {
    matches,
    headings,
    columns,
    survey,
  }: {
    matches: readonly string[];
    headings: readonly string[];
    columns: readonly Column[];
    survey: readonly ColumnSurvey[];
  },
): void {
  for (const { key, values = [] } of decisions) {
    const column = columns.find((one) => one.key === key);
    if (!column) throw invalid("import.mapping", `Mapping: ${key} is not a field`);
    if (values.some(({ becomes }) => becomes === ADD) && !mayAdd(actor, column))
      throw invalid("import.mapping", `You cannot add values to the list of ${column.label}`);
  }
  for (const [at, key] of matches.entries()) {
    const column = columns.find((one) => one.key === key);
    const known = survey[at];
    if (column?.reads !== "day" || !known) continue;
    const question = openQuestion(known, decisions.find((one) => one.key === key) ?? {});
    if (question === "order")
      throw invalid(
        "import.mapping",
        `Choose the order of the dates in “${headings[at]}”: some cannot be read month first`,
      );
    if (question === "century")
      throw invalid("import.mapping", `Choose the century of the years with two digits in “${headings[at]}”`);
  }
}

/** Records a user's decision about an import, in the transaction of `query`. */
async function auditDecision(query: Query, actor: AuditActor, id: number, from: Values, to: Values) {
  const changes = differences("import", from, to);
  await audit(query, actor, { action: "updated", entity: "import", entityId: id, changes });
}

/**
 * Starts the import or a dry run in the background. Throws 409 if it is not waiting or has other headings than those that the
 * caller read, and 422 with the invalid fields.
 */
export async function startImport(actor: Actor, id: number, start: ImportStart): Promise<Import> {
  assertAllowed(actor, "import");
  await inTransaction(async (query) => {
    const row = await readImport(query, actor, id, true);
    const { item } = row;
    assertOpen(item);
    const columns = kinds[item.kind].columns();
    const { matches, ownerId } = start;
    const { headings, headingRow } = await headingRowOf(query, id);
    if (start.headingRow !== undefined && start.headingRow !== headingRow)
      throw new AppError("conflict_version", OTHER_HEADINGS);
    const problem = matchesProblem(matches, headings, columns);
    if (problem) throw invalid("import.matches", problem);
    const mapping = start.mapping ?? forColumns(await mappingOf(query, id), row.matches, matches);
    const survey = await surveyOf(query, id);
    assertDecided(actor, mapping, { matches, headings, columns, survey });
    if (ownerId !== null) {
      const owners = haveOwners(columns) ? await query(sql`SELECT FROM users WHERE id = ${ownerId}`) : [];
      if (owners.length === 0) throw invalid("import.ownerId", "Owner does not exist");
    }
    const started = { status: start.dryRun ? "checking" : "running", matches, ownerId };
    // From here on the import runs as the user who started it, with their permissions.
    await query(
      sql`UPDATE imports SET status = ${started.status}, matches = ${matches}, owner_id = ${ownerId}, user_id = ${actor.userId},
         token_id = ${actor.token?.id ?? null}, lease = NULL, leased_until = NULL,
         attempts = 0 WHERE id = ${id}`,
    );
    await removeResult(query, id);
    const matched = headings.flatMap((heading, at) => (matches[at] ? [{ heading, key: matches[at] }] : []));
    await storeFileNote(query, id, "mapping", { mapping, matched });
    const former = { status: item.status, matches: row.matches, ownerId: row.owner_id };
    await auditDecision(query, actor, id, former, started);
  });
  return getImport(actor, id);
}

const OTHER_HEADINGS =
  "Other headings were chosen for this file since you opened it. Check the columns, then try again.";

/**
 * Cancels an import and deletes its file; records imported so far stay. Throws 409 if it has already ended.
 */
export async function cancelImport(actor: SessionUser, id: number): Promise<Import> {
  assertAllowed(actor, "import");
  await inTransaction(async (query) => {
    const { item } = await readImport(query, actor, id, true);
    if (!["waiting", "checked", "checking", "running"].includes(item.status))
      throw busy("This import has already ended.");
    await endImport(query, actor, id, "cancelled", item.status === "running" ? item.created : 0);
    await auditDecision(query, actor, id, { status: item.status }, { status: "cancelled" });
  });
  return getImport(actor, id);
}

/**
 * Ends an import or its undo: deletes its file and audits the `made` records as one event. `problem` is the reason for
 * a failure.
 */
export async function endImport(
  query: Query,
  actor: AuditActor,
  id: number,
  status: "done" | "cancelled" | "failed" | "undone",
  made: number,
  problem = "",
): Promise<void> {
  // A dry run counts the records it rolled back as created.
  await query(
    sql`UPDATE imports SET created = CASE WHEN status IN ('checking', 'checked') THEN 0 ELSE created END,
       status = ${status}, problem = ${problem}, finished_at = now(), lease = NULL, leased_until = NULL WHERE id = ${id}`,
  );
  await query(sql`DELETE FROM import_parts WHERE import_id = ${id}`);
  await query(sql`DELETE FROM import_notes WHERE import_id = ${id} AND about = 'survey'`);
  if (status === "done" || made > 0)
    await audit(query, actor, { action: "imported", entity: "import", entityId: id, count: made });
}

/**
 * Starts to undo an import in the background. Throws 409 while it is running, or if nothing is left to undo.
 */
export async function undoImport(actor: Actor, id: number): Promise<Import> {
  assertAllowed(actor, "import");
  await inTransaction(async (query) => {
    const { item } = await readImport(query, actor, id, true);
    if (WORKING.includes(item.status)) throw busy("This import is still in progress.");
    // A record restricted from the actor looks like a removed one. After the first undo it no longer counts as left to
    // undo.
    const remaining = await query(
      sql`SELECT FROM import_rows r WHERE r.import_id = ${id} AND (
         ${rowNotHidden(actor, kinds[item.kind])} OR NOT EXISTS (
           SELECT FROM import_notes n WHERE n.import_id = ${id} AND n.about = 'kept' AND n.number = r.record_id)) LIMIT 1`,
    );
    if (remaining.length === 0) throw busy("There is nothing to undo.");
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
 * Returns the refused rows, each with its problem, as a table, and records the export first. They may contain data that
 * others may not see. Throws 403 unless the user uploaded the file, and after seven days.
 */
export async function exportFailedRows(actor: SessionUser, id: number): Promise<Table> {
  assertAllowed(actor, "import");
  const row = await readImport(rows, actor, id);
  if (!mayHaveRefusedRows(actor, row)) throw forbidden();
  const { item } = row;
  const headings = await headingsOf(rows, id);
  await audit(rows, actor, { action: "exported", entity: "import", entityId: id, count: item.failed });
  return {
    name: "failed-rows",
    header: [...headings, "Reason"],
    batches: failedRows(actor, id, headings.length),
  };
}

/** The most refused rows of a batch, and the bytes after which it ends. A single row can have a megabyte. */
const BATCH_ROWS = 500;
const BATCH_BYTES = 4_000_000;

async function* failedRows(actor: SessionUser, id: number, width: number): AsyncGenerator<string[][]> {
  let after = 0;
  for (;;) {
    // Earlier versions stored the cells in the same note as the problem.
    const notes = await rows<{ number: number; sealed: Buffer; cells: Buffer | null }>(
      sql`SELECT number, sealed, cells FROM (
         SELECT n.number, n.sealed, c.sealed AS cells,
           coalesce(sum(octet_length(n.sealed) + coalesce(octet_length(c.sealed), 0))
             OVER (ORDER BY n.number ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS bytes_before
         FROM (
           SELECT * FROM import_notes n
           WHERE import_id = ${id} AND about = 'failed' AND number > ${after} AND ${noteNotHidden(actor)}
           ORDER BY number LIMIT ${constant(BATCH_ROWS)}
         ) AS n
         LEFT JOIN import_notes c ON c.import_id = n.import_id AND c.about = 'cells' AND c.number = n.number
       ) AS sized WHERE bytes_before < ${constant(BATCH_BYTES)} ORDER BY number`,
    );
    if (notes.length === 0) return;
    yield notes.map(({ sealed, cells: sealedCells }) => {
      const { problem, cells: cellsOfNote = [] } = openNote(id, sealed);
      const cells = (sealedCells && openNote(id, sealedCells).cells) ?? cellsOfNote;
      const plain = cells.map(unescapeFormula);
      // Cells for which there is no heading follow the problem, so that no value moves to another column.
      return [...Array.from({ length: width }, (_, at) => plain[at] ?? ""), problem, ...plain.slice(width)];
    });
    after = notes.at(-1)?.number ?? 0;
  }
}

/** Returns the number of imports that wait or run. */
export async function countWaitingImports(): Promise<number> {
  const [row] = await rows<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM imports WHERE status IN ('checking', 'running', 'undoing')`,
  );
  return row?.count ?? 0;
}

/** Deletes files that were not imported, and the notes of imports that ended long ago. */
export async function removeOldImports(): Promise<void> {
  await rows(
    sql`DELETE FROM imports
     WHERE status IN ('waiting', 'checked') AND created_at < now() - make_interval(days => ${constant(WAITING_DAYS)})
       OR status = 'uploading' AND created_at < now() - interval '1 day'`,
  );
  const isOlder = (days: number) => sql`i.finished_at < now() - make_interval(days => ${constant(days)})`;
  const deleteNotes = (about: Sql, days: number) =>
    rows(
      sql`DELETE FROM import_notes n USING imports i WHERE i.id = n.import_id AND ${about} AND ${isOlder(days)}`,
    );
  await deleteNotes(sql`n.about IN ('failed', 'cells')`, REFUSED_DAYS);
  await deleteNotes(sql`n.about <> 'mapping'`, NOTES_DAYS);
  await deleteNotes(sql`n.about = 'mapping'`, MAPPING_DAYS);
  await rows(
    sql`UPDATE imports i SET file_name = NULL WHERE i.file_name IS NOT NULL AND ${isOlder(NOTES_DAYS)}`,
  );
}
