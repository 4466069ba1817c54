import "server-only";
import { forbidden } from "@/lib/api/errors";
import { type Access, allows, can, canAny, type SessionUser } from "@/lib/auth/permissions";

/** The user whose forms are visible: only the actor's own without All Forms, else everyone's (null). */
const onlyOwner = (actor: SessionUser): number | null => (can(actor, "all-forms") ? null : actor.userId);

/**
 * Which forms the actor may see and change (contract §2), as a Prisma filter. Together with `visibleFormsWhere`
 * the only author of that rule: list, read, update, delete and reconcile all go through it.
 */
export function visibleForms(actor: SessionUser): { userId?: number } {
  const owner = onlyOwner(actor);
  return owner === null ? {} : { userId: owner };
}

/**
 * The same rule as a condition on the alias `f`, for a statement that takes its values by `bind`, which answers their
 * placeholders. It names no user where everyone's forms are visible, so that indexes serve either case.
 */
export function visibleFormsWhere(actor: SessionUser, bind: (value: unknown) => string): string {
  const owner = onlyOwner(actor);
  return owner === null ? "true" : `f.user_id = ${bind(owner)}`;
}

/** Refuses with 403 a read that needs more than the actor holds. */
export function assertAllowed(actor: SessionUser, need: Access): void {
  if (!allows(need, actor)) throw forbidden();
}

/**
 * Which clients the actor may see (contract §2), as a condition on the alias `c`; the only author of that rule: all of
 * them, for who holds Clients or Forms, and none for anyone else.
 */
export const visibleClientsWhere = (actor: SessionUser): string =>
  canAny(actor, ["clients", "forms"]) ? "TRUE" : "FALSE";
