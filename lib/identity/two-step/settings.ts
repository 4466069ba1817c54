import "server-only";
import type { Secret } from "otpauth";
import encodeQR from "qr";
import type * as z from "zod/mini";
import { audit } from "@/lib/audit/record";
import type { SessionUser } from "@/lib/core/access/permissions";
import { assertAllowed } from "@/lib/core/access/scope";
import { branding } from "@/lib/core/branding/branding";
import { db, queryIn, rows, type Tx } from "@/lib/core/database/client";
import { invalid, notFound } from "@/lib/core/errors";
import { sql } from "@/lib/core/sql";
import { sendNotice } from "@/lib/identity/accounts";
import type { confirmBody, TwoStepSetUp, TwoStepState } from "@/lib/identity/api-schema";
import { forgetGuesses } from "@/lib/identity/credentials";
import { assertMayChange } from "@/lib/identity/grants";
import type { Actor } from "@/lib/identity/session";
import {
  newRecoveryCodes,
  newSecret,
  openSecret,
  recoveryHash,
  removeTwoStep,
  sealSecret,
  stepOf,
  uriOf,
} from "@/lib/identity/two-step/codes";

// Two-step sign-in of an account: setup, new codes, removal. The rules of codes are in lib/identity/two-step/codes.ts.

/**
 * Returns the state of the actor's own account. In a session of single sign-on, the provider handles the second step.
 */
export async function twoStepOf(actor: Actor): Promise<TwoStepState> {
  const [state] = await rows<TwoStepState>(
    sql`SELECT EXISTS (SELECT FROM two_steps WHERE user_id = u.id AND secret IS NOT NULL) AS enabled,
       r.requires_two_step AND NOT ${actor.singleSignOn} AS required,
       (SELECT count(*)::int FROM recovery_codes WHERE user_id = u.id) AS "recoveryCodesLeft"
     FROM users u JOIN roles r ON r.id = u.role_id WHERE u.id = ${actor.userId}`,
  );
  if (!state) throw notFound();
  return state;
}

/** Makes a secret for the actor's authenticator app. It takes effect when `confirmTwoStep` gets a code of it. */
export async function beginTwoStep({ userId, email }: Actor): Promise<TwoStepSetUp> {
  const secret = newSecret();
  const begun = { pending: sealSecret(secret, userId), pendingAt: new Date() };
  await db().twoStep.upsert({ where: { userId }, create: { userId, ...begun }, update: begun });
  const uri = uriOf(secret, (await branding()).organization, email);
  return { secret: secret.base32, uri, qr: encodeQR(uri, "svg", { border: 4 }) };
}

/**
 * The minutes after `beginTwoStep` during which a code of the present app counts only with `keepApp`. Otherwise a user
 * who typed that code by mistake would not notice that the app is still the former one.
 */
const SET_UP_MINUTES = 10;

/**
 * Switches two-step sign-in on if the code is of the secret that `beginTwoStep` made. Then it also ends the user's
 * other sessions, since they were opened without a code of that app. If the code is of the present secret, the app
 * stays and the setup ends. With `keepApp`, only such a code counts. In both cases the former recovery codes end.
 * Returns the new ones; null if the code is wrong. Throws 422 if there is no secret at all.
 */
export async function confirmTwoStep(
  actor: Actor,
  { otp, keepApp }: z.output<typeof confirmBody>,
): Promise<string[] | null> {
  const { userId } = actor;
  return db().$transaction(async (tx) => {
    await tx.$queryRaw`SELECT FROM two_steps WHERE user_id = ${userId} FOR UPDATE`;
    const stored = await tx.twoStep.findUnique({ where: { userId } });
    if (!stored) throw invalid("otp", "Please start the setup first");
    const { secret, pending, pendingAt, lastStep } = stored;
    const open = (sealed: Uint8Array | null): Secret | null => sealed && openSecret(sealed, userId);
    const digits = otp.replace(/\s/g, "");
    const stepIn = (from: Secret | null, after: number) => {
      const step = from && stepOf(from, digits);
      return step && step > after ? step : null;
    };
    const newStep = keepApp ? null : stepIn(open(pending), 0);
    const isSettingUp = !keepApp && pendingAt && pendingAt.getTime() > Date.now() - SET_UP_MINUTES * 60_000;
    const step = newStep ?? (isSettingUp ? null : stepIn(open(secret), lastStep));
    if (!step) return null;

    const data = { pending: null, pendingAt: null, lastStep: step, ...(newStep && { secret: pending }) };
    await tx.twoStep.update({ where: { userId }, data });
    const codes = newRecoveryCodes();
    await tx.recoveryCode.deleteMany({ where: { userId } });
    const hashes = codes.map((made) => ({ userId, codeHash: recoveryHash(made) }));
    await tx.recoveryCode.createMany({ data: hashes });
    if (newStep) await sendNotice(tx, secret ? "twoStepChanged" : "twoStepOn", actor.email);
    // Known devices stay, since each of them still needs the code.
    const ended = newStep
      ? await tx.session.deleteMany({ where: { userId, id: { not: actor.sessionId } } })
      : { count: 0 };
    await recordChange(tx, actor, userId, {
      ...(newStep && (secret ? { authenticatorApp: [null, null] } : { twoStep: [false, true] })),
      recoveryCodes: [null, null],
      ...(ended.count > 0 && { sessions: [ended.count, 0] }),
    });
    return codes;
  });
}

/** Switches the actor's own two-step sign-in off. Throws 422 on `twoStep` while the role requires it. */
export async function endTwoStep(actor: Actor): Promise<void> {
  await db().$transaction((tx) => endForActor(tx, actor, "twoStep"));
}

/**
 * Removes two-step sign-in from a user who has lost both app and codes. Throws 404 if there is no such user, 422 on
 * `user.id` if they hold more than the actor.
 */
export async function resetTwoStep(actor: SessionUser, id: number): Promise<void> {
  assertAllowed(actor, "users");
  await db().$transaction(async (tx) => {
    const user = await tx.user.findUnique({ where: { id }, select: { email: true } });
    if (!user) throw notFound();
    // Otherwise administrators could switch off their own two-step sign-in although their role requires it.
    if (id === actor.userId) return endForActor(tx, actor, "user.id");
    await assertMayChange(tx, actor, "user.id", id);
    await switchOff(tx, actor, { id, ...user });
  });
}

async function endForActor(tx: Tx, actor: SessionUser, field: string): Promise<void> {
  const { email, role } = await tx.user.findUniqueOrThrow({
    where: { id: actor.userId },
    select: { email: true, role: { select: { requiresTwoStep: true } } },
  });
  if (role.requiresTwoStep) throw invalid(field, "Your role requires two-step sign-in");
  await switchOff(tx, actor, { id: actor.userId, email });
}

async function switchOff(tx: Tx, actor: SessionUser, { id, email }: { id: number; email: string }) {
  if (!(await removeTwoStep(tx, id))) return;
  await forgetGuesses(tx, id);
  await sendNotice(tx, "twoStepOff", email);
  await recordChange(tx, actor, id, { twoStep: [true, false] });
}

async function recordChange(
  tx: Tx,
  actor: SessionUser,
  entityId: number,
  changed: Record<string, [from: unknown, to: unknown]>,
): Promise<void> {
  const changes = Object.entries(changed).map(([name, [from, to]]) => ({ field: `user.${name}`, from, to }));
  await audit(queryIn(tx), actor, { action: "updated", entity: "user", entityId, changes });
}
