import * as z from "zod/mini";
import { converted, emptyAs, id, orBlank } from "@/lib/core/fields/validation";
import { NOT_A_DATE, REQUIRED } from "@/lib/core/fields/words";
import { EARLIEST_DAY, parseDate } from "@/lib/core/text/format";
import { NO_LINE } from "@/lib/lookups/report-lines";
import { REPORT_KEYS } from "@/lib/reports/definitions";
import type { Source } from "@/lib/reports/mapping";
import { KINDS, KINDS_BY_FORM_TYPE, linesFor, MAPPING_KINDS, type Mapping } from "@/lib/reports/mapping";
import { quarterOf } from "@/lib/reports/periods";
import { reportQuery } from "@/lib/reports/schema";

// Reading, trying and saving a report's mappings. Every call sends the whole list, so that the saved setup is exactly
// the tried one.

const day = converted(z.string(), (value, refuse) => {
  const iso = parseDate(value);
  if (iso !== null && iso >= EARLIEST_DAY) return iso;
  return refuse(NOT_A_DATE);
});

const quarterStart = day.check(
  z.refine((iso) => quarterOf(iso).from === iso, { error: "must be the first day of a quarter" }),
);

const name = z.string().check(z.minLength(1, { error: REQUIRED }), z.maxLength(100));

/** The most rows of a setup. */
export const ROWS_MAX = 5_000;

const mappingInput = z.object({
  kind: z.enum(MAPPING_KINDS),
  source: name,
  formTypeId: orBlank(id(), null),
  line: name,
  validFrom: day,
  validThrough: orBlank(z.union([emptyAs(null), day]), null),
});

export const setupBody = z.object({
  setup: z.object({
    yearStart: z.int().check(z.minimum(1), z.maximum(12)),
    /** If it is missing, it stays the same. */
    dueDays: z.optional(z.int().check(z.minimum(0), z.maximum(365))),
    /** The first day of the first quarter that is due; null for the first of the program's own use. If it is missing, it stays the same. */
    dueFrom: z.optional(z.nullable(quarterStart)),
    lockVersion: z.int().check(z.nonnegative()),
    mappings: z.array(mappingInput).check(z.maxLength(ROWS_MAX)),
    /** True to save rows that change days of a submitted or closed period. */
    confirmed: z.optional(z.boolean()),
  }),
});
export type SetupInput = z.output<typeof setupBody>["setup"];

const mappingResponse = z.object({
  kind: z.enum(MAPPING_KINDS),
  source: z.string(),
  formTypeId: z.nullable(id()),
  line: z.string(),
  validFrom: z.string(),
  validThrough: z.nullable(z.string()),
});

/** A value that can be mapped. */
const sourceResponse = z.object({ kind: z.enum(MAPPING_KINDS), source: z.string(), label: z.string() });

export const setupResponse = z.object({
  setup: z.object({
    report: z.enum(REPORT_KEYS),
    yearStart: z.int(),
    dueDays: z.int(),
    dueFrom: z.nullable(z.string()),
    /** The first quarter that is due if `dueFrom` is null, by its first day. */
    firstDue: z.nullable(z.string()),
    lockVersion: z.int(),
    mappings: z.array(mappingResponse),
    sources: z.array(sourceResponse),
  }),
});
export type SetupResponse = z.output<typeof setupResponse>["setup"];

export const tryBody = setupBody;
export const tryQuery = reportQuery;
export const tryResponse = z.object({
  changes: z.array(
    z.object({
      key: z.string(),
      section: z.string(),
      label: z.string(),
      before: z.int(),
      after: z.int(),
    }),
  ),
});
export type Change = z.output<typeof tryResponse>["changes"][number];

/** The most rows of one value: lines, form types, and periods together. */
const ROWS_PER_VALUE_MAX = 200;

type Placed = Mapping & { at: number };
const lastDay = ({ validThrough }: Mapping) => validThrough ?? "9999";

/**
 * Yields the pairs of rows that are on the same days but may not be, with the message for the one that is further down.
 * `rows` are those of one value and form type. One pass in the order of their first days finds a pair for each such row.
 */
function* conflictsOf(rows: readonly Placed[], several: boolean): Generator<[number, string]> {
  const latest = (one: Placed | undefined, other: Placed) =>
    one && lastDay(one) >= lastDay(other) ? one : other;
  const byLine = new Map<string, Placed>();
  let any: Placed | undefined;
  for (const row of rows.toSorted(
    (a, b) => Number(a.validFrom > b.validFrom) - Number(a.validFrom < b.validFrom),
  )) {
    const reaches = (other: Placed | undefined) => other !== undefined && lastDay(other) >= row.validFrom;
    const same = byLine.get(row.line);
    const elsewhere = several && row.line !== NO_LINE ? byLine.get(NO_LINE) : any;
    if (same && reaches(same))
      yield [Math.max(same.at, row.at), "This value already counts on this line on the same days"];
    else if (elsewhere && reaches(elsewhere))
      yield [Math.max(elsewhere.at, row.at), "This value is mapped elsewhere on the same days"];
    byLine.set(row.line, latest(same, row));
    any = latest(any, row);
  }
}

/** Returns the error messages for invalid mappings, by the path of the field; empty if all are valid. */
export function mappingProblems(
  report: (typeof REPORT_KEYS)[number],
  mappings: readonly Mapping[],
  sources: readonly Source[],
  formTypes: ReadonlySet<number>,
): Record<string, string> {
  const problems: Record<string, string> = {};
  const addProblem = (at: number, field: string, message: string) => {
    problems[`setup.mappings.${at}.${field}`] ??= message;
  };
  const sourceKeys = new Set(sources.map(({ kind, source }) => `${kind} ${source}`));
  const lines = new Map(
    MAPPING_KINDS.map((kind) => [kind, new Set(linesFor(report, kind).map(({ key }) => key))]),
  );
  const rowsOf = new Map<string, number>();
  const groups = new Map<string, Placed[]>();
  for (const [at, mapping] of mappings.entries()) {
    const { kind, source, formTypeId, line, validFrom, validThrough } = mapping;
    const value = `${kind} ${source}`;
    const count = (rowsOf.get(value) ?? 0) + 1;
    rowsOf.set(value, count);
    if (!sourceKeys.has(value)) addProblem(at, "source", "This value is not in the list");
    // Once for each value: it is the reason why the rows after this one are not checked.
    else if (count === ROWS_PER_VALUE_MAX + 1)
      addProblem(at, "source", `One value can have at most ${ROWS_PER_VALUE_MAX} rows`);
    if (count > ROWS_PER_VALUE_MAX) continue;
    if (line !== NO_LINE && !lines.get(kind)?.has(line))
      addProblem(at, "line", "This is not a line for this value");
    if (formTypeId !== null && !KINDS_BY_FORM_TYPE.includes(kind))
      addProblem(at, "formTypeId", "A form type is for service codes only");
    if (formTypeId !== null && !formTypes.has(formTypeId))
      addProblem(at, "formTypeId", "This form type is not in the list");
    if (validThrough !== null && validThrough < validFrom) {
      addProblem(at, "validThrough", "The last day must not be before the first day");
      continue;
    }
    const group = groups.get(`${value} ${formTypeId}`) ?? [];
    group.push({ ...mapping, at });
    groups.set(`${value} ${formTypeId}`, group);
  }
  for (const group of groups.values()) {
    const several = group[0] !== undefined && KINDS[group[0].kind].several;
    for (const [at, message] of conflictsOf(group, several)) addProblem(at, "validFrom", message);
  }
  return problems;
}
