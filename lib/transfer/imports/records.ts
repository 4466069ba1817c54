import "server-only";
import { createHmac } from "node:crypto";
import { isStorable } from "@/lib/core/fields/validation";
import { wirePath } from "@/lib/core/fields/wire";
import { keysFor } from "@/lib/core/process/cipher";
import { unescapeFormula } from "@/lib/core/text/csv";
import { foldText } from "@/lib/core/text/fold-text";
import { counted, date, parseDate } from "@/lib/core/text/format";
import { withoutInvisible } from "@/lib/core/text/invisible";
import { turnedName } from "@/lib/core/text/person-name";
import {
  CLIENT_ID,
  CLIENT_NAME,
  type Column,
  EXTERNAL_ID,
  isBlank,
  naming,
  OWNER_EMAIL,
  plainCell,
  RECONCILED,
  type Readers,
  recordOf,
  shortened,
  takesSeveral,
  wordsOf,
} from "@/lib/transfer/imports/columns";
import { DigestMap } from "@/lib/transfer/imports/digest-map";
import type { EarlierNames } from "@/lib/transfer/imports/earlier-names";
import type { FileRow } from "@/lib/transfer/imports/file/store";
import { isErrorValue, isShortenedNumber } from "@/lib/transfer/imports/file/values";
import type { Job } from "@/lib/transfer/imports/jobs";
import type { Cell, ImportRecord, Kind, LeftBlankCell } from "@/lib/transfer/imports/kind";
import { BLANK } from "@/lib/transfer/imports/readings";
import type { Mapping } from "@/lib/transfer/imports/schema";
import {
  joinedAddress,
  joinedName,
  type NamePart,
  saysNothing,
  wholeZip,
} from "@/lib/transfer/imports/texts";
import type { ImportKind } from "@/lib/transfer/imports/words";

// Converts the rows of a file to records.

/** The rows of one record; `again` is the row in which its Id occurred before, with other rows in between. */
export type Lines = { rows: FileRow[]; again: number | undefined };

/**
 * One more than the services a form may have: a longer form is refused, and its remaining rows become `again`.
 */
const LINES_MAX = 501;

/**
 * Groups consecutive rows with the same Id, in the column `at`, into one record. Without that column, each row is one.
 * In addition to the current record's rows, memory holds only digests of the Ids.
 */
export async function* groupLines(
  file: AsyncIterable<FileRow>,
  at: number | null,
): AsyncGenerator<Lines, void> {
  const rowsOfIds = new DigestMap();
  let id = "";
  let lines: Lines | null = null;
  for await (const row of file) {
    const next = at === null ? "" : withoutInvisible(unescapeFormula((row.cells[at] ?? "").trim()));
    if (lines && next !== "" && next === id && lines.rows.length < LINES_MAX) lines.rows.push(row);
    else {
      if (lines) yield lines;
      lines = { rows: [row], again: next === "" ? undefined : rowsOfIds.get(next) };
      id = next;
      if (next !== "" && !lines.again) rowsOfIds.set(next, row.number);
    }
  }
  if (lines) yield lines;
}

/** Returns a full name as accounts are found by it: `Delgado, Rosa` is `rosa delgado`. */
export const ownerName = (name: string): string => foldText(turnedName(name)).replace(/\s+/g, " ").trim();

export type Context = {
  columns: (Column | null)[];
  /** The column of the whole name, by the key of its parts. */
  wholeNames: ReadonlyMap<string, Column>;
  mapping: Mapping;
  headings: readonly string[];
  readers: Readers;
  /** The ids of accounts by their email in lower case, and by a full name that no other account has (`ownerName`). */
  owners: ReadonlyMap<string, number>;
  ownerId: number;
  /** The first rows of the accepted records, by key. */
  accepted: DigestMap;
  /** The same rows of records with an External Id, by key and values. */
  acceptedValues: DigestMap;
  /** The number of rows with the same values so far, by the key of the values, for kinds whose equal rows are records. */
  occurrences: DigestMap;
  /**
   * The names of earlier rows that are not stored as clients. They are those of the same chunk, or of all chunks in a dry
   * run.
   */
  earlier: EarlierNames;
};

