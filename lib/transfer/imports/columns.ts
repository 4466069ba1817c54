import * as z from "zod/mini";
import { DECLARED_CLIENT_NAME } from "@/lib/clients/words";
import { EXTERNAL_ID_LABEL, type FileColumn, plainHeading, valueAt } from "@/lib/core/fields/columns";
import { type FieldFacts, factsOf, fieldsOf, type ListName, rowSchemas } from "@/lib/core/fields/facts";
import { blanksOf } from "@/lib/core/fields/shapes";
import { ROWS_MAX } from "@/lib/core/fields/vocabulary";
import { isRecord } from "@/lib/core/objects";
import { masks, parseDate, parseMinutes } from "@/lib/core/text/format";
import { withoutInvisible } from "@/lib/core/text/invisible";
import { withoutMidnight } from "@/lib/transfer/imports/days";
import {
  headingForms,
  ID_SYNONYMS,
  isNegated,
  isSafeHeading,
  partsOfName,
  plainName,
  SYNONYMS,
  saysSafeToCall,
} from "@/lib/transfer/imports/headings";
import {
  ADD,
  BLANK,
  type Finder,
  type Reads,
  type ValueColumn,
  type ValueOption,
  YES_NO,
} from "@/lib/transfer/imports/readings";
import { type ImportField, VALUE_MAX } from "@/lib/transfer/imports/schema";
import type { NamePart } from "@/lib/transfer/imports/texts";

// Matches the columns of a file to fields by label (lib/core/fields/columns.ts). Converts a row's cells to a record as
// in a request body.

/** The column that identifies a row, such as the Id of a record in another system. */
export const EXTERNAL_ID = "externalId";
export const OWNER_EMAIL = "user.email";
/** True if the form was reconciled in the other system. */
export const RECONCILED = "reconciled";
/** The columns that identify the client of a form or a stay. */
export const [CLIENT_ID, CLIENT_NAME] = ["client.id", "client.name"] as const;

export type Column = Pick<ImportField, "key" | "label" | "required"> & {
  path: readonly string[];
  facts?: FieldFacts;
  names: string[];
  /** How its values are read; undefined for texts, numbers, and Ids. */
  reads?: Reads | undefined;
  /** A text that is corrected in a known way. Several columns may be lines of one address. */
  corrects?: "address" | "zip" | undefined;
  /** The column is a part of the name in another column. */
  part?: { of: string; name: NamePart };
};

const RACE = /\b(?:race|racial|ethnic)/i;

/** Returns how the values of a field are read, by its facts and its name. */
function readsOf(facts: FieldFacts, name: string): Reads | undefined {
  switch (facts.kind) {
    case "flag":
      return name === "safeToCall" ? "safeToCall" : "flag";
    case "day":
      return "day";
    case "choice":
      if (name === "state") return "state";
      if (name === "gender") return "gender";
      break;
    case "choices":
      break;
    case "lookup":
    case "lookups":
      if (facts.list === "ethnicities") return "equal";
      break;
    default:
      return undefined;
  }
  return RACE.test(facts.label) ? "equal" : "list";
}

const CORRECTED: Readonly<Record<string, Column["corrects"]>> = {
  address: "address",
  address2: "address",
  postalCode: "zip",
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
    const name = path.at(-1) ?? "";
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
    const isNameOfOther = name === "name" && declared !== DECLARED_CLIENT_NAME;
    const isFirstOfBrackets = name === "ageBracketId" && path[0] === "clientBiographicalEntry";
    const hasSynonyms = !isNameOfOther && (isAlone(declared) || isFirstOfBrackets);
    // Required fields of a nested record are required only in rows that have one.
    const required = facts?.required === true && facts.kind !== "flag" && path.length === 1;
    // A file may have the organization's labels or the built-in ones.
    const names = [
      ...[key, ...(label === declared ? [] : namesOf(label)), ...namesOf(declared)],
      ...(hasSynonyms ? (SYNONYMS[name] ?? []) : []),
    ];
    const isText = facts?.kind === "text" && !facts.custom;
    return {
      key,
      label,
      required,
      path,
      facts,
      names,
      reads: facts && readsOf(facts, name),
      corrects: isText ? CORRECTED[name] : undefined,
    };
  });
  const external = { key: EXTERNAL_ID, label: EXTERNAL_ID_LABEL, required: false, path: [] };
  return [
    // Exports of other records call it Client Id.
    {
      ...external,
      names: [
        EXTERNAL_ID,
        EXTERNAL_ID_LABEL,
        `${record} Id`,
        ...(record === "Client" ? ID_SYNONYMS : ["Id"]),
      ],
    },
    ...columns.filter(({ key, facts }) => facts || key === OWNER_EMAIL),
  ];
}

