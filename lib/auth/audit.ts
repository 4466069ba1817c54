import "server-only";
import type { SessionUser } from "@/lib/auth/permissions";
import type { Db, Tx } from "@/lib/database/client";
import type { Statement } from "@/lib/database/record-write";

/** What was done to a record. Views are recorded too, to answer "who has seen this record". */
export type AuditAction =
  | "viewed"
  | "created"
  | "updated"
  | "removed"
  | "reconciled"
  | "unreconciled"
  | "returned"
  | "revealed";
export type AuditEntity = "client" | "form" | "user" | "role" | "closedPeriods";

/**
 * Records who did what to which record, in the same transaction as the change. The contents of the record are never
 * stored.
 */
export async function audit(
  tx: Tx | Db,
  actor: SessionUser,
  action: AuditAction,
  entity: AuditEntity,
  entityId: number,
): Promise<void> {
  const userName = `${actor.firstName} ${actor.lastName}`;
  await tx.auditEvent.create({ data: { userId: actor.userId, userName, action, entity, entityId } });
}

/**
 * The same as part of a larger SQL statement: one audit row for each row of the part `of`, which holds the record ids.
 */
export function auditPart(
  statement: Statement,
  actor: SessionUser,
  action: AuditAction,
  entity: AuditEntity,
  of: string,
): void {
  const values = [actor.userId, `${actor.firstName} ${actor.lastName}`, action, entity];
  const bound = values.map((value) => statement.bind(value));
  statement.with(
    `INSERT INTO audit_events (user_id, user_name, action, entity, entity_id) SELECT ${bound.join(", ")}, id FROM ${of}`,
  );
}
