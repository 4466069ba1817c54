import "server-only";
import { pipeline, Readable } from "node:stream";
import { CsvError, parse } from "csv-parse";
import { AppError } from "@/lib/api/errors";
import { readerOf } from "@/lib/imports/file/data";
import { readWorkbook } from "@/lib/imports/file/workbook";
import type { ImportFormat } from "@/lib/imports/schema";

/** A row of a file that is not empty; `number` as a spreadsheet counts, where each row stands in a line of its own. */
export type FileRow = { number: number; cells: string[] };

/** The largest row of a CSV file; a quotation mark that is never closed would make one of the whole file. */
const ROW_MAX = 1024 * 1024;

const unreadable = (why: string) => new AppError("invalid", why, { fields: { file: why } });

/** A workbook is a ZIP archive; everything else is taken for CSV. */
export const formatOf = (head: Uint8Array): ImportFormat =>
  Buffer.from(head.subarray(0, 4)).equals(Buffer.from("PK\u0003\u0004")) ? "xlsx" : "csv";

type File = { id: number; format: ImportFormat; bytes: number };

/** The rows of the file, the headings first. 422 where it is no such file. */
export async function* readRows(file: File): AsyncGenerator<FileRow> {
  const rows = file.format === "csv" ? csvRows(file) : workbookRows(file);
  for await (const row of rows) if (row.cells.some((cell) => cell.trim() !== "")) yield row;
}

async function* csvRows({ id, bytes }: File): AsyncGenerator<FileRow> {
  const texts = decoded(readerOf(id)(0, bytes));
  const { value: first = "" } = await texts.next();
  const parser = parse({
    ...{ delimiter: delimiterOf(first), relax_column_count: true, max_record_size: ROW_MAX },
  });
  // The parser hands on what goes wrong before it.
  pipeline(Readable.from(resumed(first, texts)), parser, () => {});
  try {
    let number = 0;
    for await (const cells of parser as AsyncIterable<string[]>) {
      number += 1;
      yield { number, cells };
    }
  } catch (error) {
    throw error instanceof CsvError
      ? unreadable(`This is no CSV file that can be read: ${error.message}`)
      : error;
  }
}

async function* resumed(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first;
  yield* rest;
}

async function* decoded(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw unreadable("The file is not UTF-8. Save it as “CSV UTF-8”, or as XLSX.");
  }
}

/** What separates the cells: whichever the headings have most of. */
function delimiterOf(text: string): string {
  const headings = text.split(/\r?\n|\r/, 1)[0]?.replace(/"[^"]*"/g, "") ?? "";
  const count = (delimiter: string) => headings.split(delimiter).length;
  return [",", ";", "\t"].reduce((best, other) => (count(other) > count(best) ? other : best));
}

async function* workbookRows({ id, bytes }: File): AsyncGenerator<FileRow> {
  yield* readWorkbook(readerOf(id), bytes);
}
