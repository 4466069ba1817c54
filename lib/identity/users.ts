import "server-only";
import { audit } from "@/lib/audit/record";
import type { SessionUser } from "@/lib/core/access/permissions";
import { assertAllowed, type Hiding, notHidden, selectForms } from "@/lib/core/access/scope";
import { db, queryIn, type Tx } from "@/lib/core/database/client";
import { textKey } from "@/lib/core/database/folded";
import { isoTimestamp } from "@/lib/core/database/record-read";
import { AppError, inUse, invalid, notFound } from "@/lib/core/errors";
import { env } from "@/lib/core/process/env";
import type { LookupItem } from "@/lib/core/records/lookup-item";
import { empty, type Sql, sql } from "@/lib/core/sql";
import { counted } from "@/lib/core/text/format";
import { endLinks, inviteUser, sendNotice, sendPasswordReset } from "@/lib/identity/accounts";
import {
  assertMayChange,
  assertMayGrant,
  assertMayNarrow,
  keepingLastHolders,
  permissionIdsOf,
} from "@/lib/identity/grants";
import type { InvitationDelivery } from "@/lib/identity/invitation";
import { endAccess } from "@/lib/identity/offboarding";
import { type Actor, endOtherSessions } from "@/lib/identity/session";
import { forgetIdentity } from "@/lib/identity/sign-on/attempts";
import { assertNotBreakGlass, passwordWorks } from "@/lib/identity/sign-on/settings";
import type { Special } from "@/lib/identity/special";

// The parts of users and roles that their entries in lib/lookups/registry.ts cannot describe.

const FULL_NAME = sql`t.first_name || ' ' || t.last_name`;

/**
 * Ends the links, sessions and single sign-on identity of the previous email address, which may belong to another
 * person. An actor who changes their own address keeps their identity.
 */
async function endFormerAddress(tx: Tx, user: LookupItem, former: string, actor: Actor): Promise<void> {
  await endLinks(tx, user);
  // The new email address of the user's own account is not verified, here or in the profile.
  if (user.id === actor.userId)
    await tx.user.update({ where: { id: user.id }, data: { emailUnproved: true } });
  else await forgetIdentity(tx, user);
  await sendNotice(tx, "email", former);
  await endOtherSessions({ userId: user.id, sessionId: actor.sessionId }, tx);
}

/** SQL condition: the draft `d` is about no client who is hidden from the actor. */
const isKnownDraft = (actor: Hiding): Sql =>
  actor.hiddenClients.length === 0
    ? sql`TRUE`
    : sql`NOT d.client_ids && ${actor.hiddenClients}::int[] AND (d.form_id IS NULL
        OR EXISTS (${selectForms(empty, notHidden(actor, sql`f.client_id`), sql`f.id = d.form_id`)}))`;

/**
 * Throws 409 if the account has drafts, which a removal would delete. It counts only those that the actor may know of.
 * Locks the account, so that no more drafts are saved.
 */
async function assertNoDrafts(tx: Tx, actor: Hiding, userId: number): Promise<void> {
  await tx.$queryRaw`SELECT FROM users WHERE id = ${userId} FOR UPDATE`;
  const [drafts] = await queryIn(tx)<{ all: number; known: number }>(
    sql`SELECT count(*)::int AS all, (count(*) FILTER (WHERE ${isKnownDraft(actor)}))::int AS known
     FROM drafts d WHERE d.user_id = ${userId}`,
  );
  if (!drafts || drafts.all === 0) return;
  if (drafts.known === 0) throw inUse("user", 0, "record");
  throw new AppError(
    "conflict_in_use",
    `This user has ${counted(drafts.known, "draft")}. Please hand over first, or deactivate the account.`,
  );
}

const idsIn = (value: unknown): number[] => (Array.isArray(value) ? value : []);
const grantedBy = (role: LookupItem | null) => idsIn(role?.permissionIds);

/** SQL for the status of the user `t`, by the same rule as sendPasswordReset (lib/identity/accounts.ts). */
export const USER_STATUS = sql`CASE WHEN NOT t.active THEN 'deactivated'
  WHEN t.activated_at IS NULL OR (t.password_hash IS NULL AND t.sso_subject IS NULL) THEN 'invited' ELSE 'active' END`;

