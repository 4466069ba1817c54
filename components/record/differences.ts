import { set } from "react-hook-form";
import { type Choices, screenText } from "@/components/record/choices";
import { join } from "@/components/record/section";
import { changeWords, rowWords, type ValueText, valueWords } from "@/lib/audit/change-words";
import type { FieldFacts } from "@/lib/core/fields/facts";
import { isPhone, MASKED_NUMBER } from "@/lib/core/fields/phone";
import { isRecord } from "@/lib/core/objects";
import { capitalize } from "@/lib/core/text/format";

/** A record as loaded by this screen, as stored now, and as typed here. */
export type Versions<Values = object> = { base: Values; theirs: Values; mine: Values };

/** A value in one of two versions: as text, and its change since this screen loaded the record. */
type Side = {
  text: string;
  change: string;
  /** The same without the phone number, if it is one. */
  masked?: { text: string; change: string };
};

/** A field, or a whole row of a list, that someone else has changed and that is different here. */
export type Difference = {
  /** Its path in the screen's form. */
  name: string;
  /** The titles of the sections around it; "" if there are none. */
  section: string;
  label: string;
  /** The fields to choose: the field itself, or all differing fields of the row. */
  fields: readonly { name: string; theirs: unknown; mine: unknown }[];
  theirs: Side;
  mine: Side;
  /** True if it was also changed here. */
  bothChanged: boolean;
};

type Described = {
  section: string;
  label: string;
  facts: FieldFacts | undefined;
  /**
   * The row of a list that contains the field, with the titles of the row's nested entries around the field. The row
   * exists if the value at the path `amount` is not blank.
   */
  row?: { path: string; name: string; amount: string; titles: readonly string[] };
};

/** Returns the label and facts of a field. `versions` identify the row if the field is part of a list. */
export type Describe = (name: string, versions: Versions) => Described;

/** A record on a screen: its path in the screen's form, and a description of its fields. */
export type Compared = { prefix: string; describe: Describe; choices: Choices };

/** Returns a value in a comparable form: all blanks are equal, and the order of multiple choices is ignored. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.toSorted();
  if (typeof value === "string") return value.trim() || null;
  return value || null;
}
const same = (a: unknown, b: unknown) => JSON.stringify(comparable(a)) === JSON.stringify(comparable(b));

/** Yields every leaf with its path; a list of ids is one leaf. */
export function* leaves(value: unknown, path: string): Generator<[string, unknown]> {
  if (!isRecord(value)) yield [path, value];
  else for (const [key, inner] of Object.entries(value)) yield* leaves(inner, join(path, key));
}

type Field = Described & { facts: FieldFacts; name: string; was: unknown; theirs: unknown; mine: unknown };

/** Returns the fields and rows in which a save would overwrite someone else's change. */
export function differences(
  versions: Versions,
  { prefix, describe: fieldOf, choices }: Compared,
): Difference[] {
  const valuesIn = (version: object) => new Map(leaves(version, prefix));
  const before = valuesIn(versions.base);
  const now = valuesIn(versions.theirs);
  const here = valuesIn(versions.mine);
  const valueText: ValueText = (facts, value) => (facts ? screenText(facts, value, choices) : "");
  const names = new Set([...now.keys(), ...before.keys(), ...here.keys()]);
  const all = [...names].flatMap((name): Field[] => {
    const { facts, ...described } = fieldOf(name, versions);
    if (!facts?.entered) return [];
    return [
      { ...described, facts, name, was: before.get(name), theirs: now.get(name), mine: here.get(name) },
    ];
  });
  const differing = all.filter(({ was, theirs, mine }) => !same(theirs, was) && !same(theirs, mine));
  /** True if either side added or removed the row: then it is chosen as a whole. */
  const isWhole = (row: Field["row"]) => {
    const isIn = (values: Map<string, unknown>) => Boolean(comparable(values.get(row?.amount ?? "")));
    const was = isIn(before);
    return row !== undefined && (was !== isIn(now) || was !== isIn(here));
  };
  const finishedRows = new Set<string>();
  return differing.flatMap((field): Difference[] => {
    const { row } = field;
    if (!row || !isWhole(row)) return [oneField(field, valueText)];
    if (finishedRows.has(row.path)) return [];
    finishedRows.add(row.path);
    const inRow = all.filter((other) => other.row?.path === row.path);
    return [wholeRow(row, inRow, valueText)];
  });
}

