// The words of the audit trail (contract §8), for both sides.

export const AUDIT_ACTIONS = [
  "signed-in",
  "sign-in-failed",
  "signed-out",
  "refused",
  "viewed",
  "listed",
  "searched",
  "printed",
  "revealed",
  "exported",
  "created",
  "updated",
  "removed",
  "reconciled",
  "unreconciled",
  "returned",
  "reset-sent",
  "deactivated",
  "reactivated",
  "purged",
  "restricted",
  "merged",
  "imported",
  "alarm",
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** What readings leave: only holders of Audit Log see these in a record's history. */
export const READINGS: readonly AuditAction[] = [
  "refused",
  "viewed",
  "listed",
  "searched",
  "printed",
  "revealed",
  "exported",
];
