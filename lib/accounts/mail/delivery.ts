import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import { sendMail } from "@/emails/mailer";
import { activationMessage, resetMessage } from "@/emails/messages";
import { claimMail, type DueMail, mailFailed, mailSent } from "@/lib/accounts/mail/data";
import type { TokenKind } from "@/lib/accounts/token";
import { env } from "@/lib/server/env";
import { codeOf } from "@/lib/server/error-reports";

/** Several at once, so that one slow connection does not delay all other mail. */
const LANES = 4;

/** Sends all mail that is due. */
export async function deliverDueMail(stop?: AbortSignal): Promise<void> {
  const lane = async () => {
    for (let mail = await claimMail(); mail; mail = stop?.aborted ? null : await claimMail())
      await deliver(mail);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

const MAILS: Record<TokenKind, { message: typeof activationMessage; path: (token: string) => string }> = {
  activation: { message: activationMessage, path: (token) => `/account/${token}/activate` },
  reset: { message: resetMessage, path: (token) => `/update_password/${token}` },
};

async function deliver({ id, messageId, kind, token, firstName, lastName, email }: DueMail): Promise<void> {
  const { message, path } = MAILS[kind];
  const link = env().APP_URL + path(token);
  const to = { name: `${firstName} ${lastName}`, address: email };
  try {
    await sendMail(
      { to, messageId, link },
      message({ organisation: env().ORGANISATION_NAME, firstName, link }),
    );
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const gaveUp = await mailFailed(id, reason);
    console.warn(`Mail ${messageId} ${gaveUp ? "was given up" : "will be tried again"}: ${codeOf(error)}`);
    return;
  }
  await noteSent(id);
}

/** Keeps trying while the database is down: a mail that was accepted but not marked as sent would go out twice. */
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
