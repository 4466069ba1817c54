import type * as z from "zod/mini";
import type { NamedItem } from "@/lib/core/access/permissions";
import type { Cells } from "@/lib/core/fields/columns";
import type { ListName } from "@/lib/core/fields/facts";
import { blanksOf } from "@/lib/core/fields/shapes";
import { isRecord } from "@/lib/core/objects";
import type { LookupItem, LookupValues } from "@/lib/core/records/lookup-item";
import { currency, shortDateTimeOfDay, yesNo } from "@/lib/core/text/format";
import { columnsOf, type Lookup, type LookupColumn, type LookupKey, lookups } from "@/lib/lookups/registry";
import type { FormListKey } from "@/lib/lookups/resources/schema";
import type { FormType } from "@/lib/lookups/types";

/** The lists that the form and client screens choose from, each in its default order. */
export type FormLists = {
  [Key in FormListKey as (typeof lookups)[Key]["plural"]]: ({ id: number } & z.output<
    (typeof lookups)[Key]["schema"]
  >)[];
} & { formTypes: FormType[] };

/** Returns the schema of a record's fields, for the screen and the server. */
export const lookupSchema = (key: LookupKey): z.core.$ZodType<LookupValues, LookupValues> =>
  lookups[key].schema;

/** Returns the initial values of the form screen: the record's, or blanks for a new one. */
export function lookupValues(key: LookupKey, item?: LookupItem): LookupValues {
  const { schema }: Lookup = lookups[key];
  const stored = Object.entries(item ?? {}).filter(([name]) => Object.hasOwn(schema.shape, name));
  return { ...blanksOf(schema), ...Object.fromEntries(stored) };
}

/** The choices of a form's `lookup` and `lookups` fields, by list. */
export type LookupChoices = Partial<Record<ListName, NamedItem[]>>;

function display({ format, zero }: LookupColumn, value: unknown): string {
  if (value === 0 && zero) return zero;
  if (format === "yesNo") return yesNo(value);
  if (format === "currency" && typeof value === "number") return currency(value);
  if (format === "dateTime") return typeof value === "string" ? shortDateTimeOfDay(value) : "Never";
  return String((isRecord(value) ? value.name : value) ?? "");
}

/** Returns the cells of a record in a file with the screen's columns. Numbers and times are not formatted. */
export const lookupCells = (key: LookupKey): Cells<LookupItem> =>
  columnsOf(key).map((column) => [
    column.label,
    (item) => {
      const value = item[column.key];
      if (typeof value === "number") return value;
      return column.format === "dateTime" ? String(value ?? "") : display(column, value);
    },
    column.format === "dateTime" ? "moment" : undefined,
  ]);

/**
 * A row of the list screen: the text of each column; `label`, which names the record; and its `status`, or "".
 */
export type LookupRow = { id: number; label: string; status: string } & Record<string, string | number>;

/** Runs on the server, so that times are in the organization's time zone, not the browser's. */
export function lookupRow(key: LookupKey, item: LookupItem): LookupRow {
  const { label }: Lookup = lookups[key];
  const cells = Object.fromEntries(
    columnsOf(key).map((column) => [column.key, display(column, item[column.key])]),
  );
  return { ...cells, id: item.id, label: String(item[label]), status: String(item.status ?? "") };
}
