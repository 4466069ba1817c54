import type * as z from "zod/mini";
import type { ChangeSentence } from "@/lib/audit/sentences";
import {
  isIndex,
  labelOf,
  nameWords,
  type Segment,
  sectionAround,
  sectionOf,
  titlesOf,
} from "@/lib/audit/titles";
import { type Field, type FieldFacts, rowNameField, schemasAlong } from "@/lib/core/fields/facts";
import { isPhone } from "@/lib/core/fields/phone";
import { duration, parseMinutes } from "@/lib/core/text/format";

// Changes of a record in plain words, for its history, the conflict dialog and the merge of two clients.

/** A changed field by its path, such as `form.serviceEntry.otherService`. */
export type FieldChange = {
  field: string;
  from: unknown;
  to: unknown;
  /**
   * If the field belongs to a row of a list that was neither added nor removed: the value that names the row.
   */
  row?: unknown;
};

/** Returns a value as text, "" if it is blank. For several ids it is called with each of them. */
export type ValueText = (facts: FieldFacts | undefined, value: unknown) => string;

/** Options for the words: how values are shown, and if this user may see them. */
type Wording = {
  valueText: ValueText;
  /** False if only the names of the fields may be shown. */
  readable: boolean;
  /** True if the record was created or removed as a whole, so that its values are listed, not compared. */
  whole: boolean;
};

/**
 * Longer text, or text of several lines, is quoted, because an arrow between two paragraphs is easily missed.
 */
const SHORT_TEXT_MAX = 60;

const segmentsAlong = (schema: z.core.$ZodType, field: string): Segment[] => [
  ...schemasAlong(schema, field.split(".").slice(1)),
];

/** Returns a value with its unit. Boxes and numbers are never blank. */
export function valueWords(facts: FieldFacts | undefined, value: unknown, valueText: ValueText): string {
  switch (facts?.kind) {
    case "flag":
      return value ? "Yes" : "No";
    case "minutes":
      return minutesWords(value);
    case "count":
      return String(value || 0);
    case "lookups":
    case "choices":
      return idsIn(value)
        .map((id) => valueText(facts, id))
        .sort()
        .join(", ");
    default:
      return valueText(facts, value);
  }
}

/** Returns minutes in words, `0 min` for none. Typed text that is not minutes stays as it is. */
export function minutesWords(value: unknown): string {
  const minutes = typeof value === "string" ? parseMinutes(value) : Number(value ?? 0);
  return minutes === null || minutes >= 0 ? duration(minutes ?? 0) || "0\u00a0min" : String(value);
}

const idsIn = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const isLong = (text: string) => text.length > SHORT_TEXT_MAX || text.includes("\n");
const quoteIfLong = (text: string) => (isLong(text) ? `“${text}”` : text);

/** Returns the ids added to a list or removed from it as text: `added Arson, removed Stalking`. */
function listWords(
  from: readonly unknown[],
  to: readonly unknown[],
  textOf: (id: unknown) => string,
): string {
  // Two items may have the same text, such as two colleagues of one name.
  const missing = (ids: readonly unknown[], others: readonly unknown[]) =>
    ids
      .filter((id) => !others.includes(id))
      .map(textOf)
      .sort();
  const part = (verb: string, items: readonly string[]) =>
    items.length > 0 ? [`${verb} ${items.join(" and ")}`] : [];
  return [...part("added", missing(to, from)), ...part("removed", missing(from, to))].join(", ");
}

/**
 * Returns the words for a value's change, to follow the field's name: `White → Other`, `30 min → 45 min`, `added
 * Erie`, `added Arson, removed Stalking`.
 */
export function changeWords(
  facts: FieldFacts | undefined,
  from: unknown,
  to: unknown,
  valueText: ValueText,
): string {
  if (facts?.kind === "lookups" || facts?.kind === "choices")
    return listWords(idsIn(from), idsIn(to), (id) => valueText(facts, id));
  const before = valueWords(facts, from, valueText);
  const after = valueWords(facts, to, valueText);
  if (!before) return `added ${quoteIfLong(after)}`;
  if (!after) return `removed ${quoteIfLong(before)}`;
  if (isLong(before) || isLong(after)) return `changed from “${before}” to “${after}”`;
  return `${before} → ${after}`;
}

/** A field of a row; `titles` are those of the entries in the row that contain the field. */
type RowField = { titles: readonly string[]; label: string; facts: FieldFacts | undefined; value: unknown };

/**
 * Returns a row in words: `HOTEL, 30 min; Referral: Legal aid; Hotel Shelter: Needs Met Yes, Adults 2`.
 */