function oneField({ name, section, label, row, facts, ...values }: Field, valueText: ValueText): Difference {
  const { was, theirs, mine } = values;
  const sideIn = (value: unknown, valueText: ValueText) => {
    const text = valueWords(facts, value, valueText);
    const change = same(value, was) ? unchanged(text) : capitalize(changeWords(facts, was, value, valueText));
    return { text, change };
  };
  const side = (value: unknown): Side => ({
    ...sideIn(value, valueText),
    ...(isPhone(facts) && { masked: sideIn(value, maskedText) }),
  });
  // The minutes of a row need no label: the row's name is enough.
  const shown = row ? (row.amount === name ? row.name : [row.name, ...row.titles, label].join(", ")) : label;
  return {
    name,
    section,
    label: shown,
    fields: [{ name, theirs, mine }],
    theirs: side(theirs),
    mine: side(mine),
    bothChanged: !same(mine, was),
  };
}

const maskedText: ValueText = (_, value) => (value ? MASKED_NUMBER : "");

const unchanged = (text: string) => `No change (${text || "blank"})`;

function wholeRow(
  row: NonNullable<Field["row"]>,
  fields: readonly Field[],
  valueText: ValueText,
): Difference {
  const textOf = (version: "was" | "theirs" | "mine") => {
    const isThere = fields.some(({ name, [version]: value }) => name === row.amount && comparable(value));
    const values = fields.map(({ row, label, facts, [version]: value }) => ({
      titles: row?.titles ?? [],
      label,
      facts,
      value,
    }));
    return isThere ? rowWords(row.name, values, valueText) : "";
  };
  const was = textOf("was");
  const side = (version: "theirs" | "mine"): Side => {
    const text = textOf(version);
    if (text === was) return { text, change: text ? unchanged(text) : `No entry for ${row.name}` };
    if (!was) return { text, change: `Added ${text}` };
    return { text, change: text ? `Changed to ${text}` : `Removed ${was}` };
  };
  const [first] = fields;
  return {
    name: row.path,
    section: first?.section ?? "",
    label: row.name,
    fields: fields.flatMap(({ name, theirs, mine }) => (same(theirs, mine) ? [] : [{ name, theirs, mine }])),
    theirs: side("theirs"),
    mine: side("mine"),
    bothChanged: textOf("mine") !== was,
  };
}

/**
 * Returns the typed values with the chosen fields of the stored record, ready to be saved over it. Values that no user
 * enters (ids, versions, other response data) always come from the stored record.
 */
export function merged<Values extends object>(
  versions: Versions<Values>,
  { prefix, describe: fieldOf }: Compared,
  found: readonly Difference[],
  takesTheirs: (name: string) => boolean,
): Values {
  const { theirs, mine } = versions;
  const values = structuredClone(mine);
  const place = (name: string) => name.slice(prefix.length + 1);
  const here = new Map(leaves(mine, prefix));
  const there = new Map(leaves(theirs, prefix));
  for (const [path, value] of there) {
    if (!fieldOf(path, versions).facts?.entered || !here.has(path)) set(values, place(path), value);
  }
  for (const path of here.keys()) {
    // If they removed an entry and it is kept here, it becomes a new entry.
    if (path.endsWith(".id") && !there.has(path)) set(values, place(path), undefined);
  }
  for (const { name, fields } of found) {
    for (const { name: field, theirs, mine } of fields)
      set(values, place(field), (takesTheirs(name) ? theirs : mine) ?? null);
  }
  return values;
}
