// The actions that the audit trail records, for server and browser.

const views = ["viewed", "listed", "searched", "printed", "revealed"] as const;
const readings = ["refused", ...views, "exported"] as const;

export const AUDIT_ACTIONS = [
  "signed-in",
  "sign-in-failed",
  "signed-out",
  ...readings,
  "created",
  "updated",
  "removed",
  "reconciled",
  "unreconciled",
  "returned",
  "commented",
  "withdrawn",
  "reset-sent",
  "deactivated",
  "reactivated",
  "purged",
  "restricted",
  "merged",
  "unmerged",
  "imported",
  "alarm",
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** Actions that change nothing. In a record's history, only holders of Audit Log see them. */
export const READINGS: readonly AuditAction[] = readings;

/** Actions in which records were only viewed. Lists of events hide them unless requested. */
export const VIEWS: readonly AuditAction[] = views;