/** Returns the keyed hashes that identify a record: with the current secret, then with the previous one. */
export const rowKeys = (
  kind: ImportKind,
  content: readonly ["id", string] | readonly ["row", ...(readonly string[])[]],
): string[] =>
  keysFor("import rows v1").map((key) =>
    createHmac("sha256", key)
      .update(JSON.stringify([kind, content]))
      .digest("base64url"),
  );

const IDS: ReadonlySet<string> = new Set([EXTERNAL_ID, CLIENT_ID]);

/** Returns the reason why a record's rows cannot be read cell by cell, or undefined. */
function unreadableReason(
  rows: readonly FileRow[],
  columns: readonly (Column | null)[],
  lines: readonly (readonly Cell[])[],
): string | undefined {
  for (const [at, { number, cells, problem }] of rows.entries()) {
    const count = cells.findLastIndex((cell) => !isBlank(cell)) + 1;
    const named = rows.length > 1 ? `Row ${number}` : "It";
    if (problem) return problem;
    if (count > columns.length)
      return `${named} has ${counted(count, "cell")}, but there ${columns.length === 1 ? "is" : "are"} ${counted(columns.length, "heading")}`;
    const broken = lines[at]?.find(([, cell]) => !isStorable(cell));
    if (broken) return `${broken[0].label} must not contain control characters`;
    const error = lines[at]?.find(([, cell]) => isErrorValue(cell));
    if (error) return naming(`${error[0].label} is an error of the spreadsheet`, error[1]);
    // Two different Ids may have become the same.
    const shortened = lines[at]?.find(([{ key }, cell]) => IDS.has(key) && isShortenedNumber(cell));
    if (shortened)
      return naming(
        `${shortened[0].label} lost digits in a spreadsheet. Format the column as text`,
        shortened[1],
      );
  }
  return undefined;
}

/** Returns the filled cells by the keys of their columns. */
const textsOf = (cells: readonly Cell[]): Map<string, string> =>
  new Map(
    cells.flatMap(([{ key, facts }, cell]) =>
      // Fields remove invisible characters themselves; Ids have no field.
      isBlank(cell) ? [] : [[key, facts ? cell.trim() : withoutInvisible(cell).trim()]],
    ),
  );

/** Joins the parts of names and the lines of addresses, and corrects texts as the importer was shown. */
function correctedCells(cells: readonly Cell[], { mapping, wholeNames }: Context): Cell[] {
  if (cells.length === 0) return [];
  const corrected: Cell[] = [];
  const partsOf = new Map<Column, Partial<Record<NamePart, string>>>();
  const linesOf = new Map<Column, string[]>();
  for (const [column, cell] of cells) {
    const whole = column.part && wholeNames.get(column.part.of);
    if (whole && column.part) partsOf.set(whole, { ...partsOf.get(whole), [column.part.name]: cell });
    else if (takesSeveral(column)) linesOf.set(column, [...(linesOf.get(column) ?? []), cell]);
    else corrected.push([column, correctedText(column, cell, mapping)]);
  }
  for (const [column, parts] of partsOf) corrected.push([column, joinedName(parts)]);
  for (const [column, lines] of linesOf) {
    const [only = ""] = lines;
    const given = mapping.asWritten ? lines : lines.map((line) => correctedText(column, line, mapping));
    const isOneLine = lines.length === 1 && !/[\r\n]/.test(only);
    corrected.push([column, mapping.asWritten && isOneLine ? only : joinedAddress(given)]);
  }
  return corrected;
}

/** Returns the text of a cell as it is imported. Long texts stay as they are. */
function correctedText(column: Column, cell: string, { asWritten, columns }: Mapping): string {
  const { key, facts, corrects, reads, required } = column;
  if (columns.some((one) => one.turnNames && one.key === key)) return turnedName(cell);
  if (asWritten || reads || !facts || required || NAMES.has(key) || facts.kind === "longText") return cell;
  if (saysNothing(cell)) return "";
  return corrects === "zip" ? wholeZip(cell) : cell;
}

