// CSV files: UTF-8 with a byte order mark, RFC 4180.

export type CsvRow = readonly (string | number)[];

export const BYTE_ORDER_MARK = "\uFEFF";

/** The characters that begin a formula in a spreadsheet, including some full-width ones. */
const FORMULA_START = "[=+\\-@\\t\\r＝＋－＠]";
/**
 * Also matches text with leading apostrophes, because `unescapeFormula` would otherwise remove one of its own.
 */
const NEEDS_APOSTROPHE = new RegExp(`^'*${FORMULA_START}`);
const HAS_APOSTROPHE = new RegExp(`^'(?='*${FORMULA_START})`);

/**
 * Returns the value of a cell. Text that begins like a formula gets an apostrophe, so that a spreadsheet does not run
 * it.
 */
export const escapeFormula = (value: string | number): string | number =>
  typeof value === "string" && NEEDS_APOSTROPHE.test(value) ? `'${value}` : value;

/** Returns the text that `escapeFormula` made safe. */
export const unescapeFormula = (cell: string): string => cell.replace(HAS_APOSTROPHE, "");

const quote = (value: string | number): string => {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** Returns a row unescaped, with its line end. */
export const plainCsvLine = (row: CsvRow): string => `${row.map(quote).join(",")}\r\n`;

/** Returns a row with its line end, safe to open in a spreadsheet. */
export const csvLine = (row: CsvRow): string => plainCsvLine(row.map(escapeFormula));

/** Returns a whole file. */
export const csvText = (rows: readonly CsvRow[]): string => BYTE_ORDER_MARK + rows.map(csvLine).join("");
