import "server-only";
import { pipeline, Readable } from "node:stream";
import { setImmediate as otherWork } from "node:timers/promises";
import { CsvError, parse } from "csv-parse";
import { invalid } from "@/lib/core/api/errors";
import type { FileFormat } from "@/lib/core/api/list-file";
import { assertColumnCount, assertHeadings, assertRowCount } from "@/lib/transfer/imports/file/limits";
import { type FileRow, readerOf } from "@/lib/transfer/imports/file/store";
import { readWorkbook } from "@/lib/transfer/imports/file/workbook";

/** The largest row of a CSV file in bytes. Without a closing quotation mark, the whole file is one row. */
const ROW_MAX = 1024 * 1024;

/**
 * The bytes parsed at once. The event loop serves other requests only between two pieces, and a single byte can be a
 * row. 16 KB of empty rows blocked all requests for 0.4 s.
 */
const PIECE_BYTES = 4 * 1024;

type File = { id: number; format: FileFormat; bytes: number };

/** Returns the format of a stored file. A workbook is a ZIP archive; everything else is read as CSV. */
export async function formatOf({ id, bytes }: Omit<File, "format">): Promise<FileFormat> {
  const { value: head } = await readerOf(id)(0, Math.min(4, bytes)).next();
  return head?.equals(Buffer.from("PK\u0003\u0004")) ? "xlsx" : "csv";
}

/**
 * Yields the rows of the file that are not empty, headings first. Throws 422 if the file does not have its format.
 * Throws 422 for too many columns, too many rows or a heading that is too long.
 */
export async function* readRows(file: File): AsyncGenerator<FileRow> {
  const rows = file.format === "csv" ? csvRows(file) : readWorkbook(readerOf(file.id), file.bytes);
  let isHeading = true;
  for await (const row of rows) {
    if (row.cells.every((cell) => cell.trim() === "")) continue;
    if (isHeading) assertHeadings(row.cells);
    isHeading = false;
    yield row;
  }
}

async function* csvRows({ id, bytes }: File): AsyncGenerator<FileRow> {
  const texts = decodeText(readerOf(id)(0, bytes));
  const { value: first = "" } = await texts.next();
  const delimiter = delimiterOf(first);
  const parser = parse({ delimiter, relax_column_count: true, max_record_size: ROW_MAX });
  // The parser passes an error of the texts on to the loop below.
  pipeline(Readable.from(withinLimits(prepend(first, texts), delimiter)), parser, () => {});
  try {
    let number = 0;
    for await (const cells of parser as AsyncIterable<string[]>) {
      number += 1;
      assertRowCount(number);
      assertColumnCount(cells.length);
      yield { number, cells };
    }
  } catch (error) {
    throw error instanceof CsvError
      ? invalid("file", `This is not a readable CSV file: ${error.message}`)
      : error;
  }
}

async function* prepend(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first;
  yield* rest;
}

const [QUOTE, LINE_FEED, RETURN] = ['"', "\n", "\r"].map((character) => character.charCodeAt(0));

/**
 * Yields the same texts. Throws 422 for too many columns or rows before the parser collects the cells of that row.
 */
async function* withinLimits(texts: AsyncIterable<string>, delimiter: string): AsyncGenerator<string> {
  const separator = delimiter.charCodeAt(0);
  let [columns, lines, isQuoted] = [1, 0, false];
  for await (const text of texts) {
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) isQuoted = !isQuoted;
      else if (isQuoted) continue;
      else if (code === separator) {
        columns += 1;
        assertColumnCount(columns);
      } else if (code === LINE_FEED) {
        lines += 1;
        assertRowCount(lines);
        columns = 1;
      } else if (code === RETURN) columns = 1;
    }
    await otherWork();
    yield text;
  }
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
    throw invalid("file", "The file is not UTF-8. Save it as “CSV UTF-8”, or as XLSX.");
  }
}

/** Returns the cell separator: the one that occurs most often in the headings. */
function delimiterOf(text: string): string {
  const headings = text.split(/\r?\n|\r/, 1)[0]?.replace(/"[^"]*"/g, "") ?? "";
  const count = (delimiter: string) => headings.split(delimiter).length;
  return [",", ";", "\t"].reduce((best, other) => (count(other) > count(best) ? other : best));
}
