import * as z from "zod/mini";
import {
  type Choice,
  customRoots,
  type Dependence,
  declaredFacts,
  type FieldFacts,
  fieldFacts,
  fieldsOf,
  type ListName,
  rowSchemas,
} from "@/lib/core/fields/facts";
import { isRemoved, withoutRemovedValues } from "@/lib/core/fields/removed-rows";
import type { Columns, Table } from "@/lib/core/fields/tables";
import * as schemas from "@/lib/core/fields/validation";
import { REQUIRED } from "@/lib/core/fields/words";
import { EARLIEST_DAY, LATEST_DAY, latestDay, type MaskName } from "@/lib/core/text/format";

/**
 * The vocabulary of fields, for the screens and the server. A field is declared once, in its record's schema:
 *
 *     const schema = entry("Survivor", "survivor_entries", {
 *       childAges: text("Ages of Children"),
 *       custodyStatusId: lookup("custody_statuses", "Custody Status"),
 *     });
 *
 * Each kind makes a zod schema with an exact output type, and registers the field's facts (lib/core/fields/facts.ts):
 * label, kind, bounds, the list it refers to, whether it is required. Code reads these facts with `factsOf(field)`,
 * `fieldsOf(record)` and `schemasAlong(record, path)`.
 *
 * - Kinds: `text`, `longText`, `email`, `secret`; `flag`; `day`; `minutes`, `count`, `whole`, `money`; `choice(words,
 *   label)` for one of some fixed words; `lookup(list, label)` for the id of a record of that table, `lookups(list,
 *   label)` for several.
 * - `record(label, table, fields)` is the record in a body, with `version()` if saves are checked for lost updates.
 *   `entry(label, table, fields)` is a record nested in it, and `entries(…)` a list of them; both add `id`.
 * - Absent and null mean the field's blank ("", false, 0, null, []); `{ required: true }` requires a value. An
 *   `email`, `whole`, `money`, and a `choice` without `blank`, are always required. `optionalInPut(field)` leaves the
 *   stored value unchanged if a PUT omits the field.
 * - No user types a field with `{ entered: false }`: after a conflict, its stored value is used without asking.
 * - On a client's page: `{ summary: "guns" }` states the field in the line of its form, `{ safety: true }` also above all
 *   forms. `{ lasting: true }` suggests its last value on a new form for the client.
 * - `{ dependsOn: { boxes: ["guns"] } }` asks a field, or an entry, only while one of these boxes of its record is ticked,
 *   and clears it otherwise.
 *   `{ beneath: "ethnicityId" }` keeps a field under another one when the organization moves that one.
 *   The organization can hide every optional field except those with `{ alwaysShown: true }`.
 * - An error report masks every value unless its field has `{ inErrorReports: true }`; it always masks free text.
 * - Derived from a record: `blanksOf` and `withoutUnasked` (shapes.ts), `responseOf` (responses.ts), `wireBody` and
 *   `toWire` (wire.ts), `fieldErrors` and `problemsOnWire` (problems.ts), and the names of its columns (tables.ts).
 * - The compiler rejects a field that has no column in prisma/schema.prisma, or that does not fit its column.
 *
 * Facts belong to one schema instance: `z.optional()`, `z.nullish()` and `z.partial()` return another one without them,
 * so use `optionalInPut`. `z.extend`, `z.omit` and `z.pick` of a record keep the fields' facts.
 */

type Options = {
  required?: boolean;
  hint?: string;
  /** By default, free text, days and names of people are sensitive. */
  sensitive?: boolean;
  inErrorReports?: boolean;
  entered?: boolean;
} & Pick<FieldFacts, "usedIn" | "summary" | "safety" | "lasting" | "alwaysShown" | "dependsOn" | "beneath">;
type Required = { required: true };
type TextOptions = Options & { mask?: MaskName; unique?: true; letters?: number };

const common = (
  label: string,
  { required = false, sensitive = false, inErrorReports = false, entered = true, ...options }: Options,
) => ({
  label,
  required,
  hint: options.hint,
  usedIn: options.usedIn,
  sensitive,
  inErrorReports,
  entered,
  summary: options.summary,
  safety: options.safety,
  lasting: options.lasting,
  alwaysShown: options.alwaysShown,
  dependsOn: options.dependsOn,
  beneath: options.beneath,
});

function define<Schema extends z.core.$ZodType>(schema: Schema, facts: FieldFacts): Schema {
  fieldFacts.add(schema, facts);
  return schema;
}

