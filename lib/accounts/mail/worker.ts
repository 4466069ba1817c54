import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import { sendMail } from "@/emails/mailer";
import { activationMessage, resetMessage } from "@/emails/messages";
import { answerResetRequests } from "@/lib/accounts/data";
import { claimMail, type DueMail, mailFailed, mailSent, removeOldTokens } from "@/lib/accounts/mail/data";
import type { TokenKind } from "@/lib/accounts/token";
import { removeOldFailures } from "@/lib/auth/credentials";
import { removeEndedSessions } from "@/lib/auth/session";
import { env } from "@/lib/env";

const POLL_MS = 2_000;
const SWEEP_MS = 10 * 60_000;
/** So that one slow mail server connection does not hold up every other mail. */
const LANES = 4;
/** What a stop waits for mails that are being sent; one cut off is sent again when its lease ends. */
const STOP_MS = 8_000;

/**
 * Starts the worker that sends queued mail, one in every server process; stops it, answering when what is being
 * sent has been sent. Each mail goes out once, whatever number of processes there are, except where SMTP itself
 * leaves it open: when the connection breaks after the message, it is sent again with the same Message-ID.
 */
export function startMailWorker(): () => Promise<void> {
  const stopping = new AbortController();
  const work = run(stopping.signal);
  return async () => {
    stopping.abort();
    await Promise.race([work, sleep(STOP_MS, undefined, { ref: false })]);
  };
}

async function run(stop: AbortSignal): Promise<void> {
  let sweptAt = 0;
  while (!stop.aborted) {
    await quietly(async () => {
      if (Date.now() - sweptAt > SWEEP_MS) {
        sweptAt = Date.now();
        await sweep();
      }
      await deliverDueMail(stop);
    });
    await sleep(POLL_MS, undefined, { signal: stop, ref: false }).catch(() => {});
  }
}

/** Sends all mail that is due. */
export async function deliverDueMail(stop?: AbortSignal): Promise<void> {
  await answerResetRequests();
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
  await mailSent(id);
}

/** For the log, where no address belongs. */
const codeOf = (error: unknown) => (error as { code?: string }).code ?? "unknown reason";

/** Removes what has ended by itself: sessions, failures, tokens. */
async function sweep(): Promise<void> {
  await removeEndedSessions();
  await removeOldFailures();
  await removeOldTokens();
}

/** A database that does not answer now will answer a later round. */
async function quietly(task: () => Promise<void>): Promise<void> {
  await task().catch((error: unknown) => console.warn(`The mail worker could not work: ${codeOf(error)}`));
}
