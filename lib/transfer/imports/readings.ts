import { foldText } from "@/lib/core/text/fold-text";
import { folded } from "@/lib/core/text/folded";
import { parseDate } from "@/lib/core/text/format";
import { type DayRules, readDay } from "@/lib/transfer/imports/days";
import { VALUE_MAX } from "@/lib/transfer/imports/schema";
import { saySameNothing, saysNothing } from "@/lib/transfer/imports/texts";

// Reads the values of lists, choices, boxes, and days in a file. The screen shows each distinct value with its reading,
// and the import reads the rows with the same function. A value is read only if one reading is possible.

/** How the values of a field are read. */
export type Reads =
  /** The only field whose mistake can put a person in danger: nothing but the words yes and no is read. */
  | "safeToCall"
  | "flag"
  | "day"
  /** A list or choice, by equal names, abbreviations, and equal ranges. */
  | "list"
  | "gender"
  | "state"
  /** Race and ethnicity: by equal names only. */
  | "equal";

export type ValueOption = { value: string; label: string };

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

/** A reading that leaves the field blank. */
export const BLANK = "";
/** A decision to add the value to the list. */
export const ADD = "+";

export const YES_NO: readonly ValueOption[] = [
  { value: "true", label: "Yes" },
  { value: "false", label: "No" },
];

const CERTAIN = { true: ["yes", "y", "true"], false: ["no", "n", "false"] };
const USUAL = { true: ["t", "1", "x", "✓", "✔", "☑", "☒", "🗹"], false: ["f", "0", "☐"] };

const words = ({ true: yes, false: no }: typeof CERTAIN) =>
  new Map([...yes.map((word) => [word, "true"] as const), ...no.map((word) => [word, "false"] as const)]);
const CERTAIN_WORDS = words(CERTAIN);
const USUAL_WORDS = words(USUAL);

/** Abbreviations of genders in case forms, by the label of the choice. */
const GENDER_WORDS: Readonly<Record<string, string>> = {
  f: "female",
  fem: "female",
  woman: "female",
  girl: "female",
  m: "male",
  man: "male",
  boy: "male",
  trans: "transgender",
  tg: "transgender",
  u: "unknown",
};

const STATE_NAMES =
  "AK Alaska|AL Alabama|AR Arkansas|AZ Arizona|CA California|CO Colorado|CT Connecticut|DE Delaware|FL Florida|GA Georgia|HI Hawaii|IA Iowa|ID Idaho|IL Illinois|IN Indiana|KS Kansas|KY Kentucky|LA Louisiana|MA Massachusetts|MD Maryland|ME Maine|MI Michigan|MN Minnesota|MO Missouri|MS Mississippi|MT Montana|NC North Carolina|ND North Dakota|NE Nebraska|NH New Hampshire|NJ New Jersey|NM New Mexico|NV Nevada|NY New York|OH Ohio|OK Oklahoma|OR Oregon|PA Pennsylvania|RI Rhode Island|SC South Carolina|SD South Dakota|TN Tennessee|TX Texas|UT Utah|VA Virginia|VT Vermont|WA Washington|WI Wisconsin|WV West Virginia|WY Wyoming";
const OLD_ABBREVIATIONS =
  "AL Ala|AZ Ariz|AR Ark|CA Calif|CO Colo|CT Conn|DE Del|FL Fla|IL Ill|IN Ind|KS Kan|KS Kans|MA Mass|MI Mich|MN Minn|MS Miss|MT Mont|NE Neb|NE Nebr|NV Nev|NM N Mex|ND N Dak|OK Okla|OR Ore|OR Oreg|PA Penn|PA Penna|SD S Dak|TN Tenn|TX Tex|WA Wash|WV W Va|WI Wis|WI Wisc|WY Wyo";
const letters = (text: string) => foldText(text).replace(/[^\p{L}]/gu, "");
const STATES_BY_NAME = new Map(
  `${STATE_NAMES}|${OLD_ABBREVIATIONS}`
    .split("|")
    .map((entry) => [letters(entry.slice(3)), entry.slice(0, 2)]),
);

