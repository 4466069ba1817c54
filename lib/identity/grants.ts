import "server-only";
import { can, type PermissionName, type SessionUser } from "@/lib/core/access/permissions";
import { allRows } from "@/lib/core/access/scope";
import type { Tx } from "@/lib/core/database/client";
import { invalid } from "@/lib/core/errors";

// Rules for granting permissions and for changing accounts and roles.

const LOCK = 7_311_002;

/** Returns the number of accounts that can sign in and hold both permissions. */
async function countHolders(tx: Tx, both: readonly [PermissionName, PermissionName]): Promise<number> {
  const [row] = await tx.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM users u
    WHERE u.active AND u.activated_at IS NOT NULL AND (u.password_hash IS NOT NULL OR u.sso_subject IS NOT NULL) AND 2 = (
      SELECT count(*) FROM role_permissions rp JOIN permissions p ON p.id = rp.permission_id
      WHERE rp.role_id = u.role_id AND p.name::text = ANY(${both}))`;
  return row?.count ?? 0;
}

/** Returns the number of accounts that can sign in and hold Users and Roles. */
export const countAdministrators = (tx: Tx): Promise<number> => countHolders(tx, ["Users", "Roles"]);
const countLifters = (tx: Tx) => countHolders(tx, ["Restrict Clients", "Clients"]);

/**
 * Runs a change to users or roles, one at a time across all processes. Throws 422 if the change would leave no account
 * that can sign in and holds Users and Roles. Also throws 422 if it would leave none that can lift a restriction while
 * a client is hidden from anybody. Without the lock, two administrators could remove each other at the same time.
 * `field` is the path of the field that the error names.
 */
export async function keepingLastHolders<T>(tx: Tx, field: string, change: () => Promise<T>): Promise<T> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${LOCK})`;
  const administrators = await countAdministrators(tx);
  const lifters = await countLifters(tx);
  const result = await change();
  const refused = (names: string) => invalid(field, `This would remove the last account that has ${names}`);
  if (administrators > 0 && (await countAdministrators(tx)) === 0) throw refused("Users and Roles");
  if (lifters > 0 && (await countLifters(tx)) === 0 && (await tx.clientRestriction.findFirst()))
    throw refused("Restrict Clients and Clients");
  return result;
}

/**
 * Throws 422 if the actor grants permissions that the actor does not hold. `field` is the path that the error names.
 */
export async function assertMayGrant(
  tx: Tx,
  actor: SessionUser,
  field: string,
  permissionIds: readonly number[],
): Promise<void> {
  await assertHolds(tx, actor, field, permissionIds, "You cannot grant permissions that you do not have");
}

/** Throws 422 on `field` unless the actor holds all of the permissions. The message has `why` and the missing ones. */
async function assertHolds(
  tx: Tx,
  actor: SessionUser,
  field: string,
  permissionIds: readonly number[],
  why: string,
): Promise<void> {
  const heldIds = actor.permissions.map(({ id }) => id);
  const missing = await tx.permission.findMany({
    where: { id: { in: permissionIds.filter((id) => !heldIds.includes(id)) } },
    orderBy: { id: "asc" },
  });
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name).join(", ");
  throw invalid(field, `${why}: ${names}`);
}

/**
 * Throws 422 on `field` if the account has permissions that the actor lacks. A user who controls an account can see and
 * do everything that it can.
 */
export async function assertMayChange(
  tx: Tx,
  actor: SessionUser,
  field: string,
  userId: number,
): Promise<void> {
  if (userId === actor.userId) return;
  await assertHoldsAllOf(tx, actor, field, userId);
  if (can(actor, "all-forms")) return;
  // A draft contains a form's text too.
  const owned =
    (await tx.form.findFirst({
      where: { userId, ...allRows("any form keeps its advocate") },
      select: { id: true },
    })) ?? (await tx.draft.findFirst({ where: { userId }, select: { id: true } }));
  if (owned) throw invalid(field, "This account owns forms, and you do not have All Forms");
}

/** Throws 422 on `field` unless the actor holds every permission that the account holds. */
export async function assertHoldsAllOf(
  tx: Tx,
  actor: SessionUser,
  field: string,
  userId: number,
): Promise<void> {
  const { roleId } = await tx.user.findUniqueOrThrow({ where: { id: userId }, select: { roleId: true } });
  await assertHolds(
    tx,
    actor,
    field,
    await permissionIdsOf(tx, roleId),
    "This account has permissions that you do not have",
  );
}

/** Throws 422 on `field` if the actor narrows, removes, or relaxes a role without holding all its permissions. */
export const assertMayNarrow = (
  tx: Tx,
  actor: SessionUser,
  granted: readonly number[],
  field = "role.permissionIds",
): Promise<void> =>
  assertHolds(
    tx,
    actor,
    field,
    granted,
    "You could not undo this: the role has permissions that you do not have",
  );

/** Returns the ids of the permissions that the role grants. */
export async function permissionIdsOf(tx: Tx, roleId: number): Promise<number[]> {
  const granted = await tx.rolePermission.findMany({ where: { roleId }, select: { permissionId: true } });
  return granted.map(({ permissionId }) => permissionId);
}

/**
 * Returns the id of a role that grants everything, whatever its name. If there is none, the role Administrator gets all
 * permissions.
 */
export async function administratorRole(tx: Tx): Promise<number> {
  const [whole] = await tx.$queryRaw<{ id: number }[]>`
    SELECT id FROM roles r WHERE NOT EXISTS (
      SELECT FROM permissions p WHERE NOT EXISTS (
        SELECT FROM role_permissions WHERE role_id = r.id AND permission_id = p.id))
    ORDER BY id LIMIT 1`;
  if (whole) return whole.id;
  const permissions = await tx.permission.findMany({ select: { id: true } });
  const name = "Administrator";
  const { id: roleId } = await tx.role.upsert({ where: { name }, create: { name }, update: {} });
  const data = permissions.map(({ id }) => ({ roleId, permissionId: id }));
  await tx.rolePermission.createMany({ data, skipDuplicates: true });
  return roleId;
}