/** Returns the columns for the parts of the name in the column `of`. */
export const namePartColumns = (of: string): Column[] =>
  partsOfName.map(({ name, headings }) => ({
    key: `${of}.${name}`,
    label: headings[0],
    required: false,
    path: [],
    names: [...headings],
    part: { of, name },
  }));

/** The columns that identify the client of a form or a stay; either one is enough. */
export const clientOfRecord: Column[] = [
  {
    key: CLIENT_ID,
    label: "Client Id",
    required: false,
    path: [],
    names: [CLIENT_ID, "Client Id", "Client Number", "Client No"],
  },
  {
    key: CLIENT_NAME,
    label: "Client",
    required: false,
    path: [],
    names: [CLIENT_NAME, "Client", DECLARED_CLIENT_NAME, ...(SYNONYMS.name ?? [])],
  },
  ...namePartColumns(CLIENT_NAME),
];

/** True if records with these columns have an owner. */
export const haveOwners = (columns: readonly Pick<Column, "key">[]): boolean =>
  columns.some(({ key }) => key === OWNER_EMAIL);

/** Returns the keys of the columns that each name can mean, in the order of the columns. */
function keysByName(columns: readonly Column[]): ReadonlyMap<string, string[]> {
  const byName = new Map<string, string[]>();
  // A label without letters or digits would match an empty heading.
  for (const { key, names } of columns)
    for (const name of new Set(names.map(plainName).filter(Boolean)))
      byName.set(name, [...(byName.get(name) ?? []), key]);
  return byName;
}

/** True if several columns of a file can be this one: the lines of an address. */
export const takesSeveral = ({ corrects }: Pick<Column | ImportField, "corrects">): boolean =>
  corrects === "address";

/** True if the heading may mean the opposite of the column, so that its yes would be a no. */
const isOpposite = (heading: string, { reads, label }: Pick<Column, "reads" | "label">): boolean =>
  reads === "safeToCall" && isNegated(heading) && plainHeading(heading) !== plainHeading(label);

/**
 * Returns the key of the column for each heading, each column once; "" if there is none. A heading that equals a label
 * always means that column: the heading of a custom field Phone never means the column Phone Number.
 */
export function matchesOf(headings: readonly string[], columns: readonly Column[]): string[] {
  const byLabel = new Map(columns.map(({ key, label }) => [plainHeading(label), key]));
  const byKey = new Map(columns.map((column) => [column.key, column]));
  const byName = keysByName(columns);
  const safeKey = columns.find(({ reads }) => reads === "safeToCall")?.key;
  const usedKeys = new Set<string>();
  const use = (heading: string, keys: readonly (string | undefined)[]) => {
    const key = keys.find((key) => {
      const column = byKey.get(key ?? "");
      return column && !isOpposite(heading, column) && (!usedKeys.has(column.key) || takesSeveral(column));
    });
    if (key) usedKeys.add(key);
    return key ?? "";
  };
  const matches = headings.map((heading) => {
    const key = byLabel.get(plainHeading(heading));
    // An address in two columns has lines; two columns called alike are not.
    return key && !usedKeys.has(key) ? use(heading, [key]) : "";
  });
  for (const [at, heading] of headings.entries()) {
    if (matches[at]) continue;
    const named = headingForms(heading).flatMap((form) => byName.get(form) ?? []);
    matches[at] = use(heading, saysSafeToCall(heading) ? [safeKey, ...named] : named);
  }
  return withOneName(matches, headings, columns);
}

