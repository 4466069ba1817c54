import type * as z from "zod/mini";
import { declaredFacts, type FieldFacts, fieldsOf } from "@/lib/core/fields/facts";
import { ADVOCATE_NAME } from "@/lib/core/fields/words";
import { isRecord } from "@/lib/core/objects";
import type { CsvRow } from "@/lib/core/text/csv";
import { folded } from "@/lib/core/text/folded";
import { date, yesNo } from "@/lib/core/text/format";

// The columns of whole records in files (`columns=all` of a list's CSV and XLSX). Exports write them. Imports match
// them by label and parse them by their facts: `clientColumns` (lib/clients/columns.ts), `formColumns`
// (lib/forms/columns.ts) and `lookupColumns` (lib/lookups/columns.ts).
//
// A cell has readable text: Yes or No, MM/DD/YYYY, a choice's label, the names of a list's records on one line each.
// The cells of a missing entry are empty.

/** The names of records in other lists, by `list id`. */
export type Names = ReadonlyMap<string, string>;

export type FileColumn = {
  /**
   * The heading in the first line. Labels are unique within a file; those of a nested entry begin with the entry's
   * label. The organization's label of a field, if it has one.
   */
  label: string;
  /** The label that the program declares, which an import also accepts. */
  declaredLabel?: string;
  /** The path of the value in the record as the API returns it, with plain names. */
  path: readonly string[];
  /** Undefined for values that the record's schema does not have: ids, owner, creation date. */
  facts?: FieldFacts;
};

/**
 * A column whose cells are days (`YYYY-MM-DD`) or moments (ISO 8601), or blank. XLSX has them as dates; CSV has days as
 * MM/DD/YYYY.
 */
export type TimeKind = "day" | "moment";

/** The columns of a list's screen in a file, without the id, each with the function that returns a cell. */
export type Cells<Item> = readonly (readonly [
  label: string,
  cell: (item: Item) => string | number | null,
  kind?: TimeKind,
])[];

/** The heading of the column that identifies a row of an imported file. */
export const EXTERNAL_ID_LABEL = "External Id";

/** The first column of every file. */
export const ID_COLUMN: FileColumn = { label: "Id", path: ["id"] };
/** The owner of a client or form. An import finds the account by its email. */
export const OWNER_COLUMNS: readonly FileColumn[] = [
  { label: ADVOCATE_NAME, path: ["user", "name"] },
  { label: "Advocate Email", path: ["user", "email"] },
];

/** Returns the columns of a record's fields in the order of its schema, including nested entries. */
export function fieldColumns(
  schema: z.core.$ZodType,
  path: readonly string[] = [],
  within = "",
): FileColumn[] {
  return fieldsOf(schema).flatMap(({ name, facts, schema: field }): FileColumn[] => {
    const at = [...path, name];
    switch (facts.kind) {
      case "id":
      case "removal":
      case "version":
      case "secret":
        return [];
      case "record":
      case "entry":
      case "entries":
        return fieldColumns(field, at, facts.label);
      case "custom":
        return fieldColumns(field, at);
      default: {
        const title = facts.custom?.title ?? within;
        const headed = (label: string) => (title ? `${title}: ${label}` : label);
        const declaredLabel = headed(declaredFacts(field)?.label ?? "");
        return [{ label: headed(facts.label), declaredLabel, path: at, facts }];
      }
    }
  });
}

/** Returns a heading in the form used for comparison: without case and white space. */
export const plainHeading = (heading: string): string => folded(heading).replace(/\s/g, "");

/** Returns the headings, with a number after each duplicate: `City`, `City (2)`. */
export function uniqueHeadings(headings: readonly string[]): string[] {
  const taken = new Set<string>();
  return headings.map((heading) => {
    let name = heading;
    for (let number = 2; taken.has(plainHeading(name)); number++) name = `${heading} (${number})`;
    taken.add(plainHeading(name));
    return name;
  });
}

/** Gives each column a unique label, so that imports can find it. Duplicate labels of custom fields get a number. */
export function withUniqueLabels(columns: readonly FileColumn[]): FileColumn[] {
  const isOwn = ({ facts }: FileColumn) => facts?.custom !== undefined;
  const inOrder = [...columns.filter((column) => !isOwn(column)), ...columns.filter(isOwn)];
  const labels = uniqueHeadings(inOrder.map(({ label }) => label));
  const labelOf = new Map(inOrder.map((column, at) => [column, labels[at]]));
  return columns.map((column) => ({ ...column, label: labelOf.get(column) ?? column.label }));
}

/**
 * Returns the heading of another column that equals the given one; undefined if there is none. Declared labels count too,
 * because earlier files have them.
 */
export const takenHeading = (heading: string, others: readonly FileColumn[]): string | undefined =>
  others
    .flatMap(({ label, declaredLabel = label }) => [label, declaredLabel])
    .find((taken) => plainHeading(taken) === plainHeading(heading));

/**
 * Returns the value at a path; undefined if an entry on the way is missing. A list on the way must have been replaced
 * by one of its rows.
 */
export const valueAt = (record: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), record);

/** Returns `"day"` for a column of days. */
export const timeKindOf = ({ facts }: FileColumn): TimeKind | undefined =>
  facts?.kind === "day" ? "day" : undefined;

/** Returns a record as a row of a file. Days are as in the record. */
export const rowOf = (columns: readonly FileColumn[], record: unknown, names: Names): CsvRow =>
  columns.map(({ path, facts }) => cellOf(valueAt(record, path), facts, names));

function cellOf(value: unknown, facts: FieldFacts | undefined, names: Names): string | number {
  if (typeof value === "number" && facts?.kind !== "lookup" && facts?.kind !== "choice") return value;
  return facts?.kind === "day" ? String(value ?? "") : textOf(value, facts, names, "\n");
}

/**
 * Returns a value as readable text; "" if there is none. Several records are sorted by name and joined by `between`; a
 * removed one is shown as `#id`.
 */
export function textOf(value: unknown, facts: FieldFacts | undefined, names: Names, between: string): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") return yesNo(value);
  switch (facts?.kind) {
    case "day":
      return date(String(value));
    case "choice":
      return facts.choices.find((choice) => choice.value === value)?.label ?? String(value);
    case "choices":
      // A history has words instead of ids.
      return [value]
        .flat()
        .map((id) => facts.choices.find((choice) => choice.value === id)?.label ?? String(id))
        .join(between);
    case "lookup":
    case "lookups":
      return [value]
        .flat()
        .map((id) => names.get(`${facts.list} ${id}`) ?? `#${id}`)
        .sort()
        .join(between);
    default:
      return String(value);
  }
}
