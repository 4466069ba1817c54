import "server-only";
import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { raiseAlarms } from "@/lib/audit/alarm";
import { dropOldMonths, logNewestSeal, reportLateSeals, sealAudit } from "@/lib/audit/seals";
import { removeOldMerges } from "@/lib/clients/merges/merges";
import { removeOldKeys } from "@/lib/core/api/idempotency";
import { codeOf } from "@/lib/core/process/error-frames";
import { log } from "@/lib/core/process/log";
import { removeOldDrafts } from "@/lib/forms/drafts/drafts";
import { answerResetRequests } from "@/lib/identity/accounts";
import { removeOldFailures } from "@/lib/identity/credentials";
import { deliverDueMail } from "@/lib/identity/mail/delivery";
import { removeOldTokens } from "@/lib/identity/mail/queue";
import { removeEndedSessions } from "@/lib/identity/session";
import { purgeByNight } from "@/lib/retention/purge";
import { removeOldImports } from "@/lib/transfer/imports/imports";
import { IMPORTS_AT_ONCE, runImports } from "@/lib/transfer/imports/run";

const POLL_MS = 2_000;
const SWEEP_MS = 10 * 60_000;
/**
 * A row of the audit trail is sealed at most 2 s after it can be. Most of that time is for the work itself, twice,
 * while many users save. A row may end just after a round has read the table.
 */
const SEAL_MS = 250;
const LOG_SEAL_MS = 60 * 60_000;
const ALARM_MS = 60_000;
/** The time a stop waits for mails in progress. An interrupted one is sent again when its lease expires. */
const STOP_MS = 8_000;

/**
 * Starts the background work in every server process. It responds to requests for reset links, sends queued mail, and
 * runs imports and sweeps, all independently. Returns a function that stops it and waits for mails in progress. Each
 * mail is sent once, however many processes there are. The exception is a connection that breaks after the message.
 * SMTP cannot report whether it arrived, so it is sent again with the same Message-ID.
 */
export function startWorker(): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  // Each task waits for it, so Node would warn of a leak.
  setMaxListeners(0, signal);
  const work = Promise.all([
    every(POLL_MS, signal, answerResetRequests),
    every(POLL_MS, signal, () => deliverDueMail(signal)),
    ...Array.from({ length: IMPORTS_AT_ONCE }, () => every(POLL_MS, signal, () => runImports(signal))),
    every(SWEEP_MS, signal, sweep),
    every(SEAL_MS, signal, sealAudit),
    every(LOG_SEAL_MS, signal, logNewestSeal),
    every(ALARM_MS, signal, raiseAlarms),
    every(ALARM_MS, signal, reportLateSeals),
    every(SWEEP_MS, signal, () => purgeByNight(signal)),
  ]);
  return async () => {
    stopping.abort();
    await Promise.race([work, sleep(STOP_MS, undefined, { ref: false })]);
  };
}

async function every(pause: number, stop: AbortSignal, task: () => Promise<void>): Promise<void> {
  while (!stop.aborted) {
    // A later round succeeds when the database responds again.
    await task().catch((error: unknown) => log.warn({ code: codeOf(error) }, "A background task failed"));
    await sleep(pause, undefined, { signal: stop, ref: false }).catch(() => {});
  }
}

/** Removes expired data. */
export async function sweep(): Promise<void> {
  await removeEndedSessions();
  await removeOldFailures();
  await removeOldTokens();
  await removeOldDrafts();
  await removeOldKeys();
  await removeOldMerges();
  await removeOldImports();
  await dropOldMonths();
}