/** Text of one line, at most 255 characters. */
export function text(
  label: string,
  options: Omit<TextOptions, "mask"> & Required,
): ReturnType<typeof schemas.requiredText>;
export function text(label: string, options?: TextOptions): ReturnType<typeof schemas.text>;
export function text(label: string, options: TextOptions = {}) {
  const facts: FieldFacts = {
    ...common(label, { sensitive: true, ...options }),
    kind: "text",
    max: schemas.TEXT_MAX,
    mask: options.mask,
    unique: options.unique ?? false,
    letters: options.letters,
  };
  if (options.required) return define(schemas.requiredText(), facts);
  return define(options.mask ? schemas.maskedText(options.mask) : schemas.text(), facts);
}

/** Text of several lines, at most 10,000 characters. */
export function longText(
  label: string,
  options: Options & Required,
): ReturnType<typeof schemas.requiredLongText>;
export function longText(label: string, options?: Options): ReturnType<typeof schemas.longText>;
export function longText(label: string, options: Options = {}) {
  const facts: FieldFacts = {
    ...common(label, { sensitive: true, ...options }),
    kind: "longText",
    max: schemas.LONG_TEXT_MAX,
  };
  return options.required ? define(schemas.requiredLongText(), facts) : define(schemas.longText(), facts);
}

/** An email address, converted to lower case; always required. */
export const email = (label: string, options: Options & { unique?: true } = {}) =>
  define(schemas.email(), {
    ...common(label, { sensitive: true, ...options, required: true }),
    kind: "email",
    max: schemas.TEXT_MAX,
    unique: options.unique ?? false,
  });

/** A password, code or token, with its own schema. */
export const secret = <Schema extends z.core.$ZodType>(label: string, schema: Schema): Schema =>
  define(schema, { ...common(label, { sensitive: true, required: true }), kind: "secret" });

/**
 * A checkbox. With `required`, true or false must be sent. It has no star, because a box always has a value: false, or with
 * `initial` true, until a user changes it.
 */
export function flag(label: string, options: Options & Required): z.ZodMiniBoolean<boolean>;
export function flag(label: string, options?: Options & { initial?: true }): ReturnType<typeof schemas.flag>;
export function flag(label: string, { initial, ...options }: Options & { initial?: true } = {}) {
  const facts: FieldFacts = { ...common(label, options), required: false, kind: "flag", initial };
  return options.required ? define(z.boolean(), facts) : define(schemas.flag(initial), facts);
}

type DayOptions = Options & { initial?: () => string };

/** `YYYY-MM-DD` from 1900 to tomorrow, or later with `future`; `MM/DD/YYYY` is also accepted. */
export function day(label: string, options: DayOptions & Required): ReturnType<typeof schemas.pastDate>;
export function day(
  label: string,
  options?: DayOptions & { future?: true },
): ReturnType<typeof schemas.optionalPastDate>;
export function day(label: string, options: DayOptions & { future?: true } = {}) {
  const facts: FieldFacts = {
    ...common(label, { sensitive: true, ...options }),
    kind: "day",
    earliest: EARLIEST_DAY,
    latest: options.future ? () => LATEST_DAY : latestDay,
    initial: options.initial,
  };
  if (options.required) return define(schemas.pastDate(), facts);
  return define(options.future ? schemas.optionalDate() : schemas.optionalPastDate(), facts);
}

/** Minutes, up to a whole day. Blank means 0; required ones are at least 1. */
export function minutes(label: string, options: Options & Required): z.ZodMiniInt;
export function minutes(label: string, options?: Options): ReturnType<typeof schemas.wholeNumber>;
export function minutes(label: string, options: Options = {}) {
  const min = options.required ? 1 : 0;
  const max = schemas.MINUTES_MAX;
  const facts: FieldFacts = { ...common(label, options), kind: "minutes", min, max };
  return options.required
    ? define(z.int().check(z.minimum(min), z.maximum(max)), facts)
    : define(schemas.wholeNumber(max), facts);
}

type CountOptions = Options & { min?: number; max?: number };

/**
 * A number of people or things, 0 to 99 unless `min` and `max` say otherwise. Blank means `initial`, unless it is required;
 * with `unknown`, it means null.
 */
