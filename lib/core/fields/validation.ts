import * as z from "zod/mini";
import { isHidden } from "@/lib/core/fields/facts";
import { NOT_A_DATE, REQUIRED } from "@/lib/core/fields/words";
import {
  date,
  EARLIEST_DAY,
  latestDay,
  type MaskName,
  masks,
  parseDate,
  whole,
} from "@/lib/core/text/format";
import { hasDirection, withoutDirection, withoutInvisible } from "@/lib/core/text/invisible";

// Schemas of field values, with their bounds and messages.

export const INT_MAX = 2_147_483_647;
export const TEXT_MAX = 255;
export const LONG_TEXT_MAX = 10_000;
export const COUNT_MAX = 99;
/** Minutes of a day. */
export const MINUTES_MAX = 1440;
export const ID_LIST_MAX = 1_000;
/** The largest amount that fits the column, numeric(12, 2). */
export const AMOUNT_MAX = 9_999_999_999.99;

const NOT_IN_ONE_LINE = /[\p{Cc}\p{Zl}\p{Zp}\p{Surrogate}]/gu;

/** False for text with U+0000, which PostgreSQL cannot store, or a lone surrogate, which has no UTF-8 form. */
export const isStorable = (value: string) => !value.includes("\0") && !/\p{Surrogate}/u.test(value);

const tooLong = (max: number) => ({ error: `must be at most ${whole(max)} characters` });
const line = (clean: (value: string) => string) =>
  z.string().check(
    z.overwrite((value) => clean(withoutInvisible(value))),
    z.maxLength(TEXT_MAX, tooLong(TEXT_MAX)),
    z.refine((value) => !hasDirection(value), { error: "must not contain invisible direction characters" }),
    z.refine((value) => value.search(NOT_IN_ONE_LINE) < 0, {
      error: "must not contain tabs, line breaks, or control characters",
    }),
  );
const lines = () =>
  z
    .string()
    .check(
      z.maxLength(LONG_TEXT_MAX, tooLong(LONG_TEXT_MAX)),
      z.refine(isStorable, { error: "must not contain control characters" }),
    );

/**
 * Makes a value optional: absent and null are `blank`. A hidden field that is absent stays absent, because a record that
 * replaces a stored one keeps the stored value (lib/core/database/record-merge.ts).
 */
export function orBlank<Schema extends z.core.$ZodType, Blank>(
  value: Schema,
  blank: Blank,
): z.ZodMiniPipe<z.ZodMiniOptional<z.ZodMiniNullable<Schema>>, z.ZodMiniTransform<z.output<Schema> | Blank>>;
export function orBlank(value: z.core.$ZodType, blank: unknown): z.ZodMiniType {
  const schema: z.ZodMiniType = z.pipe(
    z.nullish(value),
    z.transform((given) => (given === undefined && isHidden(schema) ? undefined : (given ?? blank))),
  );
  return schema;
}

/** Accepts "" and converts it to `value`. */
export const emptyAs = <Value>(value: Value) =>
  z.pipe(
    z.literal(""),
    z.transform(() => value),
  );

/** Optional text of one line; absent or null is stored as "". */
export const text = () =>
  orBlank(
    line((value) => value),
    "",
  );
/** Optional text of several lines; absent or null is stored as "". */
export const longText = () => orBlank(lines(), "");
/**
 * Required text of one line. Leading and trailing white space is removed, such as the tab of a copied cell.
 */
export const requiredText = () =>
  line((value) => value.trim()).check(
    z.refine((value) => /[^\s\u200C\u200D]/.test(value), { error: REQUIRED }),
  );
/** The same for several lines. */
export const requiredLongText = () => lines().check(z.trim(), z.minLength(1, { error: REQUIRED }));
/** Converts stored or configured text to one line, for names in messages. */
export const oneLine = (value: string): string => withoutDirection(value).replace(NOT_IN_ONE_LINE, "");
/** A typed or pasted search; absent or null is "". Tabs and line breaks are blanks; invisible characters do not count. */
export const searchText = () =>
  orBlank(
    line((value) => withoutDirection(value).replace(/[\s\u0085]/g, " ")),
    "",
  );

/**
 * The same as `text`, in the format of the mask if it fits. `unfitTexts` (lib/core/fields/masked.ts) refuses one that does
 * not, unless it is stored already.
 */
