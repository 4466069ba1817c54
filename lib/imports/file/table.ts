import "server-only";
import { pipeline, Readable } from "node:stream";
import { CsvError, parse } from "csv-parse";
import { invalid } from "@/lib/api/errors";
import type { FileFormat } from "@/lib/api/list-file";
import { type FileRow, readerOf } from "@/lib/imports/file/data";
import { readWorkbook } from "@/lib/imports/file/workbook";

/** The largest row of a CSV file in bytes: with a quotation mark that is never closed, the whole file is one row. */
const ROW_MAX = 1024 * 1024;

/** How much text is parsed at once: nobody else is answered meanwhile, for 50 ms where that is 256 KB. */
const PIECE_BYTES = 16 * 1024;

type File = { id: number; format: FileFormat; bytes: number };

/** The format of a stored file: a workbook is a ZIP archive, everything else is read as CSV. */
export async function formatOf({ id, bytes }: Omit<File, "format">): Promise<FileFormat> {
  const { value: head } = await readerOf(id)(0, Math.min(4, bytes)).next();
  return head?.equals(Buffer.from("PK\u0003\u0004")) ? "xlsx" : "csv";
}

/** The rows of the file that are not empty, the headings first. 422 where it is not of its format. */
export async function* readRows(file: File): AsyncGenerator<FileRow> {
  const rows = file.format === "csv" ? csvRows(file) : readWorkbook(readerOf(file.id), file.bytes);
  for await (const row of rows) if (row.cells.some((cell) => cell.trim() !== "")) yield row;
}

async function* csvRows({ id, bytes }: File): AsyncGenerator<FileRow> {
  const texts = decoded(readerOf(id)(0, bytes));
  const { value: first = "" } = await texts.next();
  const parser = parse({
    ...{ delimiter: delimiterOf(first), relax_column_count: true, max_record_size: ROW_MAX },
  });
  // An error of the texts reaches the loop below through the parser.
  pipeline(Readable.from(resumed(first, texts)), parser, () => {});
  try {
    let number = 0;
    for await (const cells of parser as AsyncIterable<string[]>) {
      number += 1;
      yield { number, cells };
    }
  } catch (error) {
    throw error instanceof CsvError
      ? invalid("file", `This is no CSV file that can be read: ${error.message}`)
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
    for await (const chunk of bytes)
      for (let at = 0; at < chunk.length; at += PIECE_BYTES)
        yield decoder.decode(chunk.subarray(at, at + PIECE_BYTES), { stream: true });
    yield decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw invalid("file", "The file is not UTF-8. Save it as “CSV UTF-8”, or as XLSX.");
  }
}

/** What separates the cells: whichever the headings contain most often. */
function delimiterOf(text: string): string {
  const headings = text.split(/\r?\n|\r/, 1)[0]?.replace(/"[^"]*"/g, "") ?? "";
  const count = (delimiter: string) => headings.split(delimiter).length;
  return [",", ";", "\t"].reduce((best, other) => (count(other) > count(best) ? other : best));
}
