import "server-only";
import { rowsRecorded } from "@/lib/audit/record";
import { formerIds } from "@/lib/clients/merged";
import { clientsHiddenFrom, restrictClient } from "@/lib/clients/restrictions/restrictions";
import type { Involvement, Restriction, RestrictionsInput } from "@/lib/clients/restrictions/schema";
import type { Work } from "@/lib/clients/work";
import { can, type SessionUser } from "@/lib/core/access/permissions";
import {
  assertAllowed,
  selectClients,
  selectForms,
  visibleClientsWhere,
  visibleFormsWhere,
} from "@/lib/core/access/scope";
import { queryIn, rows, type Tx } from "@/lib/core/database/client";
import { invalid, notFound } from "@/lib/core/errors";
import { type Sql, sql } from "@/lib/core/sql";
import { draftsOf } from "@/lib/forms/drafts/drafts";
import { assertCanTakeOver, moveWork, readSuccessors } from "@/lib/forms/hand-over/move-work";
import type { UserOption } from "@/lib/lookups/resources/schema";

// A user's work for one client. A colleague can take it over when the client is hidden from that user.

/** True if the actor may see colleagues' forms about a client, and may therefore move them. */
const seesColleaguesForms = (actor: SessionUser): boolean => can(actor, "forms") && can(actor, "all-forms");

/**
 * Returns the user's work for the client. Throws 404 if the actor cannot see the client or the user does not exist.
 */
export async function involvementOf(
  actor: SessionUser,
  clientId: number,
  userId: number,
): Promise<Involvement> {
  assertAllowed(actor, "restrict-clients");
  type Row = { id: number; isAdvocate: boolean; forms: number; returned: number };
  const countForms = (where: Sql) =>
    selectForms(
      sql`count(*)::int`,
      visibleFormsWhere(actor),
      sql`f.client_id = c.id AND f.user_id = ${userId} AND ${where}`,
    );
  const [row] = await rowsRecorded<Row>(
    actor,
    { action: "viewed", entity: "client", client: "id" },
    selectClients(
      sql`c.id, c.user_id IS NOT DISTINCT FROM ${userId} AS "isAdvocate", (${countForms(sql`TRUE`)}) AS forms,
        (${countForms(sql`f.returned_at IS NOT NULL`)}) AS returned`,
      visibleClientsWhere(actor),
      sql`c.id = ${clientId} AND EXISTS (SELECT FROM users WHERE id = ${userId})`,
    ),
  );
  if (!row) throw notFound();
  const { isAdvocate, forms, returned } = row;
  if (!seesColleaguesForms(actor)) return { isAdvocate, forms: null, returned: null, drafts: null };
  const clientIds = [clientId, ...(await formerIds(rows, clientId))];
  const drafts = await draftsOf(rows, actor, { from: userId, hidden: actor, clientIds });
  return { isAdvocate, forms, returned, drafts: drafts.length };
}

/** Returns the active users who could take over the client's work: they hold Forms and may see the client. */
export function successorsOf(actor: SessionUser, clientId: number): Promise<UserOption[]> {
  assertAllowed(actor, "restrict-clients");
  return readSuccessors(rows, notHiddenFrom(clientId));
}

/** SQL condition: the client is not hidden from the user `u`. */
const notHiddenFrom = (clientId: number): Sql =>
  sql`NOT EXISTS (SELECT FROM client_restrictions r WHERE r.client_id = ${clientId} AND r.user_id = u.id)`;

/**
 * Transfers the user's work for the client, whose row is locked, to a colleague. Throws 422 on `fromUserId` unless this
 * change hides the client from them, and on `toUserId` if they cannot take over.
 */
async function handOverClient(
  tx: Tx,
  actor: SessionUser,
  clientId: number,
  { fromUserId: from, toUserId: to }: NonNullable<RestrictionsInput["handOver"]>,
  newlyHiddenFrom: readonly number[],
): Promise<Work> {
  if (!newlyHiddenFrom.includes(from))
    throw invalid("handOver.fromUserId", "The client is not being hidden from this user");
  await assertCanTakeOver(tx, "handOver.toUserId", from, to);
  const query = queryIn(tx);
  const successors = await readSuccessors(query, notHiddenFrom(clientId));
  if (newlyHiddenFrom.includes(to) || !successors.some(({ id }) => id === to))
    throw invalid("handOver.toUserId", "This colleague cannot work with this client");
  const hidden = { hiddenClients: [...actor.hiddenClients, ...(await clientsHiddenFrom(query, to))] };
  const clientIds = [clientId, ...(await formerIds(query, clientId))];
  const clientsOnly = !seesColleaguesForms(actor);
  return moveWork(tx, actor, { from, to, hidden, clientIds, clientsOnly });
}

/**
 * Hides a client as `restrictClient` does. With `handOver`, it first transfers one user's work for the client.
 */
export function hideClient(
  actor: SessionUser,
  clientId: number,
  { handOver, ...input }: RestrictionsInput,
): Promise<{ restrictions: Restriction[]; handedOver?: Work }> {
  return restrictClient(
    actor,
    clientId,
    input,
    handOver && ((tx, newly) => handOverClient(tx, actor, clientId, handOver, newly)),
  );
}
