import type { z } from "zod";
import { type FileColumn, valueAt } from "@/lib/core/fields/columns";
import { type FieldFacts, factsOf, fieldsOf, type ListName } from "@/lib/core/fields/facts";
import { folded } from "@/lib/core/fields/folded";
import { parseDate } from "@/lib/core/fields/format";
import { isRecord } from "@/lib/core/fields/plain";
import { blanksOf } from "@/lib/core/fields/shapes";
import type { ImportField } from "@/lib/transfer/imports/schema";

// Finds the columns of a file (lib/core/fields/columns.ts) by their labels, and makes of a row's cells the record that the body
// of a request would hold.

/** The column that identifies a row, such as the Id of a record that was exported elsewhere. */
export const EXTERNAL_ID = "externalId";
export const OWNER_EMAIL = "user.email";
/** Whether the form was reconciled where the file comes from. */
export const RECONCILED = "reconciled";
/** The columns that identify the client of a form. */
export const [CLIENT_ID, CLIENT_NAME] = ["client.id", "client.name"] as const;

export type Column = ImportField & { path: readonly string[]; facts?: FieldFacts; names: string[] };

/** Other usual headings of a field, by its name. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  name: ["Full Name"],
  address: ["Street", "Street Address", "Address 1", "Address Line 1"],
  address2: ["Address Line 2", "Apartment", "Apt", "Unit"],
  city: ["Town"],
  postalCode: ["Zip", "Zip Code", "Postcode"],
  phoneNumber: ["Phone", "Telephone", "Cell", "Cell Phone", "Mobile"],
  dateOfBirth: ["DOB", "Birth Date", "Birthday", "Born"],
  gender: ["Sex"],
  ethnicityId: ["Race"],
  createdOn: ["Date Created", "Client Since"],
  serviceOn: ["Service Date", "Date of Service"],
};

/** The columns that a file of such records can have, as an export writes them. */
export function columnsFor(schema: z.ZodObject, exported: readonly FileColumn[]): Column[] {
  const record = factsOf(schema)?.label ?? "";
  const short = (label: string) => label.slice(label.indexOf(": ") + 1).trim();
  const columns = exported.map(({ label, path, facts }): Column => {
    const alone = exported.filter((other) => short(other.label) === short(label)).length === 1;
    const key = path.join(".");
    // Client Name may be headed "Name", and "Survivor: Gender" just "Gender" where no other column is named so.
    const synonyms = SYNONYMS[path.at(-1) ?? ""] ?? [];
    const names = [
      ...[key, label, label.replace(`${record} `, "")],
      ...(alone ? [short(label), ...synonyms] : []),
    ];
    // What a nested record requires is required only of the rows that have one.
    const required = facts?.required === true && facts.kind !== "flag" && path.length === 1;
    return { key, label, required, path, facts, names };
  });
  const external = { key: EXTERNAL_ID, label: "External Id", required: false, path: [] };
  return [
    { ...external, names: [EXTERNAL_ID, "External Id", "Id"] },
    ...columns.filter(({ key, facts }) => facts || key === OWNER_EMAIL),
  ];
}

/** The columns of a form's client; either of them is enough. */
export const clientOfForm: Column[] = [
  { key: CLIENT_ID, label: "Client Id", required: false, path: [], names: [CLIENT_ID, "Client Id"] },
  {
    key: CLIENT_NAME,
    label: "Client",
    required: false,
    path: [],
    names: [CLIENT_NAME, "Client", "Client Name"],
  },
];

/** Whether records with these columns belong to somebody. */
export const haveOwners = (columns: readonly Pick<Column, "key">[]): boolean =>
  columns.some(({ key }) => key === OWNER_EMAIL);

const plain = (text: string) => folded(text).replace(/[^\p{L}\p{N}]/gu, "");

/** The keys of the columns that each name can mean, in the order of the columns. */
function keysByName(columns: readonly Column[]): ReadonlyMap<string, string[]> {
  const byName = new Map<string, string[]>();
  for (const { key, names } of columns)
    for (const name of new Set(names.map(plain))) byName.set(name, [...(byName.get(name) ?? []), key]);
  return byName;
}

/** The key of the column that each heading names, each column once; "" where there is none. */
export function matchesOf(headings: readonly string[], columns: readonly Column[]): string[] {
  const byName = keysByName(columns);
  const taken = new Set<string>();
  return headings.map((heading) => {
    const found = byName.get(plain(heading))?.find((key) => !taken.has(key)) ?? "";
    taken.add(found);
    return found;
  });
}