/** Leaves out either the whole name or its parts, if a file has both. */
function withOneName(matches: string[], headings: readonly string[], columns: readonly Column[]): string[] {
  let kept = matches;
  for (const of of new Set(columns.flatMap(({ part }) => part?.of ?? []))) {
    const parts = columns.filter(({ part }) => part?.of === of);
    const label = columns.find(({ key }) => key === of)?.label ?? "";
    const at = kept.indexOf(of);
    const has = (name: NamePart) => parts.some(({ key, part }) => part?.name === name && kept.includes(key));
    if (at < 0) continue;
    const isOwnHeading = plainHeading(headings[at] ?? "") === plainHeading(label);
    const isWhole = isOwnHeading || !(has("first") && has("last"));
    kept = kept.map((key) => ((isWhole ? parts.some((part) => part.key === key) : key === of) ? "" : key));
  }
  return kept;
}

/** Returns the reason why a file with these headings cannot be imported with these matches, or null. */
export function matchesProblem(
  matches: readonly string[],
  headings: readonly string[],
  columns: readonly Column[],
): string | null {
  if (matches.length !== headings.length) return "Matches must name a field, or nothing, for each column";
  const chosenKeys = matches.filter((key) => key !== "");
  const unknown = chosenKeys.find((key) => !columns.some((column) => column.key === key));
  if (unknown !== undefined) return `Matches: ${unknown} is not a field`;
  const twice = columns.find(
    (column) => !takesSeveral(column) && chosenKeys.filter((other) => other === column.key).length > 1,
  );
  if (twice) return `${twice.label} is chosen for two columns`;
  const parted = columns.find(
    ({ key, part }) => part && chosenKeys.includes(key) && chosenKeys.includes(part.of),
  );
  if (parted)
    return `Choose either one column with the whole name, or its parts: ${parted.label} is chosen too`;
  const opposite = headings.find((heading, at) =>
    columns.some((column) => column.key === matches[at] && isOpposite(heading, column)),
  );
  if (opposite !== undefined)
    return `“${opposite}” cannot be Safe to Call: a yes below this heading may mean the opposite. Leave the column out, or change its heading and values in the file`;
  const isChosen = (key: string) =>
    chosenKeys.some(
      (chosen) =>
        chosen === key || columns.some((column) => column.key === chosen && column.part?.of === key),
    );
  const missing = columns.find(({ key, required }) => required && !isChosen(key));
  return missing ? `${missing.label} needs a column` : null;
}

/** Returns the choices of a column's values; those of a list come from `lists`. Ids are no values of a file. */
export function valueColumnOf(
  column: Column,
  heading: string,
  lists: ReadonlyMap<ListName, readonly ValueOption[]>,
): ValueColumn | undefined {
  const { reads, facts, label } = column;
  if (!reads || !facts) return undefined;
  const isSaidSafe = isSafeHeading(heading, label);
  if (facts.kind === "choice" || facts.kind === "choices") {
    const options = facts.choices.map(({ value, label }) => ({ value: String(value), label }));
    // A file never has the id of a custom field's choice, but the label of one may be the id of another.
    return { reads, options, hasCodes: !facts.custom };
  }
  if (facts.kind === "lookup" || facts.kind === "lookups")
    return { reads, options: lists.get(facts.list) ?? [] };
  return { reads, options: facts.kind === "flag" ? YES_NO : [], isSaidSafe };
}

/** Returns the lists that columns refer to. */
export const listsOf = (columns: readonly Column[]): ListName[] => [
  ...new Set(columns.flatMap(({ facts }) => (facts && "list" in facts ? [facts.list] : []))),
];

export const isBlank = (cell: string): boolean => cell.trim() === "";
const isText = ({ kind }: FieldFacts): boolean => kind === "text" || kind === "longText";