export function count(label: string, options: CountOptions & Required): z.ZodMiniInt;
export function count(
  label: string,
  options: CountOptions & { unknown: true },
): ReturnType<typeof schemas.optionalNumber>;
export function count(
  label: string,
  options?: CountOptions & { initial?: number },
): ReturnType<typeof schemas.wholeNumber>;
export function count(label: string, options: CountOptions & { initial?: number; unknown?: true } = {}) {
  const { min = 0, max = schemas.COUNT_MAX, unknown = false, initial = min, ...rest } = options;
  const facts: FieldFacts = {
    ...common(label, rest),
    kind: "count",
    min,
    max,
    initial: unknown ? null : initial,
  };
  if (unknown) return define(schemas.optionalNumber(max, min), facts);
  return options.required
    ? define(z.int().check(z.minimum(min), z.maximum(max)), facts)
    : define(schemas.wholeNumber(max, min, initial), facts);
}

/** A whole number from `min`; required. */
export const whole = (label: string, options: Options & { min?: number } = {}) => {
  const { min = -schemas.INT_MAX - 1 } = options;
  const max = schemas.INT_MAX;
  return define(z.int().check(z.minimum(min), z.maximum(max)), {
    ...common(label, { ...options, required: true }),
    kind: "whole",
    min,
    max,
  });
};

/** An amount in dollars with two decimals; required. */
export const money = (label: string, options: Options = {}) =>
  define(schemas.amount(), {
    ...common(label, { ...options, required: true }),
    kind: "money",
    min: 0,
    max: schemas.AMOUNT_MAX,
  });

type ChoiceOptions<Value> = Omit<Options, "required"> & { initial?: Value };

/**
 * One of a fixed set of values, offered in this order. With `blank`, absent and null become that value, which need not
 * be among the choices; without it, a value is required.
 */
export function choice<const Value extends string, const Blank extends string>(
  words: readonly (Value | { value: Value; label: string })[],
  label: string,
  options: ChoiceOptions<NoInfer<Value>> & { blank: Blank },
): z.ZodMiniType<Value | Blank, Value | Blank | null | undefined>;
export function choice<const Value extends string>(
  words: readonly (Value | { value: Value; label: string })[],
  label: string,
  options?: ChoiceOptions<NoInfer<Value>>,
): z.ZodMiniType<Value, Value>;
export function choice(
  words: readonly (string | Choice)[],
  label: string,
  options: ChoiceOptions<string> & { blank?: string } = {},
) {
  const choices = words.map((word) => (typeof word === "string" ? { value: word, label: word } : word));
  const values = choices.map(({ value }) => String(value));
  const { blank = null, initial } = options;
  const facts: FieldFacts = {
    ...common(label, { ...options, required: blank === null }),
    kind: "choice",
    choices,
    blank,
    initial,
  };
  if (blank === null) return define(z.enum(values), facts);
  return define(schemas.orBlank(z.enum([...new Set([blank, ...values])]), blank), facts);
}

/** The id of a record of the list. */
export function lookup(list: ListName, label: string, options: Options & Required): z.ZodMiniInt;
export function lookup(
  list: ListName,
  label: string,
  options?: Options,
): ReturnType<typeof schemas.optionalId>;
export function lookup(list: ListName, label: string, options: Options = {}) {
  const facts: FieldFacts = {
    ...common(label, { sensitive: list === "clients", ...options }),
    kind: "lookup",
    list,
  };
  return options.required ? define(schemas.id(), facts) : define(schemas.optionalId(), facts);
}

/** Ids of records of the list, without duplicates. */
export function lookups(
  list: ListName,
  label: string,
  options: Options & Required,
): ReturnType<typeof schemas.idList>;
export function lookups(
  list: ListName,
  label: string,
  options?: Options,
): ReturnType<typeof schemas.optionalIdList>;
export function lookups(list: ListName, label: string, options: Options = {}) {
  const facts: FieldFacts = {
    ...common(label, options),
    kind: "lookups",
    list,
    max: schemas.ID_LIST_MAX,
  };
  return options.required ? define(schemas.idList(), facts) : define(schemas.optionalIdList(), facts);
}

/** Makes a field optional in a PUT: if it is omitted, the stored value does not change. */
export function optionalInPut<Schema extends z.core.$ZodType>(field: Schema): z.ZodMiniOptional<Schema> {
  const facts = declaredFacts(field);
  if (!facts) throw new Error("Only a field of the vocabulary can be optional in a PUT");
  return define(z.optional(field), { ...facts, required: false });
}

