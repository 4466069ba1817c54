import "server-only";
import type { Query } from "@/lib/core/database/client";
import { oneLine } from "@/lib/core/fields/validation";
import { decryptAny, encrypt, keyFor, keysFor } from "@/lib/core/process/cipher";
import { sql } from "@/lib/core/sql";
import type { ColumnSurvey, FirstRow, LeftBlank, Mapping, ProblemGroup } from "@/lib/transfer/imports/schema";

/**
 * A note on a row: the reason for its refusal and, in a note of its own, its cells. Notes on the file have its headings,
 * the survey of its columns, the mapping of its values, its problems by kind, and the values that were left blank.
 */
type Note = {
  problem: string;
  cells?: string[];
  survey?: ColumnSurvey[];
  /** The first rows of the file, among which its headings are. */
  firstRows?: FirstRow[];
  mapping?: Mapping;
  /** The fields that the columns of the mapping's file had, for the next file. */
  matched?: { heading: string; key: string }[];
  groups?: ProblemGroup[];
  /** The number of the row of headings, 0 without one. */
  headingRow?: number;
  /** The rows above the headings. Earlier versions stored them. */
  above?: string[];
  blanks?: LeftBlank[];
};

/**
 * Adds the clients the note is about. Their ids are not encrypted, so that the database can hide the note.
 */
export type NewNote = Note & { clients?: number[] };

const KEY = "import notes v1";
const context = (importId: number) => Buffer.from(`notes of import ${importId}`);

export const sealNote = (importId: number, note: Note): Buffer =>
  encrypt(keyFor(KEY), Buffer.from(JSON.stringify(note)), context(importId));

/** Decrypts a note. Returns an empty one if AUTH_SECRET was replaced since. */
export function openNote(importId: number, sealed: Uint8Array): Note {
  const opened = decryptAny(keysFor(KEY), sealed, context(importId));
  return opened ? JSON.parse(opened.toString("utf8")) : { problem: "" };
}

/** The notes on the file itself, number 1 of their kind. */
type FileNote = "headings" | "survey" | "mapping" | "problems" | "blanks";

/** Returns a note on the file of an import, or an empty one. */
async function fileNote(query: Query, importId: number, about: FileNote): Promise<Note> {
  const [row] = await query<{ sealed: Buffer }>(
    sql`SELECT sealed FROM import_notes WHERE import_id = ${importId} AND about = ${about} AND number = 1`,
  );
  return row ? openNote(importId, row.sealed) : { problem: "" };
}

/** Stores a note on the file of an import in place of an earlier one. */
export async function storeFileNote(
  query: Query,
  importId: number,
  about: FileNote,
  note: Omit<Note, "problem">,
): Promise<void> {
  await query(
    sql`INSERT INTO import_notes (import_id, about, number, sealed)
     VALUES (${importId}, ${about}, 1, ${sealNote(importId, { problem: "", ...note })})
     ON CONFLICT (import_id, about, number) DO UPDATE SET sealed = excluded.sealed`,
  );
}

/**
 * Returns the headings of a file. In a file without headings they are the first record, so they are encrypted like one.
 */
export const headingsOf = async (query: Query, importId: number): Promise<string[]> =>
  (await fileNote(query, importId, "headings")).cells ?? [];

/** The headings of a file with the number of their row, 0 without one, and the rows above them as texts. */
export type HeadingRow = { headings: string[]; headingRow: number; above: string[] };

/** Returns the row of headings of a file, until the import ends. Earlier versions took the first one. */
export async function headingRowOf(query: Query, importId: number): Promise<HeadingRow> {
  const { cells = [], headingRow = 1, above } = await fileNote(query, importId, "headings");
  if (above) return { headings: cells, headingRow, above };
  const firstRows = await firstRowsOf(query, importId);
  const rowsAbove = firstRows.filter(({ number }) => number < headingRow);
  return { headings: cells, headingRow, above: rowsAbove.map(({ text }) => text) };
}

/** Returns what is known of the columns of a file, until the import ends. */
export const surveyOf = async (query: Query, importId: number): Promise<ColumnSurvey[]> =>
  (await fileNote(query, importId, "survey")).survey ?? [];

/** Returns the rows of a file among which its headings can be, until the import ends. Earlier versions stored none. */
export const firstRowsOf = async (query: Query, importId: number): Promise<FirstRow[]> =>
  (await fileNote(query, importId, "survey")).firstRows ?? [];

/** Returns the importer's decisions about the values of a file. */
export const mappingOf = async (query: Query, importId: number): Promise<Mapping> =>
  (await fileNote(query, importId, "mapping")).mapping ?? { asWritten: false, columns: [] };

/** Returns the problems of an import's refused rows by kind. */
export const problemsOf = async (query: Query, importId: number): Promise<ProblemGroup[]> =>
  (await fileNote(query, importId, "problems")).groups ?? [];

/** Returns the values of an import that were left blank. */
export const blanksOf = async (query: Query, importId: number): Promise<LeftBlank[]> =>
  (await fileNote(query, importId, "blanks")).blanks ?? [];

const NAME_KEY = "import file names v1";

/** The most characters of a file's name that are stored. */
const NAME_MAX = 255;

/** Encrypts the name of a file, as it was sent: percent-encoded. */
export function sealFileName(importId: number, encoded: string): Buffer {
  const name = oneLine(decoded(encoded)).slice(0, NAME_MAX);
  return encrypt(keyFor(NAME_KEY), Buffer.from(name), context(importId));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Decrypts the name of a file. Returns "" without one, or if AUTH_SECRET was replaced since. */
export const openFileName = (importId: number, sealed: Uint8Array | null): string =>
  (sealed && decryptAny(keysFor(NAME_KEY), sealed, context(importId))?.toString("utf8")) || "";
