import type { z } from "zod/mini";
import { DECLARED_CLIENT_NAME } from "@/lib/clients/words";
import { EXTERNAL_ID_LABEL, type FileColumn, plainHeading, valueAt } from "@/lib/core/fields/columns";
import { type Choice, type FieldFacts, factsOf, fieldsOf, type ListName } from "@/lib/core/fields/facts";
import { foldText } from "@/lib/core/fields/fold-text";
import { folded } from "@/lib/core/fields/folded";
import { masks, parseDate, parseMinutes } from "@/lib/core/fields/format";
import { withoutInvisible } from "@/lib/core/fields/invisible";
import { isRecord } from "@/lib/core/fields/plain";
import { blanksOf } from "@/lib/core/fields/shapes";
import type { ImportField } from "@/lib/transfer/imports/schema";

// Matches the columns of a file to fields by label (lib/core/fields/columns.ts). Converts a row's cells to a record as
// in a request body.

/** The column that identifies a row, such as the Id of a record in another system. */
export const EXTERNAL_ID = "externalId";
export const OWNER_EMAIL = "user.email";
/** True if the form was reconciled in the other system. */
export const RECONCILED = "reconciled";
/** The columns that identify the client of a form or a stay. */
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
  enteredOn: ["Entry Date", "Move-in Date"],
  leftOn: ["Exit Date", "Move-out Date"],
};

/** Returns the columns that a file of such records can have, as an export writes them. */
export function columnsFor(schema: z.ZodMiniObject, exported: readonly FileColumn[]): Column[] {
  const record = factsOf(schema)?.label ?? "";
  const short = (label: string) => label.slice(label.indexOf(": ") + 1).trim();
  const declaredLabel = (column: FileColumn) => column.declaredLabel ?? column.label;
  const columns = exported.map((column): Column => {
    const { label, path, facts } = column;
    const declared = declaredLabel(column);
    const key = path.join(".");
    const isAlone = (label: string) =>
      exported.every(
        (other) =>
          other === column ||
          ![other.label, declaredLabel(other)].some((taken) => short(taken) === short(label)),
      );
    // The heading of Client Name may be "Name", and that of "Survivor: Gender" just "Gender" if no other column is
    // called so.
    const namesOf = (label: string) => [
      ...[label, label.replace(`${record} `, "")],
      ...(isAlone(label) ? [short(label)] : []),
    ];
    const synonyms = SYNONYMS[path.at(-1) ?? ""] ?? [];
    // Required fields of a nested record are required only in rows that have one.
    const required = facts?.required === true && facts.kind !== "flag" && path.length === 1;
    // A file may have the organization's labels or the built-in ones.
    const names = [
      ...[key, ...(label === declared ? [] : namesOf(label)), ...namesOf(declared)],
      ...(isAlone(declared) ? synonyms : []),
    ];
    return { key, label, required, path, facts, names };
  });
  const external = { key: EXTERNAL_ID, label: EXTERNAL_ID_LABEL, required: false, path: [] };
  return [
    // Exports of other records call it Client Id.
    { ...external, names: [EXTERNAL_ID, EXTERNAL_ID_LABEL, "Id", `${record} Id`] },
    ...columns.filter(({ key, facts }) => facts || key === OWNER_EMAIL),
  ];
}

/** The columns that identify the client of a form or a stay; either one is enough. */
export const clientOfRecord: Column[] = [
  { key: CLIENT_ID, label: "Client Id", required: false, path: [], names: [CLIENT_ID, "Client Id"] },
  {
    key: CLIENT_NAME,
    label: "Client",
    required: false,
    path: [],
    names: [CLIENT_NAME, "Client", DECLARED_CLIENT_NAME],
  },
];

/** True if records with these columns have an owner. */
export const haveOwners = (columns: readonly Pick<Column, "key">[]): boolean =>
  columns.some(({ key }) => key === OWNER_EMAIL);

const plain = (text: string) => folded(text).replace(/[^\p{L}\p{N}]/gu, "");

/** Returns the keys of the columns that each name can mean, in the order of the columns. */
function keysByName(columns: readonly Column[]): ReadonlyMap<string, string[]> {
  const byName = new Map<string, string[]>();
  // A label without letters or digits would match an empty heading.
  for (const { key, names } of columns)
    for (const name of new Set(names.map(plain).filter(Boolean)))
      byName.set(name, [...(byName.get(name) ?? []), key]);
  return byName;
}

/**
 * Returns the key of the column for each heading, each column once; "" if there is none. A heading that equals a label
 * always means that column: the heading of a custom field Phone never means the column Phone Number.
 */
export function matchesOf(headings: readonly string[], columns: readonly Column[]): string[] {
  const byLabel = new Map(columns.map(({ key, label }) => [plainHeading(label), key]));
  const byName = keysByName(columns);
  const usedKeys = new Set<string>();
  const use = (keys: readonly (string | undefined)[] = []) => {
    const key = keys.find((key) => key !== undefined && !usedKeys.has(key)) ?? "";
    usedKeys.add(key);
    return key;
  };
  const labeled = headings.map((heading) => use([byLabel.get(plainHeading(heading))]));
  return headings.map((heading, at) => labeled[at] || use(byName.get(plain(heading))));
}

