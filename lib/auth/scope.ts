import "server-only";
import { can, type SessionUser } from "@/lib/auth/permissions";

/** The user whose forms are visible: only the actor's own without All Forms, else everyone's (null). */
const onlyOwner = (actor: SessionUser): number | null => (can(actor, "all-forms") ? null : actor.userId);

/**
 * Which forms the actor may see and change (contract §2), as a Prisma filter. Together with `visibleFormsSql`
 * the only author of that rule: list, read, update, delete and reconcile all go through it.
 */
export function visibleForms(actor: SessionUser): { userId?: number } {
  const owner = onlyOwner(actor);
  return owner === null ? {} : { userId: owner };
}

/** The same rule as a condition on the alias `f`; `parameter` is the placeholder that carries `value`. */
export function visibleFormsSql(
  actor: SessionUser,
  parameter: string,
): { sql: string; value: number | null } {
  return { sql: `(${parameter}::int IS NULL OR f.user_id = ${parameter}::int)`, value: onlyOwner(actor) };
}

/** The same condition for a statement that takes its values by `bind`, which answers their placeholders. */
export const visibleFormsWhere = (actor: SessionUser, bind: (value: unknown) => string): string =>
  visibleFormsSql(actor, bind(onlyOwner(actor))).sql;
