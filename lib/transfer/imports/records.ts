import "server-only";
import { createHmac } from "node:crypto";
import { unescapeFormula } from "@/lib/core/fields/csv";
import { counted, date, parseDate } from "@/lib/core/fields/format";
import { withoutInvisible } from "@/lib/core/fields/invisible";
import { isStorable } from "@/lib/core/fields/validation";
import { keysFor } from "@/lib/core/server/cipher";
import {
  CLIENT_ID,
  type Column,
  EXTERNAL_ID,
  isBlank,
  type Names,
  naming,
  OWNER_EMAIL,
  plainCell,
  RECONCILED,
  recordOf,
  type Values,
} from "@/lib/transfer/imports/columns";
import { DigestMap } from "@/lib/transfer/imports/digest-map";
import type { FileRow } from "@/lib/transfer/imports/file/store";
import { isErrorValue, isShortenedNumber } from "@/lib/transfer/imports/file/values";
import type { Job } from "@/lib/transfer/imports/jobs";
import type { Kind } from "@/lib/transfer/imports/kinds";
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

export type Context = {
  columns: (Column | null)[];
  names: Names;
  /** The ids of accounts by their email in lower case. */
  owners: ReadonlyMap<string, number>;
  ownerId: number;
  /** The first rows of the accepted records, by key. */
  accepted: DigestMap;
  /** The same rows of records with an External Id, by key and values. */
  acceptedValues: DigestMap;
  /** The number of rows with the same values so far, by the key of the values, for kinds whose equal rows are records. */
  occurrences: DigestMap;
  /**
   * The names of earlier rows that are not stored as clients, by their `ownKeys`, first row only. They are those of the
   * same chunk, or of all chunks in a dry run. Some tens of megabytes for 100,000 rows.
   */
  earlier: Map<string, { number: number; name: string }>;
};

type Cell = readonly [column: Column, cell: string];

export type ImportRecord = {
  rows: FileRow[];
  /** The filled cells of each row. */
  lines: readonly (readonly Cell[])[];
  /** The reason why the cells cannot be trusted, or undefined. Such a record is refused before it is compared. */
  unreadable: string | undefined;
  /** A keyed hash of the values. */
  content: string;
  /** The text of the cells, by the keys of their columns. */
  texts: ReadonlyMap<string, string>;
  keys: string[];
  ownerId: number;
  values: Values;
  problems: string[];
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

/** Returns the record of a group of rows. */
export function prepare(job: Job, kind: Kind, context: Context, { rows, again }: Lines): ImportRecord {
  const problems: string[] = [];
  if (again) problems.push(`The rows of one Id must be together, but this Id is also in row ${again}`);
  const lines = rows.map(({ cells }) =>
    context.columns.flatMap((column, at): Cell[] => {
      const cell = cells[at] ?? "";
      return column && cell !== "" ? [[column, unescapeFormula(cell)]] : [];
    }),
  );
  const [texts = new Map<string, string>(), ...others] = lines.map(
    (cells) =>
      new Map(
        cells.flatMap(([{ key, facts }, cell]) =>
          // Fields remove invisible characters themselves; Ids have no field.
          isBlank(cell) ? [] : [[key, facts ? cell.trim() : withoutInvisible(cell).trim()]],
        ),
      ),
  );
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
  const [values = [], ...formerValues] = valuesOf(texts, context.columns);
  const [content = ""] = rowKeys(job.kind, ["row", ...values]);
  const email = texts.get(OWNER_EMAIL)?.toLowerCase();
  const ownerId = email === undefined ? undefined : context.owners.get(email);
  if (email !== undefined && ownerId === undefined && job.owner_id === null)
    problems.push(naming("No account has this Advocate Email", email));
  const records = lines.map((cells) => recordOf(kind.schema, cells, context.names, problems));
  return {
    ...{ rows, lines, texts, problems, content, ownerId: ownerId ?? context.ownerId },
    unreadable: unreadableReason(rows, context.columns, lines),
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
function valuesOf(texts: ReadonlyMap<string, string>, columns: readonly (Column | null)[]): CellValues[] {
  const facts = new Map(columns.flatMap((column) => (column ? [[column.key, column.facts]] : [])));
  const cells = [...texts].filter(([key]) => key !== RECONCILED).sort(([a], [b]) => (a < b ? -1 : 1));
  const plain = cells.map(([key, text]) => [key, plainCell(facts.get(key), text)] as const);
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