/** Why a file with this many headings cannot be imported with these matches; null if it can. */
export function matchesProblem(
  matches: readonly string[],
  headings: number,
  columns: readonly Column[],
): string | null {
  if (matches.length !== headings) return "Matches must name a field, or nothing, for each column";
  const chosen = matches.filter((key) => key !== "");
  const unknown = chosen.find((key) => !columns.some((column) => column.key === key));
  if (unknown !== undefined) return `Matches: ${unknown} is not a field`;
  const twice = columns.find(({ key }) => chosen.filter((other) => other === key).length > 1);
  if (twice) return `${twice.label} is chosen for two columns`;
  const missing = columns.find(({ key, required }) => required && !chosen.includes(key));
  return missing ? `${missing.label} needs a column` : null;
}

/** The ids of the records that fields can refer to, by their folded names. */
export type Names = ReadonlyMap<ListName, ReadonlyMap<string, number>>;

/** The lists that columns refer to. */
export const listsOf = (columns: readonly Column[]): ListName[] => [
  ...new Set(columns.flatMap(({ facts }) => (facts && "list" in facts ? [facts.list] : []))),
];

export const isBlank = (cell: string): boolean => cell.trim() === "";
const isText = ({ kind }: FieldFacts): boolean => kind === "text" || kind === "longText";

const YES = new Set(["YES", "Y", "TRUE", "1", "X"]);
const NO = new Set(["NO", "N", "FALSE", "0"]);

/** Refuses what could be meant otherwise, such as the decimal comma of "12,5". */
const NUMBER = /^-?\$?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?$/;

class CellProblem extends Error {}

/** A problem that begins with the cell's value instead of "must …". */
const notA = (label: string, text: string, kind: string, use: string) =>
  new CellProblem(`${label}: ${text} is not a ${kind}. Use ${use}.`);

/** The value of a cell that is not empty. Throws a `CellProblem`, whose message lacks the label. */
function parseCell(facts: FieldFacts, cell: string, names: Names): unknown {
  if (isText(facts)) return cell;
  const text = cell.trim();
  const idOf = (word: string) =>
    "list" in facts ? names.get(facts.list)?.get(folded(word.trim())) : undefined;
  const found = (word: string): number => {
    const id = idOf(word);
    if (!id) throw new CellProblem("is not in the list");
    return id;
  };
  switch (facts.kind) {
    case "flag":
      if (YES.has(folded(text))) return true;
      if (NO.has(folded(text))) return false;
      throw new CellProblem("must be Yes or No");
    case "minutes":
    case "count":
    case "whole":
    case "money": {
      if (!NUMBER.test(text)) throw new CellProblem("must be a number such as 12 or 1,234.50");
      return Number(text.replace(/[$,]/g, ""));
    }
    case "choice": {
      const choice = facts.choices.find(({ value, label }) =>
        [value, label].some((word) => folded(word) === folded(text)),
      );
      if (!choice && facts.label === "State") throw notA("State", text, "US state", "a code such as PA");
      return choice?.value ?? text;
    }
    case "day":
      if (parseDate(text) === null) throw notA(facts.label, text, "date", "MM/DD/YYYY, such as 03/14/1985");
      return text;
    case "lookup":
      return found(text);
    case "lookups":
      // Exports write one name on each line, and a name may contain a semicolon.
      return text.split("\n").flatMap((line) => (idOf(line) ? [line] : line.split(";")).map(found));
    default:
      return text;
  }
}

export type Values = Record<string, unknown>;

/**
 * The record of a row's cells, with blanks for the fields that they leave out, and a nested record where one of its cells
 * is filled in. `problems` gets a sentence for each cell that cannot be understood.
 */
export function recordOf(
  schema: z.ZodObject,
  cells: readonly (readonly [column: Column, cell: string])[],
  names: Names,
  problems: string[],
): Values {
  const record: Values = { ...blanksOf(schema) };
  // A default of the screens, such as today for a day, would be made up in a file of past records.
  for (const { name, facts } of fieldsOf(schema))
    if (facts.kind === "entry" || ("initial" in facts && facts.initial)) delete record[name];
  const filled = cells.filter(([, cell]) => !isBlank(cell));
  const blank = cells.filter(([, cell]) => isBlank(cell));
  for (const [{ label, path, facts }, cell] of [...filled, ...blank]) {
    if (!facts) continue;
    // A text may consist of white space, but that alone makes no nested record, because spreadsheets are full of it.
    if (isBlank(cell) && !(isText(facts) && isRecord(valueAt(record, path.slice(0, -1))))) continue;
    try {
      put(record, path, parseCell(facts, cell, names));
    } catch (error) {
      if (!(error instanceof CellProblem)) throw error;
      problems.push(error.message.includes(": ") ? error.message : `${label} ${error.message}`);
    }
  }
  return record;
}

/** Puts a value at its path, and creates the nested records on the way. */
function put(record: Values, [name = "", ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    record[name] = value;
    return;
  }
  const inner = isRecord(record[name]) ? record[name] : {};
  record[name] = inner;
  put(inner, rest, value);
}
