import "server-only";
import { forbidden } from "@/lib/api/errors";
import { type Access, allows, can, canAny, type SessionUser } from "@/lib/auth/permissions";
import type { Bind } from "@/lib/database/bind";
import { env } from "@/lib/server/env";

/** The user whose forms are visible to the actor; null means everyone's, with All Forms. */
const onlyOwner = (actor: SessionUser): number | null => (can(actor, "all-forms") ? null : actor.userId);

/** Whose records do not exist for an actor, who is a user or acts for one. */
export type Hiding = Pick<SessionUser, "hiddenClients">;

/** ` AND …`: the client with this id (SQL, not null) is not hidden from the actor; "" where none is. */
export const andNotHidden = ({ hiddenClients }: Hiding, clientId: string, bind: Bind): string =>
  hiddenClients.length === 0 ? "" : ` AND ${clientId} <> ALL(${bind(hiddenClients)}::int[])`;

/**
 * Which forms the actor may see and change (contract §2), as a Prisma filter. This and `visibleFormsWhere` are the only
 * places where the rule is written: list, read, update, delete and reconcile all use them.
 */
export function visibleForms(actor: SessionUser): { userId?: number; clientId?: { notIn: number[] } } {
  const owner = onlyOwner(actor);
  return {
    ...(owner !== null && { userId: owner }),
    ...(actor.hiddenClients.length > 0 && { clientId: { notIn: [...actor.hiddenClients] } }),
  };
}

/**
 * The same rule as an SQL condition on the alias `f`. `bind` adds a value to the statement and returns its placeholder.
 * When everyone's forms are visible the condition names no user, so that indexes can be used in either case.
 */
export function visibleFormsWhere(actor: SessionUser, bind: Bind): string {
  const owner = onlyOwner(actor);
  return `${owner === null ? "true" : `f.user_id = ${bind(owner)}`}${andNotHidden(actor, "f.client_id", bind)}`;
}

/**
 * Which forms of colleagues the actor may know to exist, by date and type and no more (contract §9): none, unless the
 * organisation allows it. A condition on the alias `f`.
 */
export function colleaguesFormsWhere(actor: SessionUser, bind: Bind): string {
  const owner = onlyOwner(actor);
  if (owner === null || !env().SHOW_COLLEAGUES_FORMS) return "FALSE";
  return `f.user_id <> ${bind(owner)}${andNotHidden(actor, "f.client_id", bind)}`;
}

/** Throws 403 if the actor lacks the permission that a read needs. */
export function assertAllowed(actor: SessionUser, need: Access): void {
  if (!allows(need, actor)) throw forbidden();
}

/**
 * Whether the actor may see clients (contract §2): holders of Clients or Forms see all who are not hidden from them,
 * others none. This is the only place where the rule is written.
 */
export const seesClients = (actor: SessionUser): boolean => canAny(actor, ["clients", "forms"]);

/** The same as an SQL condition on the alias `c`. A purged client is no longer there. */
export const visibleClientsWhere = (actor: SessionUser, bind: Bind): string =>
  seesClients(actor) ? remainingClientsWhere(actor, bind) : "FALSE";

/** The condition on `c` that the client was not purged. */
export const REMAINING = "NOT c.purged";

/** The condition on `c` that the client is there for the actor, who may not see more of them than that. */
export const remainingClientsWhere = (actor: Hiding, bind: Bind): string =>
  `${REMAINING}${andNotHidden(actor, "c.id", bind)}`;

/** The same with those of whom a purge has left only what reports count, where they appear with their forms. */
export const countedClientsWhere = (actor: SessionUser, bind: Bind): string =>
  `${seesClients(actor) ? "TRUE" : "FALSE"}${andNotHidden(actor, "c.id", bind)}`;
