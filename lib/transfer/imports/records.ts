import "server-only";
import { createHmac } from "node:crypto";
import { undefused } from "@/lib/core/fields/csv";
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
import type { ImportKind } from "@/lib/transfer/imports/schema";

// Makes records of the rows of a file.

/** The rows of one record; `again` if its Id occurred before, with other rows in between. */
export type Lines = { rows: FileRow[]; again: boolean };

/** One more than a form may have services, so that a longer form is refused, and then its remaining rows as `again`. */
const LINES_MAX = 501;

/**
 * Rows that follow each other with the same Id, in the column `at`, are one record; without such a column each is one.
 * Besides the rows of one record, only the Ids are kept in memory: a few megabytes for 100,000.
 */
export async function* together(
  file: AsyncIterable<FileRow>,
  at: number | null,
): AsyncGenerator<Lines, void> {
  const seen = new Set<string>();
  let id = "";
  let lines: Lines | null = null;
  for await (const row of file) {
    const next = at === null ? "" : undefused((row.cells[at] ?? "").trim());
    if (lines && next !== "" && next === id && lines.rows.length < LINES_MAX) lines.rows.push(row);
    else {
      if (lines) yield lines;
      lines = { rows: [row], again: seen.has(next) };
      id = next;
      if (next !== "") seen.add(next);
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
  /** The keys of what a dry run would have made, which it rolls back; some ten megabytes for 100,000 rows. */
  tried: Set<string>;
  /**
   * The names of earlier rows that are not stored as clients, by their `ownKeys`, for each the first row: those of the same
   * chunk, or in a dry run of all chunks; some tens of megabytes for 100,000 rows.
   */
  earlier: Map<string, { number: number; name: string }>;
};

export type ImportRecord = {
  rows: FileRow[];
  /** What the cells say, by the keys of their columns. */
  texts: ReadonlyMap<string, string>;
  keys: string[];
  ownerId: number;
  values: Values;
  problems: string[];
};

/** The keyed hashes that identify a record: under the present secret, then the previous one. */
export const rowKeys = (
  kind: ImportKind,
  content: readonly ["id", string] | readonly ["row", ...(readonly string[])[]],
): string[] =>
  keysFor("import rows v1").map((key) =>
    createHmac("sha256", key)
      .update(JSON.stringify([kind, content]))
      .digest("base64url"),
  );

/** Makes a record of its rows. */
export function prepare(job: Job, kind: Kind, context: Context, { rows, again }: Lines): ImportRecord {
  const problems: string[] = [];
  if (again) problems.push("The rows of one Id must be together, but this Id is also further up");
  const lines = rows.map(({ cells }) =>
    context.columns.flatMap((column, at): [Column, string][] => {
      const cell = cells[at] ?? "";
      return column && cell !== "" ? [[column, undefused(cell)]] : [];
    }),
  );
  const [texts = new Map<string, string>(), ...others] = lines.map(
    (cells) => new Map(cells.flatMap(([{ key }, cell]) => (isBlank(cell) ? [] : [[key, cell.trim()]]))),
  );
  for (const column of context.columns) {
    if (!column || kind.lines?.differ(column)) continue;
    if (others.some((other) => other.get(column.key) !== texts.get(column.key)))
      problems.push(`${column.label} is not the same in all rows of this Id`);
  }
  const external = texts.get(EXTERNAL_ID);
  // A form without an Id is recognised also where it was reconciled since the file before.
  const content = [...texts].filter(([key]) => key !== RECONCILED).sort(([a], [b]) => (a < b ? -1 : 1));
  const email = texts.get(OWNER_EMAIL)?.toLowerCase();
  const found = email === undefined ? undefined : context.owners.get(email);
  if (email !== undefined && found === undefined && job.owner_id === null)
    problems.push("No account has this Advocate Email");
  const values = lines.map((cells) => recordOf(kind.schema, cells, context.names, problems));
  return {
    ...{ rows, texts, problems, ownerId: found ?? context.ownerId },
    keys: rowKeys(job.kind, external === undefined ? ["row", ...content] : ["id", external]),
    values: kind.lines ? kind.lines.join(values) : (values[0] ?? {}),
  };
}
