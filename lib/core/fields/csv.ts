// CSV files: UTF-8 with a byte order mark, RFC 4180.

export type CsvRow = readonly (string | number)[];

export const BYTE_ORDER_MARK = "\uFEFF";

/** The characters that begin a formula in a spreadsheet, some of them also in full width. */
const FORMULA_START = "[=+\\-@\\t\\r＝＋－＠]";
/** Also matches with apostrophes in front, because `undefused` would otherwise remove one of the text's own. */
const NEEDS_APOSTROPHE = new RegExp(`^'*${FORMULA_START}`);
const HAS_APOSTROPHE = new RegExp(`^'(?='*${FORMULA_START})`);

/** The value of a cell. A text that begins like a formula gets an apostrophe, so that a spreadsheet does not run it. */
export const defused = (value: string | number): string | number =>
  typeof value === "string" && NEEDS_APOSTROPHE.test(value) ? `'${value}` : value;

/** The text that `defused` made safe. */
export const undefused = (cell: string): string => cell.replace(HAS_APOSTROPHE, "");

const quoted = (value: string | number): string => {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** A row as it is, with its line end. */
export const plainCsvLine = (row: CsvRow): string => `${row.map(quoted).join(",")}\r\n`;

/** A row with its line end, safe to open in a spreadsheet. */
export const csvLine = (row: CsvRow): string => plainCsvLine(row.map(defused));

/** A whole file. */
export const csvText = (rows: readonly CsvRow[]): string => BYTE_ORDER_MARK + rows.map(csvLine).join("");
