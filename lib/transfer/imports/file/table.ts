import "server-only";
import { setImmediate as otherWork } from "node:timers/promises";
import type { FileFormat } from "@/lib/core/api/list-file";
import { invalid } from "@/lib/core/errors";
import { CsvSplitter } from "@/lib/transfer/imports/file/csv";
import { HEADINGS_WITHIN } from "@/lib/transfer/imports/file/heading-row";
import { type FileRow, readerOf } from "@/lib/transfer/imports/file/store";
import { readWorkbook } from "@/lib/transfer/imports/file/workbook";

/**
 * The bytes parsed at once. The event loop serves other requests only between two pieces, and a single byte can be a
 * row. 16 KB of empty rows blocked all requests for 0.4 s.
 */
const PIECE_BYTES = 4 * 1024;

const notUtf8 = () => invalid("file", "The file is not UTF-8. Save it as “CSV UTF-8”, or as XLSX.");

type File = { id: number; format: FileFormat; bytes: number };

/** The first bytes of XLSX, and of the container of old and of encrypted Excel files. */
const ZIP = "504b0304";
const CONTAINER = "d0cf11e0";

/**
 * Returns the format of a stored file. A workbook is a ZIP archive; everything else is read as CSV. Throws 422 for an
 * Excel file that only Excel can open.
 */
export async function formatOf({ id, bytes }: Omit<File, "format">): Promise<FileFormat> {
  const { value: head } = await readerOf(id)(0, Math.min(4, bytes)).next();
  const signature = head?.toString("hex");
  if (signature === CONTAINER)
    throw invalid(
      "file",
      "This Excel file has a password or the old format XLS. Remove its password, and save it as XLSX.",
    );
  return signature === ZIP ? "xlsx" : "csv";
}

/** Yields the rows of the file as `readBatches` does, one by one. */
export async function* readRows(file: File): AsyncGenerator<FileRow> {
  for await (const batch of readBatches(file)) yield* batch;
}

/**
 * Yields the rows of the file that are not empty in batches. Throws 422 if the file does not have its format, for too many
 * columns, or too many rows.
 */
export async function* readBatches(file: File): AsyncGenerator<FileRow[]> {
  const batches = file.format === "csv" ? csvRows(file) : readWorkbook(readerOf(file.id), file.bytes);
  for await (const batch of batches) {
    const rows = batch.filter(({ cells }) => cells.some((cell) => cell.trim() !== ""));
    if (rows.length > 0) yield rows;
  }
}

async function* csvRows({ id, bytes }: File): AsyncGenerator<FileRow[]> {
  const texts = decodeText(readerOf(id)(0, bytes));
  const { value: first = "" } = await texts.next();
  // In UTF-16 without a mark, every other byte of the headings is zero.
  if (linesOf(first)[0]?.includes("\0")) throw notUtf8();
  const declared = SEPARATOR_LINE.exec(first);
  const splitter = new CsvSplitter(declared?.[1] ?? delimiterOf(first));
  const rest = first.slice(declared?.[0].length ?? 0);
  for await (const text of prepend(rest, texts)) {
    await otherWork();
    yield splitter.push(text);
  }
  yield splitter.end();
}

async function* prepend(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first;
  yield* rest;
}

async function* decodeText(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    for await (const chunk of bytes)
      for (let at = 0; at < chunk.length; at += PIECE_BYTES)
        yield decoder.decode(chunk.subarray(at, at + PIECE_BYTES), { stream: true });
    yield decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw notUtf8();
  }
}

/** The line by which a file tells Excel its cell separator. Excel does not show it, and does not count it as a row. */
const SEPARATOR_LINE = /^\s*"?sep=(.)"?[^\S\r\n]*(?:\r\n|\r|\n)/i;

/** Returns the lines with text, without what is quoted. */
const linesOf = (text: string): string[] =>
  text
    .replace(/"[^"]*"/g, '""')
    .split(/[\r\n]/)
    .filter((line) => line.trim() !== "");

const DELIMITERS = [",", ";", "\t"];
/** A line with so few cells may be a title above the headings. */
const TITLE_CELLS_MAX = 2;

/** Returns the cell separator: the one that occurs most often in the headings, which may follow a title. */
function delimiterOf(text: string): string {
  const lines = linesOf(text).slice(0, HEADINGS_WITHIN);
  const count = (line: string, delimiter: string) => line.split(delimiter).length;
  const isWide = (line: string) => DELIMITERS.some((delimiter) => count(line, delimiter) > TITLE_CELLS_MAX);
  const headings = lines.find(isWide) ?? lines[0] ?? "";
  return DELIMITERS.reduce((best, other) => (count(headings, other) > count(headings, best) ? other : best));
}
