import { screenText } from "@/components/record/choices";
import { type Field, fieldsOf } from "@/lib/core/fields/facts";
import { counted, currency, whole, yesNo } from "@/lib/core/fields/format";
import { isRecord } from "@/lib/core/fields/plain";
import { blanksOf, withoutUnasked } from "@/lib/core/fields/shapes";
import { itemName } from "@/lib/core/records/declaration";
import type { RecordItem, RecordValues } from "@/lib/records/api-schema";
import { type RecordKey, records } from "@/lib/records/registry";

/** Returns the fields of a record that a user enters, in the order of the declaration. */
export const enteredFields = (list: RecordKey): readonly Field[] =>
  fieldsOf(records[list].schema).filter(({ facts }) => facts.entered);

/** Returns the fields of the list's columns. */
export const listedFields = (list: RecordKey): readonly Field[] => {
  const { schema, columns } = records[list];
  return columns.flatMap((name) => fieldsOf(schema).find((field) => field.name === name) ?? []);
};

/** Returns the fields of a stored record as its form has them; blanks for a new one. */
export const valuesOf = (list: RecordKey, stored?: RecordItem): RecordValues =>
  Object.fromEntries(
    Object.entries(blanksOf(records[list].schema)).map(([name, blank]) => [name, stored?.[name] ?? blank]),
  );

/** Returns the values to send: without those of fields that their boxes do not ask. */
export const askedValues = (list: RecordKey, values: RecordValues): RecordValues =>
  withoutUnasked(records[list].schema, values);

/** Returns a field of a stored record as text; "" if it has no value. */
export function fieldText({ name, facts }: Field, record: RecordItem): string {
  const value = record[facts.kind === "lookup" ? itemName(name) : name];
  if (isRecord(value)) return String(value.name);
  if (facts.kind === "flag") return yesNo(value);
  if (facts.kind === "money") return currency(String(value ?? ""));
  return typeof value === "number" ? whole(value) : screenText(facts, value, {});
}

/** Returns the listed values of a record in a sentence, without its day: `Travel, 30 minutes`. */
export function recordWords(list: RecordKey, record: RecordItem): string {
  const { day } = records[list];
  const words = listedFields(list).map((field) => {
    const { name, facts } = field;
    const value = record[name];
    if (name === day || !value) return "";
    if (facts.kind === "flag") return facts.label;
    if (typeof value !== "number" || facts.kind === "lookup") return fieldText(field, record);
    return facts.kind === "minutes" ? counted(value, "minute") : `${facts.label} ${fieldText(field, record)}`;
  });
  return words.filter(Boolean).join(", ");
}
