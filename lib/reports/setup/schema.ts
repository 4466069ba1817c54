import { z } from "zod/mini";
import { parseDate } from "@/lib/core/fields/format";
import { converted, EARLIEST_DAY, emptyAs, id, orBlank } from "@/lib/core/fields/validation";
import { NOT_A_DATE, REQUIRED } from "@/lib/core/fields/words";
import { REPORT_KEYS } from "@/lib/reports/definitions";
import {
  KINDS,
  KINDS_BY_FORM_TYPE,
  linesFor,
  MAPPING_KINDS,
  type Mapping,
  NO_LINE,
} from "@/lib/reports/mapping";
import { reportQuery } from "@/lib/reports/schema";

// Reading, trying and saving a report's mappings. Every call sends the whole list, so that the saved setup is exactly
// the tried one.

const day = converted(z.string(), (value, refuse) => {
  const iso = parseDate(value);
  if (iso !== null && iso >= EARLIEST_DAY) return iso;
  return refuse(NOT_A_DATE);
});

const name = z.string().check(z.minLength(1, { error: REQUIRED }), z.maxLength(100));

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
    lockVersion: z.int().check(z.nonnegative()),
    mappings: z.array(mappingInput).check(z.maxLength(5_000)),
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
export type Source = z.output<typeof sourceResponse>;

export const setupResponse = z.object({
  setup: z.object({
    report: z.enum(REPORT_KEYS),
    yearStart: z.int(),
    dueDays: z.int(),
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

const overlaps = (a: Mapping, b: Mapping): boolean =>
  a.validFrom <= (b.validThrough ?? "9999") && b.validFrom <= (a.validThrough ?? "9999");

/** Returns the error messages for invalid mappings, by the path of the field; empty if all are valid. */
export function mappingProblems(
  report: (typeof REPORT_KEYS)[number],
  mappings: readonly Mapping[],
  sources: readonly Source[],
  formTypes: ReadonlySet<number>,
): Record<string, string> {
  const problems: Record<string, string> = {};
  const sourceKeys = new Set(sources.map(({ kind, source }) => `${kind} ${source}`));
  const bySource = new Map<string, (Mapping & { at: number })[]>();
  for (const [at, { kind, source, formTypeId, line, validFrom, validThrough }] of mappings.entries()) {
    const addProblem = (field: string, message: string) => {
      problems[`setup.mappings.${at}.${field}`] ??= message;
    };
    const mapping = { kind, source, formTypeId, line, validFrom, validThrough, at };
    bySource.set(`${kind} ${source}`, [...(bySource.get(`${kind} ${source}`) ?? []), mapping]);
    if (!sourceKeys.has(`${kind} ${source}`)) addProblem("source", "is not in the list");
    if (line !== NO_LINE && !linesFor(report, kind).some(({ key }) => key === line))
      addProblem("line", "is not a line for this");
    if (formTypeId !== null && !KINDS_BY_FORM_TYPE.includes(kind))
      addProblem("formTypeId", "is for service codes only");
    if (formTypeId !== null && !formTypes.has(formTypeId)) addProblem("formTypeId", "is not in the list");
    if (validThrough !== null && validThrough < validFrom)
      addProblem("validThrough", "must not be before the first day");
  }
  for (const same of bySource.values()) {
    for (const [place, one] of same.entries()) {
      const others = same
        .slice(place + 1)
        .filter((other) => other.formTypeId === one.formTypeId && overlaps(one, other));
      for (const other of others) {
        const path = `setup.mappings.${other.at}.validFrom`;
        if (other.line === one.line) problems[path] ??= "already counts on this line on the same days";
        else if (!KINDS[one.kind].several || one.line === NO_LINE || other.line === NO_LINE)
          problems[path] ??= "is mapped elsewhere on the same days";
      }
    }
  }
  return problems;
}
