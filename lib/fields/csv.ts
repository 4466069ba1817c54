// CSV as contract §11 has it: UTF-8 with a byte order mark, RFC 4180.

export type CsvRow = readonly (string | number)[];

export const BYTE_ORDER_MARK = "\uFEFF";

/**
 * The value of a cell; a text that begins as a formula does gets an apostrophe, so that a spreadsheet takes it for text.
 * So does a text that begins with apostrophes before such a sign, or `undefused` would take one of its own away.
 */
export const defused = (value: string | number): string | number =>
  typeof value === "string" && /^'*[=+\-@\t\r]/.test(value) ? `'${value}` : value;

/** The text that `defused` made safe. */
export const undefused = (cell: string): string => cell.replace(/^'(?='*[=+\-@\t\r])/, "");

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
