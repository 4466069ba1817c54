import "server-only";
import path from "node:path";
import { Readable } from "node:stream";
import { SaxesParser } from "saxes";
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from "yauzl";
import { AppError, invalid } from "@/lib/core/errors";
import { whole } from "@/lib/core/text/format";
import { assertColumnCount, assertRowCount, WORKBOOK } from "@/lib/transfer/imports/file/limits";
import { assertConnected, type FileRow, type ReadBytes } from "@/lib/transfer/imports/file/store";
import { isErrorValue } from "@/lib/transfer/imports/file/values";

// The first visible sheet of a workbook (XLSX: a ZIP archive of XML), read row by row. The cell of a formula contains its
// result from when the workbook was saved. An archive of less than a megabyte can unpack to gigabytes, so everything
// stored in memory is bounded.

/**
 * The most bytes of one unpacked part of the archive. The sheet may be larger, because only one row of it is in
 * memory.
 */
const PART_MAX = 128 * 1024 * 1024;
const SHEET_MAX = 512 * 1024 * 1024;
/** The most unpacked bytes per packed byte. Spreadsheets reach 30. Small parts may have any ratio. */
const RATIO_MAX = 100;
const RATIO_FREE = 1024 * 1024;
/**
 * The most characters of all texts that cells share. Each text, even an empty one, costs `TEXT_COST` more.
 */
const SHARED_MAX = 64 * 1024 * 1024;
const TEXT_COST = 32;
/**
 * The most characters of one tag, of one text, and of all cells of a row; then the maximum nesting depth of tags.
 */
const PIECE_MAX = 1024 * 1024;
const DEPTH_MAX = 100;
/**
 * Spreadsheet programs write about ten files into a workbook, plus one for each sheet, drawing and picture.
 */
const ENTRIES_MAX = 1_000;
/** As many as a spreadsheet program allows. */
const STYLES_MAX = 65_536;
const FORMAT_MAX = 255;

const broken = () => invalid("file", "This is not a readable Excel file.");
const tooMuch = (what: string) => invalid("file", `The workbook has ${what}. Save it as CSV.`);

class Reader extends RandomAccessReader {
  constructor(private readonly bytes: ReadBytes) {
    super();
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.bytes(start, end));
  }
}

/**
 * Yields the rows of the first visible sheet that have cells, with their numbers. Throws 422 if the file is not a workbook.
 */
export async function* readWorkbook(bytes: ReadBytes, size: number): AsyncGenerator<FileRow[]> {
  try {
    const zip = await fromRandomAccessReaderPromise(new Reader(bytes), size, {
      lazyEntries: true,
      autoClose: false,
    });
    if (zip.entryCount > ENTRIES_MAX) throw tooMuch("too many parts");
    // The names of parts ignore case.
    const entries = new Map<string, Entry>();
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName.toLowerCase(), entry);
    const part = (name: string, max = PART_MAX) => tagsOf(zip, entries.get(name.toLowerCase()), max);
    const main = [...(await relationsOf(part, "")).values()].find(isOf("officeDocument"));
    if (!main) throw broken();
    const relations = await relationsOf(part, main.target);
    const only = (type: string) => [...relations.values()].find(isOf(type))?.target ?? "";
    const { sheet, since1904 } = await firstSheet(part(main.target), relations);
    const shared = await sharedTexts(part(only("sharedStrings")));
    const formats = await cellFormats(part(only("styles")));
    yield* rowsOf(part(sheet, SHEET_MAX), { shared, formats, since1904 });
  } catch (error) {
    throw error instanceof AppError ? error : broken();
  }
}

type Tag = { name: string; attributes: Record<string, string> };
/** A piece of an XML document: an opening tag, a closing tag, or text. */
type Piece = { open: Tag } | { close: string } | { text: string };
/** In batches, because awaiting each piece would take most of the time. */
type Tags = AsyncGenerator<Piece[]>;

const local = (name: string) => name.slice(name.indexOf(":") + 1);