/** Returns the reason why a file with this many headings cannot be imported with these matches, or null. */
export function matchesProblem(
  matches: readonly string[],
  headings: number,
  columns: readonly Column[],
): string | null {
  if (matches.length !== headings) return "Matches must name a field, or nothing, for each column";
  const chosenKeys = matches.filter((key) => key !== "");
  const unknown = chosenKeys.find((key) => !columns.some((column) => column.key === key));
  if (unknown !== undefined) return `Matches: ${unknown} is not a field`;
  const twice = columns.find(({ key }) => chosenKeys.filter((other) => other === key).length > 1);
  if (twice) return `${twice.label} is chosen for two columns`;
  const missing = columns.find(({ key, required }) => required && !chosenKeys.includes(key));
  return missing ? `${missing.label} needs a column` : null;
}

/** Returns the value with a text, or undefined. */
export type Finder<Value> = (text: string) => Value | undefined;

/**
 * Returns a function that finds values by their texts: the first with the same text except for case, otherwise the only
 * one whose text is folded to the same (`foldText`), such as with another kind of dash. A text of which folding leaves
 * nothing is only itself.
 */
export function finderOf<Value>(entries: readonly (readonly [text: string, value: Value])[]): Finder<Value> {
  const exactKey = (text: string) => folded(text) || text;
  const alikeKey = (text: string) => foldText(text) || text;
  const exact = new Map<string, Value>();
  const alike = new Map<string, Set<Value>>();
  for (const [text, value] of entries) {
    if (!exact.has(exactKey(text))) exact.set(exactKey(text), value);
    const key = alikeKey(text);
    alike.set(key, (alike.get(key) ?? new Set()).add(value));
  }
  return (text) => {
    const word = text.trim();
    if (exact.has(exactKey(word))) return exact.get(exactKey(word));
    const [only, ...others] = alike.get(alikeKey(word)) ?? [];
    return others.length === 0 ? only : undefined;
  };
}

const choiceFinders = new WeakMap<readonly Choice[], Finder<Choice>>();

/** Finds a choice by its label. */
function choiceWith(label: string, choices: readonly Choice[]): Choice | undefined {
  const finder =
    choiceFinders.get(choices) ?? finderOf(choices.map((choice) => [choice.label, choice] as const));
  choiceFinders.set(choices, finder);
  return finder(label);
}

/** The records that fields can refer to, by list: functions that find the id by name. */
export type Names = ReadonlyMap<ListName, Finder<number>>;

/** Returns the lists that columns refer to. */
export const listsOf = (columns: readonly Column[]): ListName[] => [
  ...new Set(columns.flatMap(({ facts }) => (facts && "list" in facts ? [facts.list] : []))),
];

export const isBlank = (cell: string): boolean => cell.trim() === "";
const isText = ({ kind }: FieldFacts): boolean => kind === "text" || kind === "longText";

const YES = new Set(["YES", "Y", "TRUE", "1", "X"]);
const NO = new Set(["NO", "N", "FALSE", "0"]);

/** Rejects ambiguous numbers, such as "12,5" with a decimal comma. */
const NUMBER = /^-?\$?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?$/;

/** A time that programs add to a day: midnight. A run of blanks is tried once, not from each of them. */
const MIDNIGHT =
  /(?<![T ])[T ]+(?:0{1,2}:00(?::00(?:\.0+)?)?(?: ?AM)?|12:00(?::00(?:\.0+)?)? ?AM)(?:Z|[+-]00:?00)?$/i;

/** The most characters of a cell in a message. */
const VALUE_MAX = 60;
const shortened = (text: string) => (text.length > VALUE_MAX ? `${text.slice(0, VALUE_MAX)}…` : text);

class CellProblem extends Error {}

/** Returns a problem that begins with the cell's value instead of "must …". */
const notA = (label: string, text: string, kind: string, use: string) =>
  new CellProblem(`${label}: ${shortened(text)} is not a ${kind}. Use ${use}.`);

/** Returns the values of a cell with several, one per line or separated by semicolons. Blank ones do not count. */
function parseSeveral<Value>(cell: string, find: Finder<Value>, problem: string): Value[] {
  const require = (word: string): Value => {
    const value = find(word);
    if (value === undefined) throw new CellProblem(problem, { cause: word });
    return value;
  };
  // Exports write one name per line, and a name may contain a semicolon.
  const words = cell
    .split(/[\r\n]+/)
    .flatMap((line) => (find(line) === undefined ? line.split(";") : [line]));
  return words.filter((word) => !isBlank(word)).map(require);
}

/**
 * Returns the value of a cell that is not empty. Throws a `CellProblem`, whose message lacks the label. Its cause is the
 * refused part of the cell, if it is not the whole cell.
 */
