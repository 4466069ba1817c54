import "server-only";
import { z } from "zod";
import type { ApiRequest } from "@/lib/core/api/request";
import { decryptAny, encrypt, keyFor, keysFor } from "@/lib/core/process/cipher";
import { PRODUCT_KEY } from "@/lib/core/product";
import { clearCookie, readCookie, setCookie } from "@/lib/identity/cookies";
import { SESSION_COOKIE } from "@/lib/identity/session";
import { SIGN_ON_PURPOSES } from "@/lib/identity/sign-on/words";

// The attempt at single sign-on that this browser began, in a sealed cookie of its own until the browser returns. So a
// response to an attempt of another browser is refused. A second attempt replaces the first.

const ATTEMPT_MINUTES = 10;
const COOKIE = `${PRODUCT_KEY}-sign-on`;
const LEFT_COOKIE = `${PRODUCT_KEY}-left`;
const PURPOSE = "single sign-on";
const CONTEXT = Buffer.from("sign-on attempt");

const schema = z.object({
  state: z.string(),
  nonce: z.string(),
  /** Part of PKCE: the provider gets only its hash. */
  verifier: z.string(),
  purpose: z.enum(SIGN_ON_PURPOSES),
  url: z.string().nullable(),
  /** True if the provider must authenticate the user again. */
  again: z.boolean(),
  /** The start of the attempt, in milliseconds. */
  at: z.number(),
});
export type Attempt = z.output<typeof schema>;

/** Returns the `Set-Cookie` header that stores the attempt. */
export function attemptCookie(attempt: Attempt): string {
  const sealed = encrypt(keyFor(PURPOSE), Buffer.from(JSON.stringify(attempt)), CONTEXT);
  return setCookie(COOKIE, sealed.toString("base64url"), ATTEMPT_MINUTES * 60);
}

/** Returns the `Set-Cookie` header that ends the attempt: each attempt is completed once. */
export const clearedAttemptCookie = (): string => clearCookie(COOKIE);

/** Returns the attempt that this browser began in the last ten minutes; null if there is none. */
export function readAttempt(request: ApiRequest): Attempt | null {
  const sealed = Buffer.from(readCookie(request, COOKIE) ?? "", "base64url");
  const opened = decryptAny(keysFor(PURPOSE), sealed, CONTEXT);
  const attempt = opened && schema.parse(JSON.parse(opened.toString()));
  return attempt && Date.now() - attempt.at < ATTEMPT_MINUTES * 60_000 ? attempt : null;
}

/**
 * Returns the `Set-Cookie` header that marks a sign-out. Tabs of this browser may be locked, and the provider may still
 * have a session. Without the mark, anybody could sign in through the provider without a credential and unlock them.
 * Like those tabs, it lasts until the browser is closed.
 */
export const signOutCookie = (): string => setCookie(LEFT_COOKIE, "1");

/** Returns the `Set-Cookie` header that removes the mark, after a fresh sign-in. */
export const clearedSignOutCookie = (): string => clearCookie(LEFT_COOKIE);

/** True if somebody has used this browser: signed out, or with a session that may have ended since. */
export const wasUsed = (request: ApiRequest): boolean =>
  [LEFT_COOKIE, SESSION_COOKIE].some((name) => readCookie(request, name) !== undefined);
