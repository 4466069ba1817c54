import * as z from "zod/mini";
import { AUDIT_ACTIONS } from "@/lib/core/api/audit-acts";
import { dayFilter, filter, idFilter, listPage, listQuery } from "@/lib/core/api/list-query";
import { moment } from "@/lib/core/api/response";
import { id } from "@/lib/core/fields/validation";
import { isRecord } from "@/lib/core/objects";

const action = z.enum(AUDIT_ACTIONS);

/** One event of the audit trail: who did what to which record. It never contains values of the record. */
const auditEvent = z.object({
  id: id(),
  at: moment,
  userId: z.nullable(id()),
  userName: z.string(),
  action,
  entity: z.nullable(z.string()),
  entityId: z.nullable(z.int()),
  requestId: z.nullable(z.string()),
  address: z.nullable(z.string()),
  /** The names of changed fields, as paths on the wire without "Attributes". */
  fields: z.array(z.string()),
  /** The number of rows of a list or an export; null for other events. */
  rows: z.nullable(z.int()),
  /** The ids of the records that a list showed; null for other events. */
  shown: z.nullable(z.array(id())),
});
export type AuditEvent = z.output<typeof auditEvent>;

/** A user to filter the Audit Log by. */
export type AuditUser = { id: number; name: string; active: boolean };

export const auditEvents = listPage("auditEvents", auditEvent);

/**
 * `filters[views]=false` leaves out views: records opened, listed, searched or printed, or a phone number or a name shown.
 */
const viewsFilter = () =>
  z.pipe(
    filter(z.enum(["true", "false"], { error: "must be true or false" })),
    z.transform((value) => value !== "false"),
  );

/**
 * The query of a record's history. With `numbers=true`, phone numbers are not masked, and that they were shown is
 * recorded. `before` is the id of an event: the page has the events before it.
 */
export const historyQuery = z.object({
  before: idFilter(),
  numbers: z.pipe(
    filter(z.enum(["true", "false"], { error: "must be true or false" })),
    z.transform((value) => value === "true"),
  ),
  filters: z.catchall(
    z.object({ views: viewsFilter() }),
    z.undefined({ error: "is not a filter of this history" }),
  ),
});
export type HistoryQuery = { before?: number | null; numbers?: boolean; filters: { views: boolean } };

/**
 * The audit list's query; `from` and `to` are inclusive days. `entityId` also matches the lists, searches and exports
 * that showed that record. `views` does not apply if an `action` is chosen.
 */
export const auditListQuery = listQuery(
  ["at"],
  {
    userId: idFilter(),
    entity: filter(z.string().check(z.regex(/^[a-zA-Z]{1,60}$/, { error: "must be the name of a record" }))),
    entityId: idFilter(),
    action: filter(z.enum(AUDIT_ACTIONS, { error: "is not an audit action" })),
    views: viewsFilter(),
    from: dayFilter(),
    to: dayFilter(),
  },
  { sort: "at", order: "desc" },
);
export type AuditListQuery = ReturnType<typeof auditListQuery.parse>;

/** Returns the same query for a screen, which hides views unless its URL has `filters[views]=true`. */
export const hidingViews = <Query extends z.core.$ZodType>(query: Query) =>
  z.pipe(
    z.transform((given: unknown) => {
      if (!isRecord(given)) return given;
      const filters = isRecord(given.filters) ? given.filters : {};
      return { ...given, filters: { views: "false", ...filters } };
    }),
    query,
  );

/** A changed field with its values as stored and as formatted text; null if they may not be shown. */
const historyChange = z.object({
  field: z.string(),
  label: z.string(),
  from: z.unknown(),
  to: z.unknown(),
  fromText: z.nullable(z.string()),
  toText: z.nullable(z.string()),
});

const historyEvent = z.extend(
  z.pick(auditEvent, { id: true, at: true, userId: true, userName: true, action: true }),
  { changes: z.array(historyChange) },
);
export type HistoryEvent = z.output<typeof historyEvent>;

export const history = z.object({
  /** Newest first. */
  events: z.array(historyEvent),
  /** True if there are older events: those `before` the last of these. */
  truncated: z.boolean(),
});
export type History = z.output<typeof history>;

/** Describes a history to the API's callers. */
export const ABOUT_HISTORY =
  "`filters[views]=false` leaves out the events in which the record was only viewed. A page has at most 200 events, fewer if their values are long. If `truncated` is true, `before` with the id of the last one returns older events. Phone numbers are masked unless `numbers=true`, which is recorded as `revealed`.";