function parseCell(facts: FieldFacts, cell: string, names: Names): unknown {
  if (isText(facts)) return cell;
  const text = cell.trim();
  switch (facts.kind) {
    case "flag":
      if (YES.has(folded(text))) return true;
      if (NO.has(folded(text))) return false;
      throw new CellProblem("must be Yes or No");
    case "minutes": {
      const minutes = parseMinutes(text);
      if (Number.isNaN(minutes)) throw new CellProblem("must be minutes such as 75 or 1:15");
      return minutes;
    }
    case "count":
    case "whole":
    case "money": {
      if (!NUMBER.test(text)) throw new CellProblem("must be a number such as 12 or 1,234.50");
      return Number(text.replace(/[$,]/g, ""));
    }
    case "choice": {
      // A file never has the id of a custom field's choice, but the label of one may be the id of another.
      const choice =
        choiceWith(text, facts.choices) ??
        facts.choices.find(({ value }) => !facts.own && folded(String(value)) === folded(text));
      if (!choice && facts.own) throw new CellProblem("must be chosen from the list");
      if (!choice && facts.label === "State") throw notA("State", text, "US state", "a code such as PA");
      return choice?.value ?? text;
    }
    case "day": {
      const day = text.replace(MIDNIGHT, "");
      if (parseDate(day) === null) throw notA(facts.label, text, "date", "MM/DD/YYYY, such as 03/14/1985");
      return day;
    }
    case "lookup": {
      const id = names.get(facts.list)?.(text);
      if (id === undefined) throw new CellProblem("is not in the list");
      return id;
    }
    case "choices":
      return parseSeveral(
        text,
        (word) => choiceWith(word, facts.choices)?.value,
        "must be chosen from the list",
      );
    case "lookups":
      return parseSeveral(text, names.get(facts.list) ?? (() => undefined), "is not in the list");
    default:
      return text;
  }
}

/** Returns the text of a cell that is the same in every format of its value, to recognize a row that was imported before. */
export function plainCell(facts: FieldFacts | undefined, text: string): string {
  switch (facts?.kind) {
    case "day":
      return parseDate(text.replace(MIDNIGHT, "")) ?? text;
    case "flag":
      return YES.has(folded(text)) ? "Yes" : NO.has(folded(text)) ? "No" : text;
    case "minutes": {
      const minutes = parseMinutes(text);
      return Number.isNaN(minutes) ? text : String(minutes ?? text);
    }
    case "count":
    case "whole":
    case "money":
      return NUMBER.test(text) ? String(Number(text.replace(/[$,]/g, ""))) : text;
    case "text":
      return facts.mask ? masks[facts.mask](withoutInvisible(text)) : withoutInvisible(text);
    default:
      return withoutInvisible(text);
  }
}

/** Returns the sentence with the refused value, or as it is if it names the value or there is none. */
export function naming(problem: string, value = ""): string {
  const text = value.trim();
  const isNamed = text.length > 2 && problem.includes(text);
  if (text === "" || isNamed) return problem;
  return `${problem}: “${shortened(text)}”`;
}

export type Values = Record<string, unknown>;

/**
 * Returns the record of a row's cells, with blanks for missing fields. It has a nested record if one of its cells is
 * filled in. Adds a sentence to `problems` for each cell that cannot be parsed.
 */
export function recordOf(
  schema: z.ZodMiniObject,
  cells: readonly (readonly [column: Column, cell: string])[],
  names: Names,
  problems: string[],
): Values {
  const record: Values = { ...blanksOf(schema) };
  // A screen's default, such as today for a day, would be invented data in a file of past records.
  for (const { name, facts } of fieldsOf(schema))
    if (facts.kind === "entry" || facts.kind === "own" || ("initial" in facts && facts.initial))
      delete record[name];
  const filled = cells.filter(([, cell]) => !isBlank(cell));
  const blank = cells.filter(([, cell]) => isBlank(cell));
  for (const [{ label, path, facts }, cell] of [...filled, ...blank]) {
    if (!facts) continue;
    // A text may consist of white space, but white space alone creates no nested record, because spreadsheets are full
    // of it.
    if (isBlank(cell) && !(isText(facts) && isRecord(valueAt(record, path.slice(0, -1))))) continue;
    try {
      setAt(record, path, parseCell(facts, cell, names));
    } catch (error) {
      if (!(error instanceof CellProblem)) throw error;
      const refused = typeof error.cause === "string" ? error.cause : cell;
      problems.push(
        error.message.includes(": ") ? error.message : naming(`${label} ${error.message}`, refused),
      );
    }
  }
  return record;
}

/** Sets a value at its path and creates the nested records on the way. */
function setAt(record: Values, [name = "", ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    record[name] = value;
    return;
  }
  const inner = isRecord(record[name]) ? record[name] : {};
  record[name] = inner;
  setAt(inner, rest, value);
}
