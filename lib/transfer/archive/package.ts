import type { Table } from "@/lib/core/fields/tables";
import { PRODUCT_KEY, PRODUCT_NAME } from "@/lib/core/product";
import { columnLabels } from "@/lib/transfer/archive/tables";

// The description of the archive as a Data Package (https://specs.frictionlessdata.io/tabular-data-package/).

/** A table as the database describes it, with its columns in the archive. */
export type Described = {
  table: Table;
  columns: { name: string; type: string; required: boolean }[];
  primaryKey: string[];
  /** The columns with the id of a row, each with the table of that row. */
  references: { column: string; table: Table }[];
};

/** The types of columns, by PostgreSQL's types; all others are text. */
const TYPES: Readonly<Record<string, string>> = {
  smallint: "integer",
  integer: "integer",
  bigint: "integer",
  numeric: "number",
  "double precision": "number",
  boolean: "boolean",
  date: "date",
  "timestamp with time zone": "datetime",
};

/** Returns the type in the description of a column, by its type in the database. */
export const typeOf = (type: string): string => (type.endsWith("[]") ? "array" : (TYPES[type] ?? "string"));

export const fileNameOf = (table: Table): string => `${table}.csv`;

/** Returns the content of `datapackage.json`. `rows` counts the rows of each table. */
export const packageOf = (tables: readonly Described[], rows: ReadonlyMap<Table, number>, at: Date) => {
  const labels = columnLabels();
  return {
    profile: "tabular-data-package",
    name: PRODUCT_KEY,
    title: `All data of ${PRODUCT_NAME}`,
    description:
      "A CSV file for each table. Drafts, passwords, tokens, and keys are not included. An empty cell is null, or empty text in a text column. Text that begins with =, +, -, @, ＝, ＋, －, ＠, a tab, or a carriage return, with or without apostrophes in front, has one more apostrophe in front, so that spreadsheets do not run it as a formula. Remove that apostrophe to get the stored text.",
    created: at.toISOString(),
    resources: tables.map(({ table, columns, primaryKey, references }) => ({
      profile: "tabular-data-resource",
      name: table,
      path: fileNameOf(table),
      format: "csv",
      mediatype: "text/csv",
      encoding: "utf-8",
      dialect: { delimiter: ",", lineTerminator: "\r\n", quoteChar: '"', doubleQuote: true, header: true },
      rows: rows.get(table) ?? 0,
      schema: {
        fields: columns.map(({ name, type, required }) => ({
          name,
          type: typeOf(type),
          title: labels.get(`${table}.${name}`),
          // An empty text is not distinguishable from none.
          ...(required && typeOf(type) !== "string" && { constraints: { required } }),
        })),
        primaryKey,
        foreignKeys: references.map(({ column, table: resource }) => ({
          fields: column,
          reference: { resource, fields: "id" },
        })),
        missingValues: [""],
      },
    })),
  };
};