/** Returns the numbers of a range, such as `18-24`, `60+`, or `<18`, in one form; null for another text. */
export function rangeIn(text: string): string | null {
  const plain = foldText(text)
    .replace(/(?<=\d),(?=\d{3})/g, "")
    .replace(/\$|\b(?:years?|yrs?|old|ages?|aged)\b/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  const [, from, to] = /^(\d+) ?(?:-|to|through) ?(\d+)$/.exec(plain) ?? [];
  if (from) return `${Number(from)}-${Number(to)}`;
  const [, least] = /^(\d+) ?(?:\+|plus|(?:and|or|&) ?(?:older|over|above|up|more))$/.exec(plain) ?? [];
  if (least) return `${Number(least)}+`;
  const [, below] = /^(?:<|under|below|less than) ?(\d+)$/.exec(plain) ?? [];
  return below ? `<${Number(below)}` : null;
}

/** The fewest letters of a word that abbreviates a longer one. */
const ABBREVIATION_MIN = 3;

/** Returns the only option whose label is one word that the text begins, such as `Fem.` for Female. */
function abbreviated(text: string, options: readonly ValueOption[]): string | undefined {
  const word = foldText(text).replace(/\.$/, "");
  if (!/^\p{L}+$/u.test(word) || word.length < ABBREVIATION_MIN) return undefined;
  const meant = options.filter(
    ({ label }) => /^\p{L}+$/u.test(foldText(label)) && foldText(label).startsWith(word),
  );
  return meant.length === 1 ? meant[0]?.value : undefined;
}

/** Facts that decide how the values of a column are read. */
export type ValueColumn = {
  reads: Reads;
  /** The choices; for a list, all its records. */
  options: readonly ValueOption[];
  /** True if a file may have the stored values too, such as `PF`. */
  hasCodes?: boolean;
  /** True if the heading says that the column is about being safe to call. */
  isSaidSafe?: boolean;
};

/** The importer's decisions for one column. */
export type Decisions = DayRules & {
  /** Readings by text: the value of an option, a day as `YYYY-MM-DD`, `BLANK`, or `ADD`. */
  values?: readonly { text: string; becomes: string }[] | undefined;
};

/** Returns the form under which equal texts of a column count as one value. */
export const valueKey = (text: string): string => folded(text.trim()) || text.trim();

/**
 * Returns a function that reads the values of a column: the value of an option, a day as `YYYY-MM-DD`, `BLANK`, or `ADD`;
 * undefined for a value that the importer has to decide, and at once for one longer than any value can be.
 */
export function valueReader(column: ValueColumn, decisions: Decisions, today: string): Finder<string> {
  const { reads, options, hasCodes = false } = column;
  const isPossible = (reading: string) =>
    [BLANK, ADD].includes(reading) ||
    (reads === "day" ? parseDate(reading) === reading : options.some(({ value }) => value === reading));
  const decided = new Map(
    (decisions.values ?? [])
      .filter(({ becomes }) => isPossible(becomes))
      .map(({ text, becomes }) => [valueKey(text), becomes]),
  );
  const find = finderOf([
    ...options.map(({ value, label }) => [label, value] as const),
    ...(hasCodes ? options.map(({ value }) => [value, value] as const) : []),
  ]);
  const nothing = (text: string) => {
    if (!saysNothing(text)) return undefined;
    const listed = options.filter(({ label }) => saySameNothing(text, label));
    return listed.length === 1 ? listed[0]?.value : BLANK;
  };
  const ranges = options.map(({ value, label }) => ({ value, range: rangeIn(label) }));
  const inRange = (text: string) => {
    const range = rangeIn(text);
    const meant = range === null ? [] : ranges.filter((option) => option.range === range);
    return meant.length === 1 ? meant[0]?.value : undefined;
  };
  const guess: Record<Reads, Finder<string>> = {
    safeToCall: (text) => (column.isSaidSafe ? CERTAIN_WORDS.get(foldText(text)) : undefined),
    flag: (text) => CERTAIN_WORDS.get(foldText(text)) ?? USUAL_WORDS.get(foldText(text)) ?? nothing(text),
    day: (text) => readDay(text, decisions, today) ?? (saysNothing(text) ? BLANK : undefined),
    list: (text) => find(text) ?? nothing(text) ?? inRange(text) ?? abbreviated(text, options),
    gender: (text) =>
      find(text) ?? find(GENDER_WORDS[letters(text)] ?? "") ?? nothing(text) ?? abbreviated(text, options),
    state: (text) =>
      find(text) ?? find(letters(text)) ?? find(STATES_BY_NAME.get(letters(text)) ?? "") ?? nothing(text),
    equal: (text) => find(text) ?? nothing(text),
  };
  return (text) => {
    // Folding a cell of a megabyte takes tens of milliseconds, and a file can have many.
    if (text.trim().length > VALUE_MAX) return undefined;
    const decision = decided.get(valueKey(text));
    // A value that was added has a place in the list.
    if (decision === ADD) return find(text) ?? ADD;
    return decision ?? guess[reads](text);
  };
}