export function rowWords(name: string, fields: readonly RowField[], valueText: ValueText): string {
  const filled = fields.flatMap(({ value, ...field }) => {
    const text = value ? valueWords(field.facts, value, valueText) : "";
    return text ? [{ ...field, title: field.titles.join(", "), text: quoteIfLong(text) }] : [];
  });
  const untitled = filled.filter(({ title }) => !title);
  const amounts = untitled.flatMap(({ facts, text }) => (facts?.kind === "minutes" ? [text] : []));
  const details = untitled.flatMap(({ facts, label, text }) =>
    facts?.kind === "minutes" ? [] : [`${label}: ${text}`],
  );
  const titles = [...new Set(filled.map(({ title }) => title).filter(Boolean))];
  const nested = titles.map((title) => {
    const inside = filled.filter((field) => field.title === title);
    return `${title}: ${inside.map(({ label, text }) => `${label} ${text}`).join(", ")}`;
  });
  return [[name, ...amounts].join(", "), ...details, ...nested].join("; ");
}

/** Sentences for facts recorded with a record that are not fields of it; `hidden` is shown without values. */
const SPECIAL: Readonly<Record<string, { hidden: string; words: (from: string, to: string) => string }>> = {
  "client.mergedWith": {
    hidden: "Merged with another record",
    words: (from, to) =>
      to ? `Client ${to} was merged into this client` : `Client ${from} was separated again`,
  },
  "client.mergedInto": {
    hidden: "Merged into another record",
    words: (from, to) => (to ? `Merged into client ${to}` : `Separated from client ${from} again`),
  },
  "client.hold": {
    hidden: "Legal hold changed",
    words: (from, to) => (to ? `Legal hold: ${to}` : `Legal hold ended (${from})`),
  },
  "form.returned": {
    hidden: "Comment changed",
    words: (from, to) => (to ? `Comment: ${to}` : `Answered the comment: ${from}`),
  },
  "form.comments": {
    hidden: "Comment added",
    words: (_, to) => `Comment: ${to}`,
  },
  "form.reconciled": {
    hidden: "Reconciled changed",
    words: (_, to) => (to === "Yes" ? "Reconciled" : "Needs to be reconciled again"),
  },
};

type Place = { change: FieldChange; segments: readonly Segment[]; rowAt: number };
/** The changes of one row of a list, or of one field that is not in a row. */
type Group = { rowAt: number; places: [Place, ...Place[]] };

/** Returns the schema of the rows that contain the place. */
const rowsAt = ({ segments, rowAt }: Place): z.core.$ZodType | undefined => segments[rowAt]?.schema;

/** True if the change is of the field that names its row. */
function isRowName(place: Place): boolean {
  const rows = rowsAt(place);
  const [name, ...deeper] = place.segments.slice(place.rowAt + 1);
  return rows !== undefined && deeper.length === 0 && name?.name === rowNameField(rows)?.name;
}

/**
 * True if the change belongs to the row of the group. A removed row and another one can have the same index. They
 * differ in this: all values of a removed row become null, and each change of a row that stays has its name.
 */
function isOfRow({ rowAt, places }: Group, place: Place): boolean {
  if (rowAt === -1 || place.rowAt !== rowAt) return false;
  const [first] = places;
  const path = ({ segments }: Place) => segments.slice(0, rowAt + 1).map(({ name }) => name);
  if (path(first).join(".") !== path(place).join(".") || isRowName(place)) return false;
  const isRemoved = isRowName(first) && first.change.to === null;
  if (isRemoved) return place.change.to === null && place.change.row === undefined;
  return isRowName(first) || JSON.stringify(first.change.row) === JSON.stringify(place.change.row);
}

function groupsOf(schema: z.core.$ZodType, changes: readonly FieldChange[]): Group[] {
  const groups: Group[] = [];
  for (const change of changes) {
    const segments = segmentsAlong(schema, change.field);
    const place = { change, segments, rowAt: segments.findIndex(({ name }) => isIndex(name)) };
    const last = groups.at(-1);
    if (last && isOfRow(last, place)) last.places.push(place);
    else groups.push({ rowAt: place.rowAt, places: [place] });
  }
  return groups;
}

/**
 * Returns the changes of a record as sentences, in order. An added or removed row of a list is one sentence.
 */
export function sentencesOf(
  schema: z.core.$ZodType,
  changes: readonly FieldChange[],
  wording: Wording,
): ChangeSentence[] {
  const sentences = groupsOf(schema, changes).flatMap((group) =>
    group.rowAt === -1
      ? group.places.map((place) => fieldSentence(place, wording))
      : rowSentences(group, wording),
  );
  // Without values, all rows of a list give the same sentence. With values, each is about its own row.
  if (wording.readable) return sentences;
  return [
    ...new Map(sentences.toReversed().map((one) => [`${one.section}\n${one.text}`, one])).values(),
  ].reverse();
}

