import * as z from "zod/mini";
import { type Choices, screenText } from "@/components/record/choices";
import { permissionKey, type SessionUser } from "@/lib/core/access/permissions";
import { type Field, fieldsOf, type ListName } from "@/lib/core/fields/facts";
import { blanksOf, withoutUnasked } from "@/lib/core/fields/shapes";
import { toWire } from "@/lib/core/fields/wire";
import { isRecord } from "@/lib/core/objects";
import { isTyped, itemName, type RecordDeclaration, rowLists } from "@/lib/core/records/declaration";
import { currency, duration, minutes, whole, withArticle, yesNo } from "@/lib/core/text/format";
import type { RecordItem, RecordValues } from "@/lib/declared-records/api-schema";

/**
 * Returns the words for a list without records to choose from. `adds` are those of a link to a new one, for users who may
 * add one.
 */
export function emptyListWords(
  list: ListName,
  { permissions }: Pick<SessionUser, "permissions">,
): { words: string; adds: string | null } {
  const items = list.replaceAll("_", " ");
  const may = permissions.some(({ name }) => permissionKey(name) === list.replaceAll("_", "-"));
  return {
    words: `No ${items} are set up.${may ? "" : " An administrator can add them in Settings."}`,
    adds: may ? `Add ${withArticle(items.replace(/s$/, ""))}` : null,
  };
}

/** Returns the fields of a record that a user enters, in the order of the declaration. */
export const enteredFields = ({ schema }: RecordDeclaration): readonly Field[] =>
  fieldsOf(schema).filter(({ facts }) => facts.entered);

/**
 * Returns the fields of the quick entry, with the day last, and those that it shows only on request. A field of a box that is
 * in the line is in the line, too, so that it appears when the box is ticked.
 */
export function fieldsOfEntry(declaration: RecordDeclaration): { main: Field[]; details: Field[] } {
  const { day, columns, schema } = declaration;
  const isLast = ({ name }: Field) => name === day;
  const typed = enteredFields(declaration).filter(({ facts }) => isTyped(schema, facts));
  const fields = typed.toSorted((a, b) => Number(isLast(a)) - Number(isLast(b)));
  const isMain = ({ name, facts }: Field): boolean =>
    columns.includes(name) ||
    facts.required ||
    fields.some((field) => facts.dependsOn?.boxes.includes(field.name) && isMain(field));
  // The line has one row of a list. The details have all.
  const hasRows = ({ facts }: Field) => facts.kind === "entries";
  return {
    main: fields.filter(isMain),
    details: fields.filter((field) => !isMain(field) || hasRows(field)),
  };
}

/** Returns the fields of the list's columns. */
export const listedFields = ({ schema, columns }: RecordDeclaration): readonly Field[] =>
  columns.flatMap((name) => fieldsOf(schema).find((field) => field.name === name) ?? []);

/** Returns the fields of a stored record as its form has them; blanks for a new one. */
export const valuesOf = ({ schema }: RecordDeclaration, stored?: RecordItem): RecordValues =>
  Object.fromEntries(
    Object.entries(blanksOf(schema)).map(([name, blank]) => [name, stored?.[name] ?? blank]),
  );

/** Returns the values to send: without those of fields that their boxes do not ask. */
export const askedValues = ({ schema }: RecordDeclaration, values: RecordValues): RecordValues =>
  withoutUnasked(schema, values);

/** Returns the body of a record with its nested lists under their names in requests. */
export const onWire = (
  { entity, schema }: RecordDeclaration,
  body: { [entity: string]: RecordValues },
): { [entity: string]: RecordValues } => ({
  [entity]: { ...toWire(z.object(schema.shape), body[entity] ?? {}) },
});

/**
 * Returns the values that a copy of a stored record begins with: those that are copied, without rows that name a record no
 * longer in use, such as a deactivated account. Leaves out a required list without any other row.
 */
export function copyOf(
  { schema, copied = [] }: RecordDeclaration,
  stored: RecordItem,
  choices: Choices,
): RecordValues {
  const lists = new Map(rowLists(schema).map((list) => [list.name, list]));
  const values = copied.flatMap((name): [string, unknown][] => {
    const list = lists.get(name);
    const value = stored[name];
    if (!list || !Array.isArray(value)) return [[name, value]];
    const rows = value.filter(isRecord).filter((row) => isInUse(choices, list.named, row));
    if (rows.length === 0 && list.facts.required) return [];
    return [[name, rows.map((row) => ({ ...row, id: undefined }))]];
  });
  return Object.fromEntries(values);
}

const isInUse = (choices: Choices, { name, facts }: Field, row: RecordValues) =>
  facts.kind !== "lookup" || choices[facts.list]?.find(({ id }) => id === row[name])?.active !== false;

/** True if the rows of both records name the same. */
export const namesSame = ({ schema }: RecordDeclaration, one: RecordValues, other: RecordValues): boolean =>
  rowLists(schema).every(({ name, named }) => {
    const namesIn = (rows: unknown) =>
      Array.isArray(rows) ? rows.map((row) => isRecord(row) && row[named.name]) : [];
    return namesIn(one[name]).join() === namesIn(other[name]).join();
  });

/** Returns a field of a stored record as text; "" if it has no value. */
export function fieldText({ name, facts }: Field, record: RecordItem): string {
  const value = record[facts.kind === "lookup" ? itemName(name) : name];
  if (isRecord(value)) return String(value.name);
  if (facts.kind === "flag") return yesNo(value);
  if (facts.kind === "money") return currency(String(value ?? ""));
  if (facts.kind === "minutes" && typeof value === "number") return minutes(value);
  return typeof value === "number" ? whole(value) : screenText(facts, value, {});
}

/** Returns the listed values of a record in a sentence, without its day: `Travel, 1 h 30 min`. */
export function recordWords(declaration: RecordDeclaration, record: RecordItem): string {
  const words = listedFields(declaration).map((field) => {
    const { name, facts } = field;
    const value = record[name];
    if (name === declaration.day || !value) return "";
    if (facts.kind === "flag") return facts.label;
    if (typeof value !== "number" || facts.kind === "lookup") return fieldText(field, record);
    return facts.kind === "minutes" ? duration(value) : `${facts.label} ${fieldText(field, record)}`;
  });
  return words.filter(Boolean).join(", ");
}