/** The version that the caller read; without it, a save overwrites the stored record. */
export const version = () =>
  define(z.optional(z.int().check(z.minimum(0), z.maximum(schemas.INT_MAX))), {
    ...common("Version", { inErrorReports: true, entered: false }),
    kind: "version",
  });

const rowId = () => define(z.optional(schemas.id()), { ...common("Id", { entered: false }), kind: "id" });
const removal = () =>
  define(schemas.flag(), { ...common("Remove", { inErrorReports: true, entered: false }), kind: "removal" });

/** The most rows of a list within a record. */
export const ROWS_MAX = 500;

type Shape = Record<string, z.core.$ZodType>;
type EntryShape<S extends Shape> = S & { id: ReturnType<typeof rowId> };
type RowShape<S extends Shape> = EntryShape<S> & { _destroy: ReturnType<typeof removal> };
export type Entry<S extends Shape> = z.ZodMiniOptional<z.ZodMiniNullable<z.ZodMiniObject<EntryShape<S>>>>;
export type Entries<S extends Shape> = z.ZodMiniOptional<z.ZodMiniArray<z.ZodMiniObject<RowShape<S>>>>;
type RowsOptions<S extends Shape> = Pick<EntryOptions<RowShape<S>>, "rule"> & {
  /** The reference that names a row. Each record is named by one row at most, and a row keeps the one that it names. */
  once?: keyof S & string;
  /** At least one row. */
  required?: boolean;
};
type EntryOptions<S extends Shape> = {
  /** A rule that involves several fields of a row. */
  rule?: (row: z.output<z.ZodMiniObject<S>>, context: z.core.$RefinementCtx) => void;
  dependsOn?: Dependence;
};

/** The record in a request body. */
export const record = <T extends Table, S extends Shape>(
  label: string,
  table: T,
  fields: S & Columns<T, S>,
): z.ZodMiniObject<S> => {
  const schema = define(z.object<S>(fields), { ...common(label, {}), kind: "record", table });
  for (const { facts, schema: field } of fieldsOf(schema))
    if (facts.kind === "custom") customRoots.set(field, schema);
  return schema;
};

/**
 * A record nested in another, with its own table. Adds `id`. Null removes it; if omitted, it does not change.
 */
export function entry<T extends Table, S extends Shape>(
  label: string,
  table: T,
  fields: S & Columns<T, S>,
  { rule, dependsOn }: EntryOptions<EntryShape<S>> = {},
): Entry<S> {
  const shape: S = fields;
  const row: z.ZodMiniObject<EntryShape<S>> = z.object({ id: rowId(), ...shape });
  const validated = rule ? row.check(z.superRefine(rule)) : row;
  return define(z.nullish(validated), { ...common(label, { dependsOn }), kind: "entry", table });
}

/**
 * A list of records nested in another. Adds `id` and `_destroy`. A list in a request replaces the whole list. A removed row
 * is read with its id alone, so code that reads other values of rows skips removed ones first.
 */
export function entries<T extends Table, S extends Shape>(
  label: string,
  table: T,
  fields: S & Columns<T, S>,
  { rule, once, required = false }: RowsOptions<S> = {},
): Entries<S> {
  const shape: S = fields;
  const row: z.ZodMiniObject<RowShape<S>> = z.object({ id: rowId(), _destroy: removal(), ...shape });
  const accepted = row.check(withoutRemovedValues());
  const validated = rule ? accepted.check(z.superRefine(rule)) : accepted;
  const list = z.array(validated).check(
    z.maxLength(ROWS_MAX),
    z.superRefine((rows, context) => checkRows(rows, { once, required }, context)),
  );
  rowSchemas.set(table, validated);
  return define(z.optional(list), { ...common(label, {}), required, kind: "entries", table, once });
}

/** Refuses a list without rows that must have one, and a second row of the same record. */
function checkRows(
  rows: readonly object[],
  { once, required }: { once: string | undefined; required: boolean },
  context: z.core.$RefinementCtx,
): void {
  const remaining = rows.map((row): Record<string, unknown> => (isRemoved(row) ? {} : { ...row }));
  if (required && remaining.every((row) => Object.keys(row).length === 0))
    context.addIssue({ code: "custom", message: REQUIRED, input: rows });
  if (once === undefined) return;
  const named = remaining.map((row) => row[once]);
  for (const [at, value] of named.entries())
    if (value !== undefined && named.indexOf(value) < at)
      context.addIssue({ code: "custom", message: "is listed twice", input: rows, path: [at, once] });
}
