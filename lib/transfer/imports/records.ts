import "server-only";
import { createHash, createHmac } from "node:crypto";
import { unescapeFormula } from "@/lib/core/fields/csv";
import { keysFor } from "@/lib/core/server/cipher";
import {
  type Column,
  EXTERNAL_ID,
  isBlank,
  type Names,
  OWNER_EMAIL,
  RECONCILED,
  recordOf,
  type Values,
} from "@/lib/transfer/imports/columns";
import type { FileRow } from "@/lib/transfer/imports/file/store";
import type { Job } from "@/lib/transfer/imports/jobs";
import type { Kind } from "@/lib/transfer/imports/kinds";
import type { ImportKind } from "@/lib/transfer/imports/words";

// Converts the rows of a file to records.

/** The rows of one record; `again` if its Id occurred before, with other rows in between. */
export type Lines = { rows: FileRow[]; again: boolean };

/**
 * One more than the services a form may have: a longer form is refused, and its remaining rows become `again`.
 */
const LINES_MAX = 501;

/**
 * Groups consecutive rows with the same Id, in the column `at`, into one record. Without that column, each row is one.
 * In addition to the current record's rows, memory holds only short hashes of the Ids: a few megabytes for 100,000.
 */
export async function* groupLines(
  file: AsyncIterable<FileRow>,
  at: number | null,
): AsyncGenerator<Lines, void> {
  const seenIds = new Set<string>();
  let id = "";
  let lines: Lines | null = null;
  for await (const row of file) {
    const next = at === null ? "" : unescapeFormula((row.cells[at] ?? "").trim());
    if (lines && next !== "" && next === id && lines.rows.length < LINES_MAX) lines.rows.push(row);
    else {
      if (lines) yield lines;
      const hash = createHash("sha256").update(next).digest("base64url").slice(0, 22);
      lines = { rows: [row], again: seenIds.has(hash) };
      id = next;
      if (next !== "") seenIds.add(hash);
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
  /** The keys of records that a dry run created and rolled back; about ten megabytes for 100,000 rows. */
  tried: Set<string>;
  /**
   * The names of earlier rows that are not stored as clients, by their `ownKeys`, first row only. They are those of the
   * same chunk, or of all chunks in a dry run. Some tens of megabytes for 100,000 rows.
   */
  earlier: Map<string, { number: number; name: string }>;
};

export type ImportRecord = {
  rows: FileRow[];
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

/** Returns the record of a group of rows. */
export function prepare(job: Job, kind: Kind, context: Context, { rows, again }: Lines): ImportRecord {
  const problems: string[] = [];
  if (again) problems.push("The rows of one Id must be together, but this Id is also further up");
  const lines = rows.map(({ cells }) =>
    context.columns.flatMap((column, at): [Column, string][] => {
      const cell = cells[at] ?? "";
      return column && cell !== "" ? [[column, unescapeFormula(cell)]] : [];
    }),
  );
  const [texts = new Map<string, string>(), ...others] = lines.map(
    (cells) => new Map(cells.flatMap(([{ key }, cell]) => (isBlank(cell) ? [] : [[key, cell.trim()]]))),
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
  // The key of a form without an Id ignores Reconciled, so that it is recognized after a later reconciliation.
  const content: (readonly string[])[] = [...texts]
    .filter(([key]) => key !== RECONCILED)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  // The same file is still recognized when it is imported again.
  if (kind.hasEqualRows) content.push([String(rows[0]?.number)]);
  const email = texts.get(OWNER_EMAIL)?.toLowerCase();
  const ownerId = email === undefined ? undefined : context.owners.get(email);
  if (email !== undefined && ownerId === undefined && job.owner_id === null)
    problems.push("No account has this Advocate Email");
  const values = lines.map((cells) => recordOf(kind.schema, cells, context.names, problems));
  return {
    ...{ rows, texts, problems, ownerId: ownerId ?? context.ownerId },
    keys: rowKeys(job.kind, external === undefined ? ["row", ...content] : ["id", external]),
    values: kind.lines ? kind.lines.join(values) : (values[0] ?? {}),
  };
}
