import "server-only";
import { auditRead } from "@/lib/audit/record";
import type { SessionUser } from "@/lib/core/access/permissions";
import { rows } from "@/lib/core/database/client";
import type { LookupItem } from "@/lib/core/records/lookup-item";
import { sql } from "@/lib/core/sql";
import { holdingsOf } from "@/lib/forms/hand-over/hand-over";
import { readSuccessors } from "@/lib/forms/hand-over/move-work";
import { invitationDelivery } from "@/lib/identity/users";

/**
 * Returns the data of an account's page in addition to its fields. The caller has already read the account for the
 * actor.
 */
export async function accountScreen(actor: SessionUser, user: LookupItem) {
  const [holdings, colleagues] = await Promise.all([
    holdingsOf(actor, user.id),
    readSuccessors(rows, sql`u.id <> ${user.id}`),
  ]);
  await auditRead(actor, { action: "listed", entity: "user", shown: colleagues.map(({ id }) => id) });
  return {
    name: String(user.fullName),
    email: String(user.email),
    status: String(user.status),
    twoStep: user.twoStep === true,
    isOwn: user.id === actor.userId,
    holdings,
    colleagues,
    invitation: invitationDelivery(String(user.email)),
  };
}