async function* tagsOf(zip: ZipFile, entry: Entry | undefined, max: number): Tags {
  if (!entry) return;
  // The ZIP reader rejects a part that unpacks to another size than it declares.
  const { uncompressedSize: unpacked, compressedSize: packed } = entry;
  if (unpacked > max || (unpacked > RATIO_FREE && unpacked > packed * RATIO_MAX))
    throw tooMuch("too much content");
  let batch: Piece[] = [];
  let depth = 0;
  let pending = 0;
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("doctype", () => {
    throw broken();
  });
  parser.on("opentag", ({ name, attributes }) => {
    depth += 1;
    if (depth > DEPTH_MAX) throw broken();
    batch.push({ open: { name: local(name), attributes: Object.fromEntries(Object.entries(attributes)) } });
  });
  parser.on("closetag", ({ name }) => {
    depth -= 1;
    batch.push({ close: local(name) });
  });
  parser.on("text", (text) => batch.push({ text }));
  const decoder = new TextDecoder("utf-8", { fatal: true });
  for await (const chunk of await zip.openReadStreamPromise(entry)) {
    assertConnected();
    const text = decoder.decode(chunk, { stream: true });
    parser.write(text);
    // The parser buffers a tag or a text until it is complete.
    pending = batch.length > 0 ? text.length : pending + text.length;
    if (pending > PIECE_MAX) throw tooMuch("a text that is too long");
    yield batch;
    batch = [];
  }
  parser.close();
  yield batch;
}

/** A part that another one refers to. Its type is an address, whose last word says what it is. */
type Relation = { type: string; target: string };
const isOf = (type: string) => (relation: Relation) => relation.type.endsWith(`/${type}`);

/** Returns the name of the part that is called `target` in a part of the folder. */
const partName = (folder: string, target: string): string =>
  path.posix.normalize(target.startsWith("/") ? target : `/${folder}${target}`).slice(1);

/** Returns the parts to which a part refers, by id. "" is the whole archive, which refers to its workbook. */
async function relationsOf(part: (name: string) => Tags, name: string): Promise<Map<string, Relation>> {
  const folder = name.slice(0, name.lastIndexOf("/") + 1);
  const relations = new Map<string, Relation>();
  for await (const batch of part(`${folder}_rels/${name.slice(folder.length)}.rels`))
    for (const piece of batch) {
      if (!("open" in piece) || piece.open.name !== "Relationship") continue;
      const { Id = "", Type = "", Target = "" } = piece.open.attributes;
      relations.set(Id, { type: Type, target: partName(folder, Target) });
    }
  return relations;
}

/**
 * Returns the name of the part of the first sheet that people see, and whether dates count from 1904. Sheets can be
 * charts too.
 */
async function firstSheet(
  tags: Tags,
  relations: ReadonlyMap<string, Relation>,
): Promise<{ sheet: string; since1904: boolean }> {
  let sheet: string | undefined;
  let since1904 = false;
  for await (const batch of tags)
    for (const piece of batch) {
      if (!("open" in piece)) continue;
      const { name, attributes } = piece.open;
      if (name === "workbookPr") since1904 = /^(1|true)$/.test(attributes.date1904 ?? "");
      if (name !== "sheet" || /hidden/i.test(attributes.state ?? "")) continue;
      // The attribute is in a namespace, whose prefix is the writer's choice.
      const id = Object.entries(attributes).find(([key]) => key.endsWith(":id"))?.[1] ?? "";
      const relation = relations.get(id);
      if (relation && isOf("worksheet")(relation)) sheet ??= relation.target;
    }
  if (sheet === undefined) throw broken();
  return { sheet, since1904 };
}

/** Restores a text whose carriage returns, and other characters that XML cannot contain, are written as `_x000D_`. */
const unescapeText = (text: string): string =>
  text.replace(/_x([\dA-F]{4})_/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));

/** Returns the texts that cells refer to by number, without phonetic readings (`rPh`). */
async function sharedTexts(tags: Tags): Promise<string[]> {
  const texts: string[] = [];
  let text = "";
  let size = 0;
  let isText = false;
  let phonetic = false;
  for await (const batch of tags)
    for (const piece of batch) {
      if (size > SHARED_MAX) throw tooMuch("too many text values");
      if ("text" in piece) {
        if (!isText || phonetic) continue;
        text += piece.text;
        size += piece.text.length;
      } else if ("open" in piece) {
        if (piece.open.name === "si") text = "";
        isText = piece.open.name === "t";
        phonetic ||= piece.open.name === "rPh";
      } else {
        if (piece.close === "t") isText = false;
        if (piece.close === "rPh") phonetic = false;
        if (piece.close === "si") {
          size += TEXT_COST;
          texts.push(unescapeText(text));
        }
      }
    }
  return texts;
}

