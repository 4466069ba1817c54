import "server-only";
import { Secret, TOTP } from "otpauth";
import { rows, type Tx } from "@/lib/core/database/client";
import { sql } from "@/lib/core/database/sql";
import { decryptAny, encrypt, keyFor, keysFor } from "@/lib/core/server/cipher";
import { tokenHash } from "@/lib/identity/mail/link-token";

// The codes of two-step sign-in: six digits from an authenticator app (RFC 6238), or a recovery code.
// Each works once.

const PERIOD_SECONDS = 30;
const CODE = { algorithm: "SHA1", digits: 6, period: PERIOD_SECONDS } as const;
/** Phones' clocks differ, and typing takes time: the codes of one step before and after the present one work too. */
const GRACE_STEPS = 1;

const RECOVERY_CODES = 10;
/** 120 bits, so that a plain hash of a code tells nothing (ASVS 6.5.2). */
const RECOVERY_BYTES = 15;

/** A new secret to share with an authenticator app: 20 bytes. */
export const newSecret = (): Secret => new Secret({ size: 20 });

/** The address that an authenticator app reads from a QR code. `owner` is what the app shows the account as. */
export const uriOf = (secret: Secret, issuer: string, owner: string): string =>
  new TOTP({ ...CODE, secret, issuer, label: owner }).toString();

/** The time step that a code is of: the present one or one beside it; null for any other code. */
export function stepOf(secret: Secret, code: string, now = Date.now()): number | null {
  const delta = TOTP.validate({ ...CODE, secret, token: code, window: GRACE_STEPS, timestamp: now });
  return delta === null ? null : Math.floor(now / 1000 / PERIOD_SECONDS) + delta;
}

/** Ten codes for when the app is out of reach, as they are shown: `abcdef-ghijkl-mnopqr-stuvwx`. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () =>
    new Secret({ size: RECOVERY_BYTES }).base32.toLowerCase().replace(/.{6}(?=.)/g, "$&-"),
  );

/** People type codes with spaces, hyphens and capitals. */
const plainCode = (typed: string): string => typed.replace(/[\s-]/g, "").toLowerCase();

/** Only this hash of a recovery code is stored. */
export const recoveryHash = (code: string): string => tokenHash(plainCode(code));

const PURPOSE = "two-step secrets";
const contextOf = (userId: number) => Buffer.from(`two-step secret of user ${userId}`);

/** The secret as it is stored; it opens only for the same user. */
export const sealSecret = (secret: Secret, userId: number): Uint8Array<ArrayBuffer> =>
  new Uint8Array(encrypt(keyFor(PURPOSE), secret.bytes, contextOf(userId)));

/** The stored secret; null if AUTH_SECRET is another one now. */
export function openSecret(sealed: Uint8Array, userId: number): Secret | null {
  const bytes = decryptAny(keysFor(PURPOSE), sealed, contextOf(userId));
  return bytes && new Secret({ buffer: new Uint8Array(bytes).buffer });
}

/** Encrypts all secrets again that stand under AUTH_SECRET_PREVIOUS; how many they were. */
export async function renewTwoSteps(): Promise<number> {
  const [, previous] = keysFor(PURPOSE);
  if (!previous) return 0;
  let count = 0;
  for (const column of [sql`secret`, sql`pending`]) {
    const found = await rows<{ userId: number; sealed: Buffer }>(
      sql`SELECT user_id AS "userId", ${column} AS sealed FROM two_steps WHERE ${column} IS NOT NULL`,
    );
    for (const { userId, sealed } of found) {
      const bytes = decryptAny([previous], sealed, contextOf(userId));
      if (!bytes) continue;
      // Unless the user has set it up anew meanwhile.
      const renewed = await rows(
        sql`UPDATE two_steps SET ${column} = ${encrypt(keyFor(PURPOSE), bytes, contextOf(userId))}
         WHERE user_id = ${userId} AND ${column} = ${sealed} RETURNING user_id`,
      );
      count += renewed.length;
    }
  }
  return count;
}

/** SQL: whether the role of the user `u` demands two-step sign-in that is not set up. */
export const AWAITS_TWO_STEP = sql`(SELECT requires_two_step FROM roles WHERE id = u.role_id)
  AND NOT EXISTS (SELECT FROM two_steps WHERE user_id = u.id AND secret IS NOT NULL)`;

/** The sealed secret whose codes the user's sign-in takes; null without two-step sign-in. */
export async function secretOf(userId: number): Promise<Buffer | null> {
  const [stored] = await rows<{ secret: Buffer | null }>(
    sql`SELECT secret FROM two_steps WHERE user_id = ${userId}`,
  );
  return stored?.secret ?? null;
}

/**
 * True if the code is right: one of the secret's, or a recovery code. It is used up: of two requests at once, one is
 * refused.
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

/** Takes two-step sign-in off an account; whether it was on. */
export async function removeTwoStep(tx: Tx, userId: number): Promise<boolean> {
  await tx.recoveryCode.deleteMany({ where: { userId } });
  const removed = await tx.$queryRaw<{ on: boolean }[]>`
    DELETE FROM two_steps WHERE user_id = ${userId} RETURNING secret IS NOT NULL AS on`;
  return removed[0]?.on ?? false;
}
