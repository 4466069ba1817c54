import type * as z from "zod/mini";
import { hasCustomValue, withoutBlanks } from "@/lib/core/fields/custom";
import { type FieldFacts, fieldsOf, rowNameField } from "@/lib/core/fields/facts";
import { isMaskOf } from "@/lib/core/fields/masked";
import { isRecord } from "@/lib/core/objects";

/**
 * One changed field of a record. `field` is its path on the wire without "Attributes": `form.serviceOn`. `row` is the
 * value that names the row, if it belongs to a row of a list that was neither added nor removed.
 */
export type Change = { field: string; from: unknown; to: unknown; row?: unknown };

export type Values = Readonly<Record<string, unknown>>;

const recordIn = (value: unknown): Values | null => (isRecord(value) ? value : null);
const rowsIn = (value: unknown) => (Array.isArray(value) ? value.filter(isRecord) : []);

/** True if the value says nothing. The number 0 in a custom field does, because a blank one is not stored. */
const isBlank = (facts: FieldFacts, value: unknown) =>
  facts.custom
    ? !hasCustomValue(value)
    : value === null ||
      value === "" ||
      value === false ||
      value === 0 ||
      (Array.isArray(value) && value.length === 0);

/** Returns a value to compare: the order of several ids means nothing. */
const comparable = (value: unknown) =>
  JSON.stringify(Array.isArray(value) ? value.map((item) => JSON.stringify(item)).sort() : value);

/** True if an entry has no value, or only those of an entry in which nobody has answered anything. */
function isBlankEntry(schema: z.core.$ZodType, entry: Values | null): boolean {
  if (entry === null) return true;
  return fieldsOf(schema).every(({ name, facts, schema: field }) => {
    const value = entry[name] ?? null;
    switch (facts.kind) {
      case "id":
      case "removal":
      case "version":
        return true;
      case "entry":
        return isBlankEntry(field, recordIn(value));
      case "custom":
        return Object.keys(withoutBlanks(recordIn(value) ?? {})).length === 0;
      case "choice":
        return isBlank(facts, value) || value === facts.blank || value === facts.initial;
      default:
        return isBlank(facts, value);
    }
  });
}

/** Returns the label of a custom field's choice instead of its id, because renaming the choice must not change history. */
function inWords(facts: FieldFacts, value: unknown): unknown {
  if (!facts.custom || !("choices" in facts)) return value;
  const word = (id: unknown) => facts.choices.find((choice) => choice.value === id)?.label ?? id;
  return Array.isArray(value) ? value.map(word) : word(value);
}

/** A blank value of a custom field is not stored. */
const withAllKeys = (schema: z.core.$ZodType, values: unknown): Values | null =>
  values === null
    ? null
    : { ...Object.fromEntries(fieldsOf(schema).map(({ name }) => [name, null])), ...recordIn(values) };

/**
 * Returns the differences between two states of a record, field by field. A null `before` means created, a null
 * `after` removed; then only fields with a value are listed. A field missing from `after` was not changed. Secrets are
 * listed without their values.
 */
export function changesOf(
  schema: z.core.$ZodType,
  before: Values | null,
  after: Values | null,
  path: string,
): Change[] {
  return fieldsOf(schema).flatMap(({ name, facts, schema: field }): Change[] => {
    const at = `${path}.${name}`;
    const from = before?.[name] ?? null;
    const sent = after?.[name];
    const to = sent === undefined && after && before ? from : (sent ?? null);
    switch (facts.kind) {
      case "id":
      case "removal":
      case "version":
        return [];
      case "entry": {
        const earlier = recordIn(from);
        const later = recordIn(to);
        // A missing entry and a blank one say the same.
        const areBlank = (!earlier || !later) && isBlankEntry(field, earlier) && isBlankEntry(field, later);
        return areBlank ? [] : changesOf(field, earlier, later, at);
      }
      case "custom":
        return changesOf(field, withAllKeys(field, from), withAllKeys(field, to), at);
      case "entries":
        return changedRows(field, rowsIn(from), rowsIn(to), at);
      default: {
        const areBlank =
          facts.kind === "whole" || (facts.kind === "count" && facts.initial === null)
            ? from === null && to === null
            : isBlank(facts, from) && isBlank(facts, to);
        if (comparable(from) === comparable(to) || areBlank || isMaskOf(facts, to, from)) return [];
        if (facts.kind === "secret") return [{ field: at, from: null, to: null }];
        return [{ field: at, from: inWords(facts, from), to: inWords(facts, to) }];
      }
    }
  });
}

/** True if saving `after` over the stored record `before` would change something. */
export const isChanged = (schema: z.core.$ZodType, before: Values, after: Values): boolean =>
  changesOf(schema, before, after, "").length > 0;

/**
 * Returns the fields of `after` whose values differ from those of `before`, for records whose schema has no field
 * facts.
 */
export const differences = (path: string, before: Values, after: Values): Change[] =>
  Object.entries(after).flatMap(([name, to]) => {
    const from = before[name] ?? null;
    return JSON.stringify(from) === JSON.stringify(to) ? [] : [{ field: `${path}.${name}`, from, to }];
  });

/**
 * Returns the changes of rows matched by id. The number in a change's path is the row's index in the new list. For a
 * removed row, it is its index in the old one.
 */
function changedRows(
  schema: z.core.$ZodType,
  before: Record<string, unknown>[],
  after: Record<string, unknown>[],
  path: string,
): Change[] {
  const afterIds = new Set(after.map(({ id }) => id));
  const beforeById = new Map(before.map((row) => [row.id, row]));
  return [
    ...before.flatMap((row, place) =>
      afterIds.has(row.id) ? [] : changesOf(schema, row, null, `${path}.${place}`),
    ),
    ...after.flatMap((row, place) => {
      const earlier = row.id === undefined ? undefined : beforeById.get(row.id);
      const changes = changesOf(schema, earlier ?? null, row, `${path}.${place}`);
      const naming = earlier && rowNameField(schema);
      return naming
        ? changes.map((change) => ({ ...change, row: row[naming.name] ?? earlier[naming.name] }))
        : changes;
    }),
  ];
}
