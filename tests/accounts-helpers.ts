import { readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { hash } from "bcryptjs";
import { db } from "@/lib/core/database/client";
import { env } from "@/lib/core/process/env";
import { answerResetRequests } from "@/lib/identity/accounts";
import { deliverDueMail } from "@/lib/identity/mail/delivery";
import { codeOf } from "@/tests/authenticator";
import { call } from "@/tests/call";
import { makeUser, type Person } from "@/tests/factories";
import { type ReadMail, readMail } from "@/tests/mailbox";

export const PASSWORD = "Correct-Horse-7";
export const OTHER_PASSWORD = "Battery-Staple-8";

/** An active user with PASSWORD, hashed at a low cost. Tests that measure the cost set their own. */
export async function makeAccount(): Promise<Person> {
  const user = await makeUser();
  await db().user.update({ where: { id: user.id }, data: { passwordHash: await hash(PASSWORD, 4) } });
  return user;
}

/** A user just created by an administrator: not activated and without a password. */
export async function makeInvitedUser(): Promise<Person> {
  const user = await makeUser();
  await db().user.update({ where: { id: user.id }, data: { activatedAt: null } });
  await db().session.deleteMany({ where: { userId: user.id } });
  return user;
}

export const logIn = (
  email: string,
  password: string,
  address = "192.0.2.1",
  cookie: string | null = null,
  otp?: string,
) =>
  call(
    cookie,
    "POST",
    "/api/login",
    { login: { email, password, otp } },
    { headers: { "x-client-address": address } },
  );

/** Sets up two-step sign-in for the user through the API. The current code stays unused. */
export async function setUpTwoStep({ id, cookie }: Person): Promise<{ secret: string; codes: string[] }> {
  const { secret } = (await call(cookie, "POST", "/api/two_step")).body.twoStep;
  const { body } = await call(cookie, "PUT", "/api/two_step", { otp: codeOf(secret) });
  await db().twoStep.update({ where: { userId: id }, data: { lastStep: 0 } });
  return { secret, codes: body.recoveryCodes };
}

/** Sends all pending mail, then returns the mails in the folder, oldest first, and empties it. */
export async function takeMails(): Promise<ReadMail[]> {
  await answerResetRequests();
  await deliverDueMail();
  const folder = path.join(env().DATA_DIR, "mail");
  const names = await readdir(folder).catch(() => []);
  const mails = await Promise.all(
    names.map(async (name) => readMail(await readFile(path.join(folder, name), "utf8"))),
  );
  await rm(folder, { recursive: true, force: true });
  return mails;
}

/** Sends all pending mail and returns the single mail that contains a link. */
export async function takeMail(): Promise<ReadMail> {
  const mails = (await takeMails()).filter(({ kind }) => kind !== "notice");
  if (mails.length !== 1 || !mails[0]) throw new Error(`Expected one mail, there were ${mails.length}.`);
  return mails[0];
}
