import "server-only";
import { Secret, TOTP } from "otpauth";
import { rows, type Tx } from "@/lib/core/database/client";
import { decryptAny, encrypt, keyFor, keysFor } from "@/lib/core/process/cipher";
import { sql } from "@/lib/core/sql";
import { tokenHash } from "@/lib/identity/mail/link-token";

// The codes of two-step sign-in: six digits from an authenticator app (RFC 6238), or a recovery code. Each works once.

const PERIOD_SECONDS = 30;
const CODE = { algorithm: "SHA1", digits: 6, period: PERIOD_SECONDS } as const;
/** Phone clocks differ, and typing takes time: the codes of the previous and the next time step work too. */
const GRACE_STEPS = 1;

const RECOVERY_CODES = 10;
/** 120 bits, so that a plain hash of a code reveals nothing (ASVS 6.5.2). */
const RECOVERY_BYTES = 15;

/** Returns a new secret of 20 bytes to share with an authenticator app. */
export const newSecret = (): Secret => new Secret({ size: 20 });

/** Returns the URI that an authenticator app reads from a QR code. The app shows the account as `owner`. */
export const uriOf = (secret: Secret, issuer: string, owner: string): string =>
  new TOTP({ ...CODE, secret, issuer, label: owner }).toString();

/** Returns the time step of a code: the present one or one next to it; null for any other code. */
export function stepOf(secret: Secret, code: string, now = Date.now()): number | null {
  const delta = TOTP.validate({ ...CODE, secret, token: code, window: GRACE_STEPS, timestamp: now });
  return delta === null ? null : Math.floor(now / 1000 / PERIOD_SECONDS) + delta;
}

/** Returns ten recovery codes, as the screen shows them: `abcdef-ghijkl-mnopqr-stuvwx`. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () =>
    new Secret({ size: RECOVERY_BYTES }).base32.toLowerCase().replace(/.{6}(?=.)/g, "$&-"),
  );

/** People type codes with spaces, hyphens and capitals. */
const plainCode = (typed: string): string => typed.replace(/[\s-]/g, "").toLowerCase();

/** Returns the hash of a recovery code; only this hash is stored. */
export const recoveryHash = (code: string): string => tokenHash(plainCode(code));

const PURPOSE = "two-step secrets";
const contextOf = (userId: number) => Buffer.from(`two-step secret of user ${userId}`);

/** Encrypts the secret for storage. It can be decrypted only for the same user. */
export const sealSecret = (secret: Secret, userId: number): Uint8Array<ArrayBuffer> =>
  new Uint8Array(encrypt(keyFor(PURPOSE), secret.bytes, contextOf(userId)));

/** Decrypts the stored secret; null if AUTH_SECRET has changed. */
export function openSecret(sealed: Uint8Array, userId: number): Secret | null {
  const bytes = decryptAny(keysFor(PURPOSE), sealed, contextOf(userId));
  return bytes && new Secret({ buffer: new Uint8Array(bytes).buffer });
}

/** Encrypts all secrets of AUTH_SECRET_PREVIOUS again with AUTH_SECRET. Returns their number. */
export async function renewTwoSteps(): Promise<number> {
  const [, previous] = keysFor(PURPOSE);
  if (!previous) return 0;
  let count = 0;
  for (const column of [sql`secret`, sql`pending`]) {
    const batch = await rows<{ userId: number; sealed: Buffer }>(
      sql`SELECT user_id AS "userId", ${column} AS sealed FROM two_steps WHERE ${column} IS NOT NULL`,
    );
    for (const { userId, sealed } of batch) {
      const bytes = decryptAny([previous], sealed, contextOf(userId));
      if (!bytes) continue;
      // The condition skips a secret that the user has replaced since.
      const renewed = await rows(
        sql`UPDATE two_steps SET ${column} = ${encrypt(keyFor(PURPOSE), bytes, contextOf(userId))}
         WHERE user_id = ${userId} AND ${column} = ${sealed} RETURNING user_id`,
      );
      count += renewed.length;
    }
  }
  return count;
}

/** Returns the number of users whose stored secret cannot be decrypted, so that no code of theirs is right. */
export async function countLockedTwoSteps(): Promise<number> {
  const stored = await rows<{ userId: number; sealed: Buffer }>(
    sql`SELECT user_id AS "userId", secret AS sealed FROM two_steps WHERE secret IS NOT NULL`,
  );
  return stored.filter(({ userId, sealed }) => openSecret(sealed, userId) === null).length;
}

/** SQL: true if the role of the user `u` requires two-step sign-in that is not set up. */
export const AWAITS_TWO_STEP = sql`(SELECT requires_two_step FROM roles WHERE id = u.role_id)
  AND NOT EXISTS (SELECT FROM two_steps WHERE user_id = u.id AND secret IS NOT NULL)`;

/** Returns the encrypted secret of the user's sign-in; null without two-step sign-in. */
export async function secretOf(userId: number): Promise<Buffer | null> {
  const [row] = await rows<{ secret: Buffer | null }>(
    sql`SELECT secret FROM two_steps WHERE user_id = ${userId}`,
  );
  return row?.secret ?? null;
}

/**
 * True if the code is right: a code of the secret, or a recovery code. It is used up: of two simultaneous requests, one
 * is refused.
 */
export async function takeCode(userId: number, secret: Buffer, typed: string): Promise<boolean> {
  const code = plainCode(typed);
  const used = /^\d{6}$/.test(code)
    ? await takeStep(userId, secret, code)
    : await rows(
        sql`DELETE FROM recovery_codes WHERE user_id = ${userId} AND code_hash = ${recoveryHash(code)} RETURNING user_id`,
      );
  return used.length > 0;
}

async function takeStep(userId: number, sealed: Buffer, code: string): Promise<unknown[]> {
  const secret = openSecret(sealed, userId);
  const step = secret && stepOf(secret, code);
  if (!step) return [];
  return rows(
    sql`UPDATE two_steps SET last_step = ${step}
     WHERE user_id = ${userId} AND secret = ${sealed} AND last_step < ${step} RETURNING user_id`,
  );
}

/** Removes two-step sign-in from an account. True if it was on. */
export async function removeTwoStep(tx: Tx, userId: number): Promise<boolean> {
  await tx.recoveryCode.deleteMany({ where: { userId } });
  const removed = await tx.$queryRaw<{ on: boolean }[]>`
    DELETE FROM two_steps WHERE user_id = ${userId} RETURNING secret IS NOT NULL AS on`;
  return removed[0]?.on ?? false;
}