/** Rejects ambiguous numbers, such as "12,5" with a decimal comma. */
const NUMBER = /^-?\$?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?$/;

/** The most characters of a cell in a message. */
const SHOWN_MAX = 60;
/** Returns a value as messages contain it. */
export const shortened = (text: string) => (text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text);

class CellProblem extends Error {}

/** Returns a problem that begins with the cell's value instead of "must …". */
const notA = (label: string, text: string, kind: string, use: string) =>
  new CellProblem(`${label}: ${shortened(text)} is not a ${kind}. Use ${use}.`);

/** A word of a cell with several that is left blank. */
const NONE = Symbol("none");

/** Returns the parts of a cell with several values, one per line or separated by semicolons. Blank ones do not count. */
export const wordsOf = (cell: string, isKnown: (word: string) => boolean): string[] =>
  // Exports write one name per line, and a name may contain a semicolon.
  cell
    .split(/[\r\n]+/)
    .flatMap((line) => (isKnown(line) ? [line] : line.split(";")))
    .filter((word) => !isBlank(word));

/** Throws for more parts than a record can have: a cell of a megabyte has half a million, and a file many such cells. */
function assertCount(parts: readonly string[]): void {
  if (parts.length > ROWS_MAX) throw new CellProblem(`must have at most ${ROWS_MAX} entries`);
}

function parseSeveral(cell: string, find: Finder<unknown>, problem: string): unknown[] {
  // Each line is at least one part.
  assertCount(cell.split(/[\r\n]+/).filter((line) => !isBlank(line)));
  const words = wordsOf(cell, (word) => find(word) !== undefined);
  assertCount(words);
  const values = words.map((word) => {
    const value = find(word);
    if (value === undefined) throw new CellProblem(problem, { cause: word });
    return value;
  });
  return values.filter((value) => value !== NONE);
}

/** One row in a cell: the name, and the numbers after the last colon. */
const ROW = /^(.*\S)\s*:\s*(\d+(?:\s*\/\s*\d+)*)$/;

/** Returns the rows in a cell, one per line, each with the name in place of the id (`findRowNames`). */
function parseRows({ table }: Extract<FieldFacts, { kind: "entries" }>, cell: string): Values[] {
  const fields = fieldsOf(rowSchemas.get(table) ?? z.object({})).filter(({ facts }) => facts.entered);
  const [named, ...others] = fields;
  const lines = cell.split(/[\r\n]+/).filter((line) => !isBlank(line));
  assertCount(lines);
  return lines.map((line): Values => {
    const [, name = "", amounts = ""] = ROW.exec(line.trim()) ?? [];
    const numbers = amounts.split("/").map(Number);
    if (!named || amounts === "" || numbers.length !== others.length)
      throw new CellProblem(`must be like “name: ${others.map(() => "30").join(" / ")}” on each line`, {
        cause: line,
      });
    return {
      [named.name]: name,
      ...Object.fromEntries(others.map((field, at) => [field.name, numbers[at]])),
    };
  });
}

/** Returns a text or a number. Throws a `CellProblem`, whose message lacks the label. */
function parseCell(facts: FieldFacts, cell: string): unknown {
  if (isText(facts)) return cell;
  if (facts.kind === "entries") return parseRows(facts, cell);
  const text = cell.trim();
  const isTooLong = text.length > VALUE_MAX;
  switch (facts.kind) {
    case "minutes": {
      const minutes = isTooLong ? Number.NaN : parseMinutes(text);
      if (Number.isNaN(minutes)) throw new CellProblem("must be minutes such as 75 or 1:15");
      return minutes;
    }
    case "count":
    case "whole":
    case "money": {
      if (isTooLong || !NUMBER.test(text)) throw new CellProblem("must be a number such as 12 or 1,234.50");
      return Number(text.replace(/[$,]/g, ""));
    }
    default:
      return text;
  }
}

