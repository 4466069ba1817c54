import { z } from "zod/mini";
import type { NamedItem } from "@/lib/core/access/permissions";
import { filter, listQuery } from "@/lib/core/api/list-query";
import { moment, namedItem } from "@/lib/core/api/response";
import type { Cells } from "@/lib/core/fields/columns";
import type { ListName } from "@/lib/core/fields/facts";
import { currency, shortDateTime, yesNo } from "@/lib/core/fields/format";
import { isRecord } from "@/lib/core/fields/plain";
import { blanksOf, responseOf } from "@/lib/core/fields/shapes";
import { id } from "@/lib/core/fields/validation";
import {
  columnsOf,
  type Lookup,
  type LookupColumn,
  type LookupKey,
  lookupKeys,
  lookups,
  USER_STATUSES,
} from "@/lib/lookups/registry";
import type { FormListKey } from "@/lib/lookups/resources/schema";
import type { FormType } from "@/lib/lookups/types";

/** The lists that the form and client screens choose from, each in its default order. */
export type FormLists = {
  [Key in FormListKey as (typeof lookups)[Key]["plural"]]: ({ id: number } & z.output<
    (typeof lookups)[Key]["schema"]
  >)[];
} & { formTypes: FormType[] };

/** A record of a list as returned: its id, its fields and the values of its columns. */
export type LookupItem = { id: number } & Record<string, unknown>;

/** The values of a record's fields as sent; fields missing from an update keep their values. */
export type LookupValues = Record<string, unknown>;

/** Returns the schema of a record's fields, for the screen and the server. */
export const lookupSchema = (key: LookupKey): z.core.$ZodType<LookupValues, LookupValues> =>
  lookups[key].schema;

/**
 * Returns the body of `POST /api/{collection}` and `PUT /api/{collection}/{id}`, keyed by the singular name.
 */
export const lookupBody = (key: LookupKey): z.core.$ZodType<Record<string, LookupValues>> => {
  const { singular, schema }: Lookup = lookups[key];
  return z.object({ [singular]: z.extend(schema, EXTRA_INPUT[key] ?? {}) });
};

const yesOrNo = z.optional(z.boolean({ error: "must be true or false" }));

/** The values a body may have in addition to a record's fields. A missing value does not change. */
const EXTRA_INPUT: Partial<Record<LookupKey, z.core.$ZodShape>> = {
  /** True if a flag may be taken away although forms have values there. It is not stored. */
  form_types: { confirmed: yesOrNo },
  service_codes: { confirmed: yesOrNo },
  users: { active: yesOrNo },
};

/** The path parameter that names a settings list. */
export const listParams = z.object({ list: z.enum(lookupKeys) });

/** The values a response has in addition to a record's id and fields. */
const EXTRA_OUTPUT: Partial<Record<LookupKey, z.core.$ZodShape>> = {
  users: {
    fullName: z.string(),
    role: namedItem,
    lastLoginAt: z.nullable(moment),
    activatedAt: z.nullable(moment),
    active: z.boolean(),
    twoStep: z.boolean(),
    status: z.enum(USER_STATUSES),
  },
};

/** Returns the schema of a record as returned. */
export const lookupItem = (key: LookupKey): z.ZodMiniType<LookupItem> =>
  z.object({ ...responseOf<z.core.$ZodShape>(lookups[key].schema).shape, ...EXTRA_OUTPUT[key], id: id() });

/** Returns the query of `GET /api/{collection}`: the columns to sort by, the filter, and the default sort. */
export function lookupQuery(key: LookupKey) {
  const { defaultSort, filter: by }: Lookup = lookups[key];
  const columns = columnsOf(key).map((column) => column.key);
  const filters: z.core.$ZodShape = by ? { [by.key]: filter(z.enum(by.values)) } : {};
  return listQuery(columns, filters, { sort: defaultSort });
}

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
  if (format === "dateTime") return typeof value === "string" ? shortDateTime(value) : "Never";
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
  ]);

/**
 * A row of the list screen: the text of each column; `label`, which names the record; its `status`, or ""; and
 * `instead`, the row action's description if it differs from its title.
 */
export type LookupRow = { id: number; label: string; status: string; instead: string } & Record<
  string,
  string | number
>;

/** Runs on the server, so that times are in the organization's time zone, not the browser's. */
export function lookupRow(key: LookupKey, item: LookupItem): LookupRow {
  const { label, action }: Lookup = lookups[key];
  const cells = Object.fromEntries(
    columnsOf(key).map((column) => [column.key, display(column, item[column.key])]),
  );
  const status = String(item.status ?? "");
  return {
    ...cells,
    id: item.id,
    label: String(item[label]),
    status,
    instead: action?.instead?.[status] ?? "",
  };
}
