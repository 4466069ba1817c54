import "server-only";
import { storeFormerKeys } from "@/lib/audit/former-keys";
import { hasLockedClientKeys, renewClientKeys } from "@/lib/audit/values";
import { db, queryIn, rows } from "@/lib/core/database/client";
import { env } from "@/lib/core/process/env";
import { renewDrafts } from "@/lib/forms/drafts/drafts";
import { countLockedTwoSteps, renewTwoSteps } from "@/lib/identity/two-step/codes";

/**
 * Encrypts the database's data of AUTH_SECRET_PREVIOUS again with AUTH_SECRET. Returns a summary, and when the previous
 * secret may be removed; null without a previous secret. It can be repeated at any time, also while the program runs.
 */
export async function renewKeys(): Promise<string | null> {
  const { AUTH_SECRET_PREVIOUS, SESSION_MAX_HOURS } = env();
  if (!AUTH_SECRET_PREVIOUS) return null;
  await db().$transaction((tx) => storeFormerKeys(queryIn(tx)));
  const counts = [
    [await renewClientKeys(rows), "keys of clients"],
    [await renewDrafts(), "drafts"],
    [await renewTwoSteps(), "secrets of authenticator apps"],
  ] as const;
  const renewed = counts.map(([count, what]) => `${count} ${what}`).join(", ");
  // By then every session from before the change has ended, and no request from before it can be repeated.
  const end = new Date(Date.now() + Math.max(SESSION_MAX_HOURS, 24) * 3_600_000).toISOString();
  return `Encrypted with AUTH_SECRET instead of AUTH_SECRET_PREVIOUS: ${renewed}. Remove AUTH_SECRET_PREVIOUS after ${end}, if every process has the new secret.`;
}

/**
 * Returns a warning with the way out if stored secrets open neither with AUTH_SECRET nor with AUTH_SECRET_PREVIOUS, as
 * after a restore with another AUTH_SECRET; otherwise null.
 */
export async function lockedSecrets(): Promise<string | null> {
  const users = await countLockedTwoSteps();
  const hasKeys = await hasLockedClientKeys(rows);
  if (users === 0 && !hasKeys) return null;
  const losses = [
    ...(users > 0 ? [`${users} ${users === 1 ? "user" : "users"} cannot sign in with two-step sign-in`] : []),
    ...(hasKeys ? ["former values in histories cannot be read"] : []),
    "a repeated import adds its records a second time",
  ].join("; ");
  return `AUTH_SECRET does not open what is stored in this database: ${losses}. Stop, and start with the AUTH_SECRET that the data was stored under. If it is lost, "npm run admin" turns two-step sign-in off for an account: docs/operate/backup-and-restore.md, "Without the old AUTH_SECRET".`;
}