export const maskedText = (mask: MaskName) => orBlank(line(masks[mask]), "");

/** A checkbox; absent or null is false, or `blank`. */
export const flag = (blank = false) => orBlank(z.boolean(), blank);
export const id = () => z.int().check(z.minimum(1), z.maximum(INT_MAX));
/** An optional reference; absent, null and "" are null. */
export const optionalId = () => orBlank(z.union([id(), emptyAs(null)]), null);
const distinct = (ids: number[]) => [...new Set(ids)];
/** Ids, or none; duplicates are removed. */
export const idList = () => z.pipe(z.array(id()).check(z.maxLength(ID_LIST_MAX)), z.transform(distinct));
/** From 1 to `max` ids; duplicates are removed. */
export const distinctIds = (max: number) =>
  z.pipe(z.array(id()).check(z.minLength(1), z.maxLength(max)), z.transform(distinct));
/** The same as `idList`; absent or null is []. */
export const optionalIdList = () => orBlank<z.ZodMiniType<number[], number[]>, number[]>(idList(), []);
/** A whole number from `min`; absent, null and "" are `initial`. */
export const wholeNumber = (max: number, min = 0, initial = min) =>
  orBlank(z.union([z.int().check(z.minimum(min), z.maximum(max)), emptyAs(initial)]), initial);

/** A whole number, or null when absent, null or "". */
export const optionalNumber = (max: number, min = 0) =>
  orBlank(z.union([z.int().check(z.minimum(min), z.maximum(max)), emptyAs(null)]), null);

/** Converts the schema's value with `convert`, which may refuse it with a message. */
export const converted = <Schema extends z.core.$ZodType, Value>(
  schema: Schema,
  convert: (value: z.output<Schema>, refuse: (message: string) => never) => Value,
) =>
  z.pipe(
    schema,
    z.transform((input: z.output<Schema>, { issues }) =>
      convert(input, (message) => {
        issues.push({ code: "custom", message, input });
        return z.NEVER;
      }),
    ),
  );

/** A day that `parseDate` reads, from 1900-01-01. */
export const anyDate = () =>
  converted(z.string(), (value, refuse) => {
    const iso = parseDate(value);
    if (iso !== null && iso >= EARLIEST_DAY) return iso;
    return refuse(iso === null ? NOT_A_DATE : `must not be before ${date(EARLIEST_DAY)}`);
  });

/** The same, up to tomorrow. */
export const pastDate = () =>
  anyDate().check(z.refine((iso) => iso <= latestDay(), { error: "must not be in the future" }));

/** The same, or null when absent, null or "". */
export const optionalPastDate = () => orBlank(z.union([emptyAs(null), pastDate()]), null);

/** A day from 1900-01-01, or null when absent, null or "". */
export const optionalDate = () => orBlank(z.union([emptyAs(null), anyDate()]), null);

/** An amount from 0, with two decimals. */
export const amount = () =>
  z
    .number({
      error: ({ input }) => (input === undefined || input === null ? REQUIRED : "must be a number"),
    })
    .check(
      z.minimum(0),
      z.maximum(AMOUNT_MAX),
      z.refine((value) => Number(value.toFixed(2)) === value, { error: "must have at most 2 decimals" }),
    );

/** An email address, converted to lower case. */
export const email = () =>
  z.pipe(
    z.pipe(requiredText(), z.email({ error: "must be a valid email address" })),
    z.transform((value) => value.toLowerCase()),
  );

z.config({
  customError: (issue) => {
    const missing = issue.input === undefined || issue.input === null || issue.input === "";
    switch (issue.code) {
      case "invalid_type":
        if (missing) return REQUIRED;
        if (issue.expected === "object" || issue.expected === "record") return "must be an object";
        if (issue.expected === "array") return "must be a list";
        if (issue.expected === "boolean") return "must be true or false";
        return issue.expected === "string" ? "must be text" : "must be a whole number";
      case "invalid_union":
        return missing ? REQUIRED : "is not valid";
      case "invalid_value":
        return missing
          ? REQUIRED
          : `must be one of ${issue.values.filter((value) => value !== "").join(", ")}`;
      case "too_big":
        return issue.origin === "array"
          ? `must have at most ${issue.maximum} entries`
          : `must be at most ${whole(issue.maximum)}`;
      case "too_small":
        return `must be ${issue.minimum} or more`;
      default:
        return undefined;
    }
  },
});