/** Returns the problem of a value that cannot be read; undefined if the field's own rule says it better. */
function unreadProblem(facts: FieldFacts, text: string): CellProblem | undefined {
  switch (facts.kind) {
    case "flag":
      return new CellProblem("must be Yes or No");
    case "day":
      return notA(facts.label, text, "date", "MM/DD/YYYY, such as 03/14/1985");
    case "choice":
      if (facts.label === "State") return notA("State", text, "US state", "a code such as PA");
      return facts.custom ? new CellProblem("must be chosen from the list") : undefined;
    case "choices":
      return new CellProblem("must be chosen from the list");
    default:
      return new CellProblem("is not in the list");
  }
}

/** The columns of a file with the functions that read their values, by key. */
export type Readers = ReadonlyMap<string, Finder<string>>;

/**
 * Returns the value of a cell that is not empty, or undefined if it is left blank. Throws a `CellProblem`. Its cause is
 * the refused part of the cell, if it is not the whole cell.
 */
function readCell(facts: FieldFacts, cell: string, read: Finder<string> | undefined): unknown {
  if (!read) return parseCell(facts, cell);
  const valueIn = (text: string): unknown => {
    const reading = read(text);
    if (reading === undefined || reading === ADD) return undefined;
    if (reading === BLANK) return NONE;
    switch (facts.kind) {
      case "flag":
        return reading === "true";
      case "choice":
      case "choices":
        return facts.choices.find(({ value }) => String(value) === reading)?.value;
      case "lookup":
      case "lookups":
        return Number(reading);
      default:
        return reading;
    }
  };
  if (facts.kind === "choices" || facts.kind === "lookups")
    return parseSeveral(cell, valueIn, unreadProblem(facts, cell)?.message ?? "");
  const text = cell.trim();
  const value = valueIn(text);
  if (value === NONE) return undefined;
  if (value !== undefined) return value;
  const problem = unreadProblem(facts, text);
  if (problem) throw problem;
  return text;
}

/** The kinds of fields whose values have several formats, all of them short. */
const FORMATTED: ReadonlySet<FieldFacts["kind"]> = new Set([
  "day",
  "flag",
  "minutes",
  "count",
  "whole",
  "money",
]);

/** Returns the text of a cell that is the same in every format of its value, to recognize a row that was imported before. */
export function plainCell(facts: FieldFacts | undefined, text: string, read?: Finder<string>): string {
  if (facts && FORMATTED.has(facts.kind) && text.length > VALUE_MAX) return text;
  switch (facts?.kind) {
    case "day":
      return read?.(text) || parseDate(withoutMidnight(text)) || text;
    case "flag": {
      const reading = read?.(text);
      return reading === "true" ? "Yes" : reading === "false" ? "No" : text;
    }
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
 * filled in. Adds a sentence to `problems` for each cell that cannot be read, unless `mayBeBlank` is true for it.
 */
export function recordOf(
  schema: z.ZodMiniObject,
  cells: readonly (readonly [column: Column, cell: string])[],
  readers: Readers,
  problems: string[],
  mayBeBlank: (column: Column, cell: string) => boolean,
): Values {
  const record: Values = { ...blanksOf(schema) };
  // A screen's default, such as today for a day, would be invented data in a file of past records.
  for (const { name, facts } of fieldsOf(schema))
    if (facts.kind === "entry" || facts.kind === "custom" || ("initial" in facts && facts.initial))
      delete record[name];
  const filled = cells.filter(([, cell]) => !isBlank(cell));
  const blank = cells.filter(([, cell]) => isBlank(cell));
  for (const [column, cell] of [...filled, ...blank]) {
    const { key, label, path, facts } = column;
    if (!facts) continue;
    // A text may consist of white space, but white space alone creates no nested record, because spreadsheets are full
    // of it.
    if (isBlank(cell) && !(isText(facts) && isRecord(valueAt(record, path.slice(0, -1))))) continue;
    try {
      const value = readCell(facts, cell, readers.get(key));
      if (value !== undefined) setAt(record, path, value);
    } catch (error) {
      if (!(error instanceof CellProblem)) throw error;
      if (mayBeBlank(column, cell)) continue;
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
