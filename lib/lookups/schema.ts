import { z } from "zod";
import { moment, namedItem } from "@/lib/api/answer";
import { listQuery } from "@/lib/api/list-query";
import type { NamedItem } from "@/lib/auth/permissions";
import { currency, shortDateTime } from "@/lib/fields/format";
import {
  email,
  flag,
  INT_MAX,
  id,
  longText,
  requiredLongText,
  requiredText,
  text,
} from "@/lib/fields/validation";
import type { FormType } from "@/lib/forms/types";
import {
  type Lookup,
  type LookupColumn,
  type LookupField,
  type LookupKey,
  lookups,
} from "@/lib/lookups/registry";

/** The lookup lists that the form and client screens choose from, each in its list's default order. */
export type FormLists = {
  ageBrackets: (NamedItem & { rangeStart: number })[];
  canines: NamedItem[];
  custodyStatuses: NamedItem[];
  educationLevels: (NamedItem & { sortOrder: number })[];
  ethnicities: NamedItem[];
  hateCrimeCategories: NamedItem[];
  incomeLevels: (NamedItem & { rangeStart: number })[];
  magisterialCourtOutcomes: NamedItem[];
  offenderRelationships: NamedItem[];
  pfaCourtContactTypes: NamedItem[];
  secondaryVictimizations: NamedItem[];
  referralSources: { id: number; code: string; description: string }[];
  formTypes: FormType[];
};

/** A record of a list as answered: its id, its fields, and what its columns show. */
export type LookupItem = { id: number } & Record<string, unknown>;

/** A record's fields by name, as sent; what is left out of an update stays as it is. */
export type LookupValues = Record<string, unknown>;

/** The largest amount that the column holds: numeric(12, 2). */
const CURRENCY_MAX = 9_999_999_999.99;
const CHOICES_MAX = 1_000;

/** The bounds of a number field (contract §4). */
export const boundsOf = ({ kind, min }: LookupField): { min: number; max: number } => ({
  min: min ?? -INT_MAX - 1,
  max: kind === "currency" ? CURRENCY_MAX : INT_MAX,
});

function currencySchema(min: number, max: number) {
  return z
    .number({
      error: ({ input }) => (input === undefined || input === null ? "is required" : "must be a number"),
    })
    .min(min)
    .max(max)
    .refine((value) => Number(value.toFixed(2)) === value, { error: "must have at most 2 decimals" });
}

function fieldSchema(field: LookupField): z.ZodType {
  const { min, max } = boundsOf(field);
  const { required } = field;
  switch (field.kind) {
    case "text":
      return required ? requiredText() : text().optional();
    case "longText":
      return required ? requiredLongText() : longText().optional();
    case "email":
      return email();
    case "integer":
      return z.int().min(min).max(max);
    case "currency":
      return currencySchema(min, max);
    case "boolean":
      return flag().optional();
    case "choice":
      return id();
    case "choices":
      return z.array(id()).max(CHOICES_MAX).optional();
  }
}

/** The fields of a record, on the screen and on the server (spec §5). */
export function lookupSchema(key: LookupKey): z.ZodType<LookupValues, LookupValues> {
  const { fields }: Lookup = lookups[key];
  return z.object(Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field)])));
}

/** The body of `POST /api/{collection}` and `PUT /api/{collection}/{id}`, keyed by the singular name. */
export function lookupBody(key: LookupKey): z.ZodType<Record<string, LookupValues>> {
  return z.object({ [lookups[key].singular]: lookupSchema(key) });
}

/** Answered beside a record's fields and its id. */
const ANSWERED: Partial<Record<LookupKey, z.ZodRawShape>> = {
  service_codes: { hotelShelter: z.boolean(), videoconferencing: z.boolean() },
  users: {
    fullName: z.string(),
    role: namedItem,
    lastLoginAt: moment.nullable(),
    activatedAt: moment.nullable(),
  },
};

const ANSWERED_KINDS: Record<LookupField["kind"], z.ZodType> = {
  text: z.string(),
  longText: z.string(),
  email: z.string(),
  integer: z.int(),
  currency: z.number(),
  boolean: z.boolean(),
  choice: id(),
  choices: z.array(id()),
};

/** A record as answered. */
export function lookupItem(key: LookupKey): z.ZodType<LookupItem> {
  const { fields }: Lookup = lookups[key];
  const shape = Object.fromEntries(fields.map(({ name, kind }) => [name, ANSWERED_KINDS[kind]]));
  return z.object({ ...shape, ...ANSWERED[key], id: id() });
}

/** The query of `GET /api/{collection}`: sorted by its screen's columns, default sorts of spec §9. */
export function lookupQuery(key: LookupKey) {
  const { columns, defaultSort }: Lookup = lookups[key];
  return listQuery(
    columns.map((column) => column.key),
    {},
    { sort: defaultSort },
  );
}

/** What the form screen starts with: the record's fields, or blanks for a new one. */
export function lookupValues(key: LookupKey, item?: LookupItem): LookupValues {
  const blank = {
    text: "",
    email: "",
    longText: "",
    integer: null,
    currency: null,
    boolean: false,
    choice: null,
    choices: [],
  };
  const { fields }: Lookup = lookups[key];
  return Object.fromEntries(fields.map(({ name, kind }) => [name, item?.[name] ?? blank[kind]]));
}

/** What a form's `choice` and `choices` fields pick from, by the name of the resource list. */
export type LookupChoices = Partial<Record<NonNullable<LookupField["from"]>, NamedItem[]>>;

function display({ format }: LookupColumn, value: unknown): string {
  if (format === "currency") return currency(value as number);
  if (format === "dateTime") return shortDateTime(value as string | null) || "Never";
  if (typeof value === "object" && value !== null) return (value as NamedItem).name;
  return String(value ?? "");
}

/** A row of the list screen: what each column shows, as text, and `label`, which names the record. */
export type LookupRow = { id: number; label: string } & Record<string, string | number>;

/** Runs on the server, so that a moment is told in the organisation's time zone, not in the browser's. */
export function lookupRow(key: LookupKey, item: LookupItem): LookupRow {
  const { columns, label }: Lookup = lookups[key];
  const cells = Object.fromEntries(columns.map((column) => [column.key, display(column, item[column.key])]));
  return { ...cells, id: item.id, label: String(item[label]) };
}