/** True if a cell has a value that the importer was shown as blank: a word such as `n/a`, or a value left blank by choice. */
function isLeftBlank(column: Column, cell: string, { mapping, readers }: Context): boolean {
  if (isBlank(cell)) return false;
  if (!column.reads) return correctedText(column, cell, mapping) === "";
  const read = readers.get(column.key);
  const isSeveral = column.facts?.kind === "choices" || column.facts?.kind === "lookups";
  const words = isSeveral ? wordsOf(cell, (word) => read?.(word) !== undefined) : [cell];
  return words.some((word) => read?.(word.trim()) === BLANK);
}

const NAMES: ReadonlySet<string> = new Set(["name", CLIENT_NAME]);

/** True if the path of a problem is that of the column's field. */
export const isAbout = ({ schema }: Pick<Kind, "schema">, path: string, column: Column): boolean =>
  column.path.length > 0 &&
  `.${path.replace(/\.\d+(?=\.|$)/g, "")}`.endsWith(`.${wirePath(schema, column.path)}`);

/** Returns the record of a group of rows. */
export function prepare(job: Job, kind: Kind, context: Context, { rows, again }: Lines): ImportRecord {
  const problems: string[] = [];
  if (again) problems.push(`The rows of one Id must be together, but this Id is also in row ${again}`);
  const written = rows.map(({ cells }) =>
    context.columns.flatMap((column, at): Cell[] => {
      const cell = cells[at] ?? "";
      return column && cell !== "" ? [[column, unescapeFormula(cell)]] : [];
    }),
  );
  const lines = written.map((cells) => correctedCells(cells, context));
  const [texts = new Map<string, string>(), ...others] = lines.map(textsOf);
  for (const column of context.columns) {
    if (!column || kind.lines?.differ(column)) continue;
    // A long text may be only on the first line, as in our own files.
    const mayBeBlank = column.facts?.kind === "longText";
    if (
      others.some((other) =>
        mayBeBlank && !other.has(column.key) ? false : other.get(column.key) !== texts.get(column.key),
      )
    )
      problems.push(`${column.label} is not the same in all rows of this Id`);
  }
  const external = texts.get(EXTERNAL_ID);
  const columns = lines.flatMap((cells) => cells.map(([column]) => column));
  const writtenTexts = textsOf(written[0] ?? []);
  const isCorrected =
    texts.size !== writtenTexts.size || [...texts].some(([key, text]) => writtenTexts.get(key) !== text);
  const [values = [], ...formerValues] = [
    ...valuesOf(texts, columns, context.readers),
    // Earlier versions did not correct texts.
    ...(isCorrected ? valuesOf(writtenTexts, context.columns, new Map()) : []),
  ];
  const [content = ""] = rowKeys(job.kind, ["row", ...values]);
  const owner = texts.get(OWNER_EMAIL);
  const ownerId =
    owner === undefined
      ? undefined
      : (context.owners.get(owner.toLowerCase()) ?? context.owners.get(ownerName(owner)));
  if (owner !== undefined && ownerId === undefined && job.owner_id === null)
    problems.push(
      owner.includes("@")
        ? naming("No account has this Advocate Email", owner.toLowerCase())
        : naming("No account, or more than one, has this advocate's name", owner),
    );
  const refusedBlanks: LeftBlankCell[] = [];
  const leftBlank = ({ label }: Column, cell: string, at: number): LeftBlankCell => ({
    number: rows[at]?.number ?? 0,
    label,
    text: shortened(cell.trim()),
  });
  const isForgiven = ({ key }: Column) =>
    context.mapping.columns.some((one) => one.blankRefused && one.key === key);
  const records = lines.map((cells, at) => {
    const leaveBlank = (column: Column, cell: string) => refusedBlanks.push(leftBlank(column, cell, at));
    const forgive = (column: Column, cell: string) => isForgiven(column) && leaveBlank(column, cell) > 0;
    const record = recordOf(kind.schema, cells, context.readers, problems, forgive);
    const forgiven = context.mapping.columns.some((one) => one.blankRefused) ? kind.problems(record) : {};
    const isRefused = (column: Column) =>
      isForgiven(column) && Object.keys(forgiven).some((path) => isAbout(kind, path, column));
    const refused = cells.filter(([column]) => isRefused(column));
    if (refused.length === 0) return record;
    for (const [column, cell] of refused) if (!isBlank(cell)) leaveBlank(column, cell);
    const accepted = cells.filter(([column]) => !isRefused(column));
    return recordOf(kind.schema, accepted, context.readers, [], isForgiven);
  });
  return {
    rows,
    lines,
    texts,
    problems,
    content,
    ownerId: ownerId ?? context.ownerId,
    unreadable: unreadableReason(rows, context.columns, lines),
    blanks: () => [
      ...written.flatMap((cells, at) =>
        cells.flatMap(([column, cell]) =>
          isLeftBlank(column, cell, context) ? [leftBlank(column, cell, at)] : [],
        ),
      ),
      ...refusedBlanks,
    ],
    keys:
      external === undefined
        ? keysOfValues(job, kind, context, { values, formerValues, content, number: rows[0]?.number ?? 0 })
        : rowKeys(job.kind, ["id", external]),
    values: kind.lines ? kind.lines.join(records) : (records[0] ?? {}),
  };
}