/** True if a built-in number format shows a date. */
const isDayFormat = (id: number) => (id >= 14 && id <= 17) || id === 22;
const isTimeFormat = (id: number) => (id >= 18 && id <= 21) || (id >= 45 && id <= 47);

/** How a cell style shows numbers: as a date, as a time or duration, or with a code such as `00000`. */
type NumberFormat = "day" | "time" | { code: string };

/** Returns the formats of the cell styles that show a number in another way than as it is. */
async function cellFormats(tags: Tags): Promise<ReadonlyMap<number, NumberFormat>> {
  const codes = new Map<number, NumberFormat>();
  const styles = new Map<number, NumberFormat>();
  let inCells = false;
  let style = 0;
  for await (const batch of tags)
    for (const piece of batch) {
      if ("close" in piece && piece.close === "cellXfs") inCells = false;
      if (!("open" in piece)) continue;
      const { name, attributes } = piece.open;
      if (name === "cellXfs") inCells = true;
      if (name === "numFmt") {
        const format = formatOf((attributes.formatCode ?? "").slice(0, FORMAT_MAX));
        if (format) codes.set(Number(attributes.numFmtId), format);
      }
      if (name === "xf" && inCells) {
        const id = Number(attributes.numFmtId);
        const format = isDayFormat(id) ? "day" : isTimeFormat(id) ? "time" : codes.get(id);
        if (format) styles.set(style, format);
        style += 1;
        if (style > STYLES_MAX || codes.size > STYLES_MAX) throw tooMuch("too many styles");
      }
    }
  return styles;
}

function formatOf(code: string): NumberFormat | null {
  const plain = code.replace(/"[^"]*"|\[(?!(?:h+|m+|s+)\])[^\]]*\]|\\./gi, "");
  if (/[dy]/i.test(plain)) return "day";
  if (/[hs]|\[m/i.test(plain)) return "time";
  return code.includes("00") ? { code } : null;
}

/** A section of a format that has only digits to fill and what is between them: `00000\-0000`. */
const DIGITS_ONLY = /^(?:0|[-() /]|\\.|"[^"]*"|_.)+$/;
const CONDITION = /^\[(<=|>=|<>|<|>|=)(\d+(?:\.\d+)?)\]/;

/**
 * Returns a whole number as a format like `00000` shows it, with its leading zeros; undefined if the format shows
 * numbers in another way.
 */
function withZeros(code: string, number: number): string | undefined {
  if (!Number.isSafeInteger(number) || number < 0) return undefined;
  const sections = code.split(";").map((section) => {
    const text = section.replace(/\[(?![<>=])[^\]]*\]/g, "");
    const [condition = "", sign, limit] = CONDITION.exec(text) ?? [];
    return { text: text.slice(condition.length), isFor: sign ? isFor(number, sign, Number(limit)) : true };
  });
  const section = sections.find(({ isFor }) => isFor)?.text ?? "";
  if (!DIGITS_ONLY.test(section) || !section.includes("00")) return undefined;
  const shown = section
    .replace(/_./g, "")
    .replace(/\\(.)|"([^"]*)"/g, (_, one = "", several = "") => (one + several).replaceAll("0", "\0"));
  const places = shown.split("0").length - 1;
  const digits = [...String(number).padStart(places, "0")];
  // The first place takes all digits for which there are no places.
  const filled = shown.replace(/0/g, () =>
    digits.splice(0, Math.max(1, digits.length - places + 1)).join(""),
  );
  return filled.replaceAll("\0", "0").trim();
}

const isFor = (number: number, sign: string, limit: number): boolean =>
  (sign.includes("<") && number < limit) ||
  (sign.includes(">") && number > limit) ||
  (sign.includes("=") && number === limit);

type Workbook = {
  shared: readonly string[];
  formats: ReadonlyMap<number, NumberFormat>;
  since1904: boolean;
};

/** Returns the column's index from 0: "AB12" → 27. */
const columnOf = (reference: string): number =>
  [...(/^[A-Z]{1,3}/.exec(reference)?.[0] ?? "")].reduce(
    (place, letter) => place * 26 + letter.charCodeAt(0) - 64,
    0,
  ) - 1;