function fieldSentence({ change, segments }: Place, wording: Wording): ChangeSentence {
  const { field, from, to } = change;
  const { valueText, readable, whole } = wording;
  const last = segments.at(-1);
  const toSentence = (text: string): ChangeSentence => ({
    field,
    section: sectionAround(segments),
    text,
    ...(readable && isPhone(last?.facts) && { isPhone: true }),
  });
  if (!last) return toSentence(nameWords(field));
  const label = labelOf(last);
  const special = SPECIAL[field];
  if (special)
    return toSentence(
      readable ? special.words(valueText(undefined, from), valueText(undefined, to)) : special.hidden,
    );
  if (!readable || last.facts?.kind === "secret") return toSentence(whole ? label : `${label} changed`);
  if (whole) return toSentence(`${label}: ${valueWords(last.facts, from ?? to, valueText)}`);
  return toSentence(`${label}: ${changeWords(last.facts, from, to, valueText)}`);
}

function rowSentences({ rowAt, places }: Group, { valueText, readable, whole }: Wording): ChangeSentence[] {
  const [first] = places;
  const { field, row } = first.change;
  const rows = rowsAt(first);
  const naming = rows && rowNameField(rows);
  const toSentence = (text: string, of = field) => ({
    field: of,
    section: sectionOf(first.segments.slice(0, rowAt)),
    text,
  });
  if (!readable) {
    const title = sectionOf(first.segments.slice(0, rowAt));
    return [{ field, section: "", text: whole ? title : `${title} changed` }];
  }
  const rowName = (value: unknown) =>
    (naming && valueText(naming.facts, value)) || `Row ${Number(first.segments[rowAt]?.name) + 1}`;
  const inRow = ({ segments }: Place) => segments.slice(rowAt + 1);
  const describeRow = (side: "from" | "to", named: unknown, among: readonly Place[]) =>
    rowWords(
      rowName(named),
      among.map((place) => {
        const inside = inRow(place);
        const last = inside.at(-1);
        return {
          titles: titlesOf(inside.slice(0, -1)),
          label: last ? labelOf(last) : "",
          facts: last?.facts,
          value: place.change[side],
        };
      }),
      valueText,
    );

  const isNamed = isRowName(first);
  const { from, to } = first.change;
  const others = isNamed ? places.slice(1) : places;
  if (isNamed && from === null)
    return [toSentence(`${whole ? "" : "Added "}${describeRow("to", to, others)}`)];
  if (isNamed && to === null)
    return [
      { ...toSentence(`${whole ? "" : "Removed "}${describeRow("from", from, others)}`), isRemoved: true },
    ];
  const name = rowName(isNamed ? to : row);
  return [
    ...(isNamed ? [toSentence(`${rowName(from)} → ${name}`)] : []),
    ...others.map((place) => {
      const inside = inRow(place);
      const facts = inside.at(-1)?.facts;
      const words = changeWords(facts, place.change.from, place.change.to, valueText);
      const within = facts?.kind === "minutes" && inside.length === 1 ? [] : [...titlesOf(inside)];
      return toSentence(`${[name, ...within].join(", ")}: ${words}`, place.change.field);
    }),
  ];
}

/**
 * Returns the labels of changed fields without values: `Client Name; Client Demographics: Ethnicity, Military;
 * Services`. A list of rows appears once.
 */
export function labelsOf(schema: z.core.$ZodType | undefined, fields: readonly string[]): string[] {
  const entries = fields.map((field) => {
    const segments = schema
      ? segmentsAlong(schema, field)
      : field
          .split(".")
          .slice(1)
          .map((name) => ({ name, schema, facts: undefined }));
    const row = segments.findIndex(({ name }) => isIndex(name));
    if (row !== -1) return { section: "", label: sectionOf(segments.slice(0, row)) };
    const last = segments.at(-1);
    return { section: sectionAround(segments), label: last ? labelOf(last) : nameWords(field) };
  });
  const sections = [...new Set(entries.map(({ section }) => section))];
  return sections.flatMap((section) => {
    const labels = [...new Set(entries.flatMap((one) => (one.section === section ? [one.label] : [])))];
    return section ? [`${section}: ${labels.join(", ")}`] : labels;
  });
}

/**
 * Returns the titles around a field, each once, and its label: `Services › HOTEL › Minutes`. A row without a name has
 * its number.
 */
export function pathLabel(
  schema: z.core.$ZodType,
  field: string,
  rowName: (naming: Field) => string,
): string {
  const segments = segmentsAlong(schema, field);
  const parts = segments.map(({ schema: of, ...segment }) => {
    if (segment.facts?.kind === "custom") return sectionAround(segments);
    if (!isIndex(segment.name)) return labelOf(segment);
    const naming = of && rowNameField(of);
    return (naming && rowName(naming)) || String(Number(segment.name) + 1);
  });
  return parts.filter((part, at) => part !== parts[at - 1]).join(" › ");
}
