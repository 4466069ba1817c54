import { currentDefinitions } from "@/lib/core/fields/definitions";
import { type FieldFacts, factsOf, fieldsOf } from "@/lib/core/fields/facts";
import { isRecord } from "@/lib/core/objects";
import { titleize } from "@/lib/core/text/format";

// A draft may come from an older version of the program, when records had other fields.

/** Draft content that has no field in the record: a label and the value the user entered. */
export type Unopened = { label: string; value: string };

/** Shown instead of the id of a custom field's choice that no longer exists. */
const REMOVED_CHOICE = "A choice that was removed";

type Schema = Parameters<typeof fieldsOf>[0];

/** True if a field of this kind can show the value. Numbers are stored as typed. */
function fitsIn(facts: FieldFacts, value: unknown): boolean {
  switch (facts.kind) {
    case "flag":
    case "removal":
      return typeof value === "boolean";
    case "minutes":
    case "count":
    case "whole":
    case "money":
      return value === null || typeof value === "number" || typeof value === "string";
    case "day":
      return value === null || typeof value === "string";
    case "choice":
      if (value === null) return facts.blank === null && facts.initial === undefined;
      return value === facts.blank || facts.choices.some((word) => word.value === value);
    case "lookup":
      return value === null || value === "" || Number.isSafeInteger(value);
    case "lookups":
      return Array.isArray(value) && value.every(Number.isSafeInteger);
    case "id":
    case "version":
      return Number.isSafeInteger(value);
    case "record":
    case "entry":
    case "entries":
    case "custom":
    case "choices":
      return false;
    default:
      return typeof value === "string";
  }
}

/** Returns the user's input in a value of any shape, with labels. Unticked boxes, zeros and blanks do not count. */
function enteredIn(label: string, value: unknown): Unopened[] {
  if (isRecord(value)) {
    return Object.entries(value).flatMap(([name, inner]) =>
      name === "id" ? [] : enteredIn(`${label}: ${titleize(name)}`, inner),
    );
  }
  if (Array.isArray(value)) return value.flatMap((inner) => enteredIn(label, inner));
  if (value === true) return [{ label, value: "Yes" }];
  const entered = typeof value === "number" ? value !== 0 : typeof value === "string" && value.trim() !== "";
  return entered ? [{ label, value: String(value) }] : [];
}

/**
 * Merges the draft's `values` into `blank` where they fit the record of `schema`, and adds the rest to `unopened`.
 * Fields missing from `values`, and values in `blank` that are not fields, do not change.
 */
export function fitted<Values extends object>(
  schema: Schema,
  blank: Values,
  values: unknown,
  unopened: Unopened[],
  title = "",
): Values {
  const labelOf = (label: string) => (title ? `${title}: ${label}` : label);
  if (!isRecord(values)) {
    unopened.push(...enteredIn(title || (factsOf(schema)?.label ?? ""), values));
    return blank;
  }
  const fields = new Map(fieldsOf(schema).map((field) => [field.name, field]));
  const before = new Map<string, unknown>(Object.entries(blank));
  const fitting: [string, unknown][] = [];
  for (const [name, value] of Object.entries(values)) {
    const field = fields.get(name);
    const inner = before.get(name);
    if ((field?.facts.kind === "entry" || field?.facts.kind === "custom") && isRecord(value)) {
      const { facts, schema } = field;
      fitting.push([name, fitted(schema, isRecord(inner) ? inner : {}, value, unopened, facts.label)]);
    } else if (field?.facts.kind === "choices" && Array.isArray(value)) {
      const { choices } = field.facts;
      const left = value.filter((id) => choices.some((choice) => choice.value === id));
      fitting.push([name, left]);
      if (left.length < value.length)
        unopened.push({ label: labelOf(field.facts.label), value: REMOVED_CHOICE });
    } else if (field ? fitsIn(field.facts, value) : name === "id" && Number.isSafeInteger(value)) {
      fitting.push([name, value]);
    } else if (field || inner === undefined) {
      const removed = currentDefinitions().removed.find(({ key }) => key === name);
      const label = labelOf(field?.facts.label ?? removed?.label ?? titleize(name));
      const isChoice = field?.facts.custom?.kind === "choice" && typeof value === "number";
      unopened.push(...enteredIn(label, isChoice ? REMOVED_CHOICE : value));
    }
  }
  return { ...blank, ...Object.fromEntries(fitting) };
}
