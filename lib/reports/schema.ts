import * as z from "zod/mini";
import { DEFAULT_PAGE_SIZE, idFilter, idParam, paging } from "@/lib/core/api/list-query";
import { converted, id } from "@/lib/core/fields/validation";
import { REQUIRED } from "@/lib/core/fields/words";
import { EARLIEST_DAY, parseDate } from "@/lib/core/text/format";
import { REPORT_KEYS, UNITS } from "@/lib/reports/definitions";
import type { Period } from "@/lib/reports/periods";

// Parameters and responses of the report endpoints.

/** The last day a period may include; the current quarter ends in the future. */
const LATEST_DAY = "2099-12-31";

const day = converted(z.string({ error: REQUIRED }), (value, refuse) => {
  const iso = parseDate(value);
  if (iso !== null && iso >= EARLIEST_DAY && iso <= LATEST_DAY) return iso;
  return refuse(`must be a date like YYYY-MM-DD from ${EARLIEST_DAY} to ${LATEST_DAY}`);
});

/** The first and last day, both inclusive. */
export const period = { from: day, to: day };

/** A period and the filters: the advocate and the form type whose forms count. */
const parameters = {
  ...period,
  userId: idFilter(),
  formTypeId: idFilter(),
};

/** The error for a period that ends before it begins. */
const inOrder = { message: "must not be before from", path: ["to"] };
export const reportQuery = z.object(parameters).check(z.refine(({ from, to }) => from <= to, inOrder));
export type ReportQuery = z.output<typeof reportQuery>;

/** The query of a report and its file. `share=true` requests a copy for sharing (`isShareable`). */
export const sharedQuery = z
  .pipe(
    z.object({ ...parameters, share: z.optional(z.enum(["true", "false"])) }),
    z.transform((query) => ({ ...query, share: query.share === "true" })),
  )
  .check(z.refine(({ from, to }) => from <= to, inOrder));

/** The query of a screen. An invalid period becomes `otherwise`; lists have pages. */
export const screenQuery = (otherwise: Period) =>
  z.pipe(
    z.object({
      ...parameters,
      from: z.optional(day),
      to: z.optional(day),
      share: z.optional(z.string()),
      ...paging,
    }),
    z.transform(({ from = "", to = "", share, page = 1, perPage = DEFAULT_PAGE_SIZE, ...filters }) => {
      const query = { ...(from !== "" && from <= to ? { from, to } : otherwise), ...filters };
      return { asked: query, share: share === "true", page, perPage };
    }),
  );
export type ScreenQuery = z.output<ReturnType<typeof screenQuery>>;

export const reportKey = z.enum(REPORT_KEYS);

/** The last day that closing a period would close. */
export const openWorkQuery = z.object({ through: day });

/** The unfinished work of the days that a period to close would add; `gaps` is null without Reports. */
export const openWork = z.object({
  /** The first of these days. */
  from: z.iso.date(),
  /** The owner of the records whose gaps are counted; null for all records. */
  userId: z.nullable(id()),
  unreconciled: z.int(),
  /** The part of `unreconciled` that was returned. */
  returned: z.int(),
  drafts: z.int(),
  /** The part of `drafts` that is the caller's. Nobody can open those of others. */
  ownDrafts: z.int(),
  gaps: z.nullable(z.array(z.object({ report: reportKey, title: z.string(), count: z.nullable(z.int()) }))),
});
export const reportParams = z.object({ key: z.string() });
/** The path parameters of the screens. */
export const reportSegments = z.object({ report: z.string() });
export const lineSegments = z.object({ report: z.string(), line: z.string() });
export const submissionSegments = z.object({ report: z.string(), id: idParam });
export const gapSegments = z.object({ report: z.string(), field: z.string() });
export const lineParams = z.object({ key: z.string(), lineKey: z.string() });
export const gapParams = z.object({ key: z.string(), field: z.string() });

const count = z.int().check(z.nonnegative());
const ids = z.array(id());

export const reportResponse = z.object({
  key: reportKey,
  title: z.string(),
  from: z.string(),
  to: z.string(),
  sections: z.array(
    z.object({
      key: z.string(),
      title: z.string(),
      lines: z.array(
        z.object({
          key: z.string(),
          label: z.string(),
          unit: z.enum(UNITS),
          /** Null if suppressed, which only copies for sharing are. */
          count: z.nullable(count),
          suppressed: z.optional(z.literal(true)),
          help: z.string(),
        }),
      ),
    }),
  ),
  notes: z.array(z.string()),
});
export type Report = z.output<typeof reportResponse>;

type Section = Report["sections"][number];
/** A report without suppressed counts. */
export type ExactReport = Omit<Report, "sections"> & {
  sections: (Omit<Section, "lines"> & {
    lines: (Omit<Section["lines"][number], "suppressed" | "count"> & { count: number })[];
  })[];
};

export const behindResponse = z.object({
  clients: ids,
  forms: ids,
  /** Only in a report that counts stays. */
  stays: z.optional(ids),
  /** The same, and on lines that count contacts, whose other lists are empty. */
  contacts: z.optional(ids),
  /** In a report that counts stays, and on lines that count events, whose other lists are empty. */
  events: z.optional(ids),
  /** Only in a report that counts stays. */
  surveys: z.optional(ids),
});
export type Behind = z.output<typeof behindResponse>;

export const gapResponse = z.object({
  field: z.string(),
  label: z.string(),
  clients: ids,
  forms: ids,
  /** Only in a report that counts stays. */
  stays: z.optional(ids),
  /** Only of a gap of events. */
  events: z.optional(ids),
});
export type Gap = z.output<typeof gapResponse>;

const minutes = {
  minutes: count,
  otherMinutes: count,
  /** Of contacts that are linked to no form. */
  contactMinutes: count,
  activityMinutes: count,
  sessionMinutes: count,
  /** Of events in which the advocate was staff. */
  eventMinutes: count,
};
export const timeResponse = z.object({
  days: z.array(
    z.object({
      on: z.string(),
      codes: z.array(z.object({ serviceCodeId: id(), code: z.string(), minutes: count })),
      ...minutes,
    }),
  ),
  ...minutes,
});
export type Time = z.output<typeof timeResponse>;