/** The filled cells of a record, in the order of their columns' keys. */
type CellValues = readonly (readonly [key: string, text: string])[];

/** The formats of days in files. Earlier versions recognized a row only by its texts as they were. */
const DAY_FORMATS: readonly ((day: string) => string)[] = [
  (day) => date(day),
  (day) => date(day).replace(/(^|\/)0/g, "$1"),
  (day) => day,
];

/**
 * Returns the cells that identify a record without an External Id: first in the one format of each value, then as earlier
 * versions stored them. Leaves out Reconciled, so that a form is recognized after a later reconciliation.
 */
function valuesOf(
  texts: ReadonlyMap<string, string>,
  columns: readonly (Column | null)[],
  readers: Readers,
): CellValues[] {
  const facts = new Map(columns.flatMap((column) => (column ? [[column.key, column.facts]] : [])));
  const cells = [...texts].filter(([key]) => key !== RECONCILED).sort(([a], [b]) => (a < b ? -1 : 1));
  const plain = cells.map(([key, text]) => [key, plainCell(facts.get(key), text, readers.get(key))] as const);
  const withDays = (write: (day: string) => string): CellValues =>
    cells.map(([key, text], at) => {
      const day = facts.get(key)?.kind === "day" ? plain[at]?.[1] : undefined;
      return [key, day !== undefined && parseDate(day) !== null ? write(day) : text];
    });
  return [plain, cells, ...DAY_FORMATS.map(withDays)];
}

/**
 * Returns the keys of a record without an External Id. If equal rows are records of their own, the second one is another
 * record than the first, wherever they are in the file.
 */
function keysOfValues(
  job: Job,
  { hasEqualRows }: Kind,
  { occurrences }: Context,
  {
    values,
    formerValues,
    content,
    number,
  }: { values: CellValues; formerValues: readonly CellValues[]; content: string; number: number },
): string[] {
  const keysOf = (of: CellValues, ...more: (readonly string[])[]) =>
    rowKeys(job.kind, ["row", ...of, ...more]);
  if (!hasEqualRows) return [...new Set([values, ...formerValues].flatMap((of) => keysOf(of)))];
  const occurrence = (occurrences.get(content) ?? 0) + 1;
  occurrences.set(content, occurrence);
  const nth = ["occurrence", String(occurrence)];
  return [
    ...new Set([
      ...[values, ...formerValues].flatMap((of) => keysOf(of, nth)),
      // Imports of still earlier versions stored the number of the row.
      ...formerValues.flatMap((of) => keysOf(of, [String(number)])),
    ]),
  ];
}
