import "server-only";
import { writeXlsxStream } from "hucre/xlsx";
import { FILE_TYPES, type FileFormat } from "@/lib/core/api/list-file";
import { asAppError } from "@/lib/core/database/errors";
import type { TimeKind } from "@/lib/core/fields/columns";
import { inTurns } from "@/lib/core/process/in-turns";
import { wallTime } from "@/lib/core/text/clock";
import { BYTE_ORDER_MARK, type CsvRow, csvLine, escapeFormula } from "@/lib/core/text/csv";
import { date } from "@/lib/core/text/format";

/** The content of a file. */
export type Table = {
  /** The file's name without its extension; it must not identify anyone. */
  name: string;
  header: readonly string[];
  /** The columns that have days or moments, in the order of the header. */
  kinds?: readonly (TimeKind | undefined)[];
  batches: AsyncIterable<readonly CsvRow[]>;
};

const WRITERS: Record<FileFormat, (table: Table) => ReadableStream<Uint8Array>> = {
  csv: (table) => streamOf(csvOf(table)),
  xlsx: (table) =>
    writeXlsxStream(linesOf(table), {
      name: "Sheet1",
      freezePane: { rows: 1 },
      // Excel shows a date as "####" in a column that is too narrow.
      columns: table.kinds?.map((kind) => (kind ? TIME_COLUMNS[kind] : {})),
    }),
};

const TIME_COLUMNS: Record<TimeKind, { numFmt: string; width: number }> = {
  day: { numFmt: "mm/dd/yyyy", width: 12 },
  moment: { numFmt: "mm/dd/yyyy hh:mm:ss AM/PM", width: 24 },
};

/** The characters after which lines are sent although the batch has more: a batch of large records may not fit a text. */
const CHUNK_CHARACTERS = 1024 * 1024;

async function* csvOf({ header, kinds = [], batches }: Table) {
  const bytes = new TextEncoder();
  yield bytes.encode(BYTE_ORDER_MARK + csvLine(header));
  const lineOf = (row: CsvRow) =>
    csvLine(row.map((value, at) => (kinds[at] === "day" ? date(String(value)) : value)));
  try {
    for await (const batch of batches) {
      let lines = "";
      for (const line of await inTurns(batch, lineOf)) {
        lines += line;
        if (lines.length < CHUNK_CHARACTERS) continue;
        yield bytes.encode(lines);
        lines = "";
      }
      yield bytes.encode(lines);
    }
  } catch (error) {
    const reason = [asAppError(error).messages].flat().join(" ");
    yield bytes.encode(csvLine([`This file is incomplete. ${reason}`]));
    throw error;
  }
}

async function* linesOf({ header, kinds = [], batches }: Table) {
  yield [...header];
  for await (const batch of batches)
    for (const row of batch)
      yield row.map((value, at) =>
        value === "" ? null : (timeIn(value, kinds[at]) ?? escapeForXlsx(escapeFormula(value))),
      );
}

/** Returns a Date whose UTC parts are the organization's day and time; null for a cell that is no time. */
function timeIn(value: string | number, kind: TimeKind | undefined): Date | null {
  if (!kind) return null;
  const time = new Date(value);
  return kind === "day" ? time : wallTime(time);
}

/** Escapes text that looks like an escaped character of a workbook, which would be read as that character. */
const escapeForXlsx = (value: string | number): string | number =>
  typeof value === "string" ? value.replace(/_(?=x[\dA-F]{4}_)/gi, "_x005F_") : value;

/** Returns a stream that starts `chunks` only when it is read, which never happens for HEAD. */
export const streamOf = (chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> =>
  new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await chunks.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );

/**
 * Returns a table as a download. Rows are read as fast as the client receives them, and no further after it
 * disconnects. After a failure, the file is cut off; in a CSV file, the last line states the reason.
 */
export const fileOf = (format: FileFormat, table: Table): Response =>
  download(`${table.name}.${format}`, FILE_TYPES[format], WRITERS[format](table));

/** Returns a stream as a download. `name` must not identify anyone. */
export const download = (name: string, type: string, body: ReadableStream<Uint8Array>): Response =>
  new Response(body, {
    headers: {
      "Content-Type": type === FILE_TYPES.csv ? `${type}; charset=utf-8` : type,
      "Content-Disposition": `attachment; filename="${name}"`,
    },
  });