async function* rowsOf(tags: Tags, workbook: Workbook): AsyncGenerator<FileRow[]> {
  let row: FileRow = { number: 0, cells: [] };
  let count = 0;
  let cells = 0;
  let cell: { at: number; type: string; style: number } | null = null;
  let text = "";
  let isValue = false;
  let size = 0;
  for await (const batch of tags) {
    const rows: FileRow[] = [];
    for (const piece of batch) {
      if (size > PIECE_MAX) throw tooMuch("a row that is too long");
      if ("text" in piece) {
        if (!isValue) continue;
        text += piece.text;
        size += piece.text.length;
      } else if ("open" in piece) {
        const { name, attributes } = piece.open;
        if (name === "row") {
          row = { number: Number(attributes.r ?? row.number + 1), cells: [], since1904: workbook.since1904 };
          if (!Number.isInteger(row.number) || row.number < 1) throw broken();
          count += 1;
          assertRowCount(Math.max(count, row.number));
          size = 0;
        }
        if (name === "c") {
          const at = attributes.r ? columnOf(attributes.r) : row.cells.length;
          if (at < 0) throw broken();
          assertColumnCount(at + 1);
          cells += 1;
          if (cells > WORKBOOK.mostCells) throw tooMuch(`more than ${whole(WORKBOOK.mostCells)} cells`);
          cell = { at, type: attributes.t ?? "n", style: Number(attributes.s ?? 0) };
          text = "";
        }
        isValue = cell !== null && (name === "v" || name === "t");
      } else {
        if (piece.close === "v" || piece.close === "t") isValue = false;
        if (piece.close === "c" && cell) {
          while (row.cells.length < cell.at) row.cells.push("");
          const value = cellOf(cell, text, workbook);
          row.cells[cell.at] = value;
          size += value.length;
          cell = null;
        }
        if (piece.close === "row" && row.cells.length > 0) rows.push(row);
      }
    }
    yield rows;
  }
}

const DAY_SECONDS = 86_400;

/** From here on, spreadsheets replace the last digits of a whole number by zeros. */
const EXACT_BELOW = 1e15;

/**
 * Returns a number as people see it: programs write 7.175550102E9, 15.0 and 0.30000000000000004. Whole numbers of more
 * digits than spreadsheets keep stay as they are stored; if they may have lost some, they are like 1.23456789012345E+15.
 */
function plainNumber(text: string): string {
  const value = Number(text);
  const rounded = Number(value.toPrecision(15));
  if (Math.abs(value) >= EXACT_BELOW) {
    const digits = Number.isSafeInteger(value) ? String(value) : text;
    return value === rounded ? value.toExponential().toUpperCase() : digits;
  }
  const number = String(rounded);
  return /^-?[\d.]+$/.test(number) ? number : text;
}

/** The errors of spreadsheets, which other programs may call otherwise. */
const someError = (text: string) => (isErrorValue(text) ? text : "#VALUE!");

/** Returns hours and minutes, with seconds unless they are 0. */
function timeOf(seconds: number): string {
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const rest = seconds % 60;
  const parts = rest === 0 ? [hours, minutes] : [hours, minutes, rest];
  return parts.map((part) => String(part).padStart(2, "0")).join(":");
}

function cellOf({ type, style }: { type: string; style: number }, text: string, book: Workbook): string {
  if (type === "s") return book.shared[Number(text)] ?? "";
  if (type === "b") return text === "1" ? "Yes" : "No";
  if (type === "str" || type === "inlineStr") return unescapeText(text);
  if (type === "e") return someError(text);
  if (type !== "n" || text === "") return text;
  const format = book.formats.get(style);
  const number = Number(text);
  const seconds = Math.round(number * DAY_SECONDS);
  if (format === "time") return seconds >= 0 ? timeOf(seconds) : text;
  if (format !== "day")
    return (format && number < EXACT_BELOW && withZeros(format.code, number)) || plainNumber(text);
  // Dates are days since the start of 1904, or since 1899-12-31 as if 1900 had a February 29. A time of day is a part of
  // one, which must not be lost without a word.
  const epoch = book.since1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, number < 60 ? 31 : 30);
  const moment = new Date(epoch + seconds * 1000);
  if (Number.isNaN(moment.getTime())) return text;
  const day = moment.toISOString().slice(0, 10);
  return seconds % DAY_SECONDS === 0 ? day : `${day} ${timeOf(seconds % DAY_SECONDS)}`;
}
