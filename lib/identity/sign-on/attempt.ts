import "server-only";
import { z } from "zod";
import type { ApiRequest } from "@/lib/core/api/request";
import { PRODUCT_KEY } from "@/lib/core/product";
import { decryptAny, encrypt, keyFor, keysFor } from "@/lib/core/server/cipher";
import { clearCookie, readCookie, setCookie } from "@/lib/identity/cookies";
import { SESSION_COOKIE } from "@/lib/identity/session";
import { SIGN_ON_PURPOSES } from "@/lib/identity/sign-on/words";

// What this browser took along to the provider, kept in a sealed cookie of its own until it is back: an answer that
// another browser began is thereby refused. A second attempt replaces the first.

const MINUTES = 10;
const COOKIE = `${PRODUCT_KEY}-sign-on`;
const LEFT_COOKIE = `${PRODUCT_KEY}-left`;
const PURPOSE = "single sign-on";
const CONTEXT = Buffer.from("sign-on attempt");

const schema = z.object({
  state: z.string(),
  nonce: z.string(),
  /** Of PKCE: only its hash went along. */
  verifier: z.string(),
  purpose: z.enum(SIGN_ON_PURPOSES),
  url: z.string().nullable(),
  /** True if an older sign-in at the provider is refused. */
  anew: z.boolean(),
  /** When it began, in milliseconds. */
  at: z.number(),
});
export type Attempt = z.output<typeof schema>;

/** The `Set-Cookie` header that keeps the attempt. */
export function keptAttempt(attempt: Attempt): string {
  const sealed = encrypt(keyFor(PURPOSE), Buffer.from(JSON.stringify(attempt)), CONTEXT);
  return setCookie(COOKIE, sealed.toString("base64url"), MINUTES * 60);
}

/** The `Set-Cookie` header that ends it: each attempt is answered once. */
export const endedAttempt = (): string => clearCookie(COOKIE);

/** The attempt that this browser began in the last ten minutes; null if there is none. */
export function readAttempt(request: ApiRequest): Attempt | null {
  const sealed = Buffer.from(readCookie(request, COOKIE) ?? "", "base64url");
  const opened = decryptAny(keysFor(PURPOSE), sealed, CONTEXT);
  const attempt = opened && schema.parse(JSON.parse(opened.toString()));
  return attempt && Date.now() - attempt.at < MINUTES * 60_000 ? attempt : null;
}

/**
 * The `Set-Cookie` header that notes a sign-out. Tabs of this browser may wait behind the lock, and the provider may
 * still know who left: without the note, anybody could sign in through it without a credential and open them. Like
 * those tabs, it lasts until the browser is closed.
 */
export const notedSignOut = (): string => setCookie(LEFT_COOKIE, "1");

/** The `Set-Cookie` header that ends the note, after a fresh sign-in. */
export const forgottenSignOut = (): string => clearCookie(LEFT_COOKIE);

/** True if somebody has used this browser: signed out, or with a session, which may have ended meanwhile. */
export const wasUsed = (request: ApiRequest): boolean =>
  [LEFT_COOKIE, SESSION_COOKIE].some((name) => readCookie(request, name) !== undefined);