export const users: Special = {
  joins: sql`JOIN roles r ON r.id = t.role_id`,
  expressions: {
    fullName: FULL_NAME,
    role: sql`json_build_object('id', r.id, 'name', r.name)`,
    lastLoginAt: isoTimestamp(sql`t.last_login_at`),
    activatedAt: isoTimestamp(sql`t.activated_at`),
    active: sql`t.active`,
    twoStep: sql`EXISTS (SELECT FROM two_steps s WHERE s.user_id = t.id AND s.secret IS NOT NULL)`,
    status: USER_STATUS,
  },
  sorts: { fullName: textKey(FULL_NAME), role: textKey(sql`r.name`), lastLoginAt: sql`t.last_login_at` },
  nullable: ["lastLoginAt"],
  searched: [FULL_NAME, sql`t.email`],
  runChange(tx, change, values) {
    const field = !values ? "user.id" : values.active === false ? "user.active" : "user.roleId";
    return keepingLastHolders(tx, field, change);
  },
  async check(tx, actor, { roleId, email, active }, stored) {
    if (stored && active !== undefined && active !== stored.active) {
      if (stored.id === actor.userId) throw invalid("user.active", "You cannot deactivate your own account");
      await assertMayChange(tx, actor, "user.active", stored.id);
    }
    assertNotBreakGlass("user.email", String(email), stored ? String(stored.email) : undefined);
    // Anyone who receives a user's mail can reset the password, so the address controls the whole account.
    if (stored && email !== stored.email) await assertMayChange(tx, actor, "user.email", stored.id);
    if (roleId === stored?.roleId) return;
    if (stored?.id === actor.userId) throw invalid("user.roleId", "You cannot change your own role");
    if (stored) await assertMayChange(tx, actor, "user.roleId", stored.id);
    await assertMayGrant(tx, actor, "user.roleId", await permissionIdsOf(tx, Number(roleId)));
  },
  async saved(tx, user, stored, actor) {
    const hasNewEmail = stored !== null && stored.email !== user.email;
    if (hasNewEmail) await endFormerAddress(tx, user, String(stored.email), actor);
    if (stored?.active && !user.active) await endAccess(tx, user);
    // Without a password, only an activation link gives access, and the previous link has expired.
    const needsInvitation = stored === null || hasNewEmail || !stored.active;
    if (needsInvitation && user.status === "invited") await inviteUser(tx, user);
  },
  besides: ({ active }, stored) =>
    !stored || active === undefined || active === stored.active
      ? {}
      : { action: active ? "reactivated" : "deactivated", columns: { active } },
  async checkRemoval(tx, actor, { id }) {
    if (actor.userId === id) throw invalid("user.id", "You cannot remove your own account");
    await assertNoDrafts(tx, actor, id);
    await assertMayChange(tx, actor, "user.id", id);
  },
};

export const roles: Special = {
  runChange: (tx, change) => keepingLastHolders(tx, "role.permissionIds", change),
  async check(tx, actor, { permissionIds, requiresTwoStep }, stored) {
    const granted = grantedBy(stored);
    if (stored && requiresTwoStep !== stored.requiresTwoStep)
      await assertMayNarrow(tx, actor, granted, "role.requiresTwoStep");
    const chosen = idsIn(permissionIds);
    const added = chosen.filter((id) => !granted.includes(id));
    await assertMayGrant(tx, actor, "role.permissionIds", added);
    if (!stored || granted.every((id) => chosen.includes(id))) return;
    await assertMayNarrow(tx, actor, granted);
    if (await tx.user.count({ where: { id: actor.userId, roleId: stored.id } }))
      throw invalid(
        "role.permissionIds",
        "You could not undo this, because the role is your own. Someone in another role with the same permissions must do it.",
      );
  },
  checkRemoval: (tx, actor, role) => assertMayNarrow(tx, actor, grantedBy(role)),
};

/** Returns how an invitation reaches this email address; without one, a new user. */
export const invitationDelivery = (email = ""): InvitationDelivery => ({
  isMailed: Boolean(env().SMTP_URL),
  hasLink: passwordWorks(email),
});

/**
 * Mails the user a link to set a new password. If the account is not yet activated, mails a new activation link. Throws
 * 404 if there is no such user, and 429 after too many such mails to the account.
 */
export async function resetUserPassword(actor: SessionUser, id: number): Promise<void> {
  assertAllowed(actor, "users");
  await db().$transaction(async (tx) => {
    const user = await tx.user.findUnique({ where: { id }, select: { id: true } });
    if (!user) throw notFound();
    await sendPasswordReset(tx, user);
    await audit(queryIn(tx), actor, { action: "reset-sent", entity: "user", entityId: id });
  });
}
