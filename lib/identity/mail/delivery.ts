import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import { LOGO_ID, mailLogo, sendMail } from "@/emails/mailer";
import {
  activationMessage,
  emailChangedMessage,
  type Message,
  passwordChangedMessage,
  resetMessage,
  type Sender,
  signOnMessage,
  twoStepChangedMessage,
  twoStepOffMessage,
  twoStepOnMessage,
  welcomeMessage,
} from "@/emails/messages";
import { branding, palette } from "@/lib/core/branding/branding";
import { to } from "@/lib/core/pages";
import { env } from "@/lib/core/process/env";
import { codeOf } from "@/lib/core/process/error-frames";
import { log } from "@/lib/core/process/log";
import type { TokenKind } from "@/lib/identity/mail/link-token";
import { claimMail, type DueMail, mailFailed, mailSent } from "@/lib/identity/mail/queue";
import type { NoticeKind } from "@/lib/identity/schema";
import { passwordWorks } from "@/lib/identity/sign-on/settings";

/** Several mails are sent at once, so that one slow connection does not delay the others. */
const LANES = 4;

/** Sends all mail that is due. */
export async function deliverDueMail(stop?: AbortSignal): Promise<void> {
  const lane = async () => {
    for (let mail = await claimMail(); mail; mail = stop?.aborted ? null : await claimMail())
      await deliver(mail);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

type Mail = { message: typeof activationMessage; path: (token: string) => string };
const MAILS: Record<TokenKind, Mail> = {
  activation: { message: activationMessage, path: (token) => to("activateAccount", { token }) },
  reset: { message: resetMessage, path: (token) => to("updatePassword", { token }) },
};

/** With single sign-on as the only way to sign in, the token of the mail opens nothing. */
const WELCOME: Mail = { message: welcomeMessage, path: () => "/" };

const NOTICES: Record<NoticeKind, typeof emailChangedMessage> = {
  email: emailChangedMessage,
  password: passwordChangedMessage,
  twoStepOn: twoStepOnMessage,
  twoStepChanged: twoStepChangedMessage,
  twoStepOff: twoStepOffMessage,
  singleSignOn: signOnMessage,
};

/** Returns the sender that mail readers show. Few mail readers draw an SVG. */
async function sender(): Promise<Sender> {
  const [{ organization, help }, colors, image] = await Promise.all([branding(), palette(), mailLogo()]);
  return {
    organization,
    help,
    ...(colors && { colors: { accent: colors.accent[0], onAccent: colors["on-accent"][0] } }),
    ...(image && { logo: `cid:${LOGO_ID}` }),
  };
}

/** Returns the message of a mail, its recipient and its link, if it has one. */
async function compose(mail: DueMail): Promise<{ name: string; link?: string; message: Message }> {
  const { APP_URL } = env();
  const from = await sender();
  if (mail.kind === "notice") return { name: "", message: NOTICES[mail.notice](from) };
  const { kind, token, email, firstName, lastName } = mail;
  const { path, message } = passwordWorks(email) ? MAILS[kind] : WELCOME;
  const link = APP_URL + path(token);
  return { name: `${firstName} ${lastName}`, link, message: message({ ...from, firstName, link }) };
}

async function deliver(mail: DueMail): Promise<void> {
  const { id, messageId, email } = mail;
  const { name, link, message } = await compose(mail);
  try {
    await sendMail({ to: { name, address: email }, messageId, link }, message);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const gaveUp = await mailFailed(id, reason);
    log.warn({ messageId, code: codeOf(error) }, gaveUp ? "Mail was given up" : "Mail will be tried again");
    return;
  }
  await noteSent(id);
}

/** Retries while the database is down: a mail that was accepted but not marked as sent would be sent twice. */
async function noteSent(id: number): Promise<void> {
  for (const pause of [1, 2, 4, 8, 16, 32]) {
    try {
      return await mailSent(id);
    } catch {
      await sleep(pause * 1000);
    }
  }
  await mailSent(id);
}
