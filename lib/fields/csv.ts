// CSV as contract §11 has it: UTF-8 with a byte order mark, RFC 4180.

export type CsvRow = readonly (string | number)[];

export const BYTE_ORDER_MARK = "\uFEFF";

/** A text that begins as a formula does gets an apostrophe, so that a spreadsheet takes it for text. */
const cell = (value: string | number): string => {
  const text = typeof value === "string" && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** A row with its line end. */
export const csvLine = (row: CsvRow): string => `${row.map(cell).join(",")}\r\n`;

/** A whole file. */
export const csvText = (rows: readonly CsvRow[]): string => BYTE_ORDER_MARK + rows.map(csvLine).join("");
