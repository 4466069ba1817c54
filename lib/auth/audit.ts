import "server-only";
import type { SessionUser } from "@/lib/auth/permissions";
import type { Db, Tx } from "@/lib/database/client";
import type { Statement } from "@/lib/database/record-write";

/** What happened to a record; `viewed` too, so that "who saw this record" has an answer. */
export type AuditAction = "viewed" | "created" | "updated" | "removed" | "reconciled" | "unreconciled";
export type AuditEntity = "client" | "form" | "user" | "role";

/** Records who did what to which record, in the transaction of the deed. Never what the record holds. */
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

/** The same as a part of a statement, once for each row of the part `of`, which knows the record's id. */
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
