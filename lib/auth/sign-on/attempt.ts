import "server-only";
import { z } from "zod";
import type { ApiRequest } from "@/lib/api/request";
import { readCookie } from "@/lib/auth/session";
import { SIGN_ON_PURPOSES } from "@/lib/auth/sign-on/words";
import { decryptAny, encrypt, keyFor, keysFor } from "@/lib/server/cipher";
import { env } from "@/lib/server/env";

// What this browser took along to the provider, kept in a sealed cookie of its own until it is back: an answer that
// another browser began is thereby refused. A second attempt replaces the first.

const MINUTES = 10;
const PURPOSE = "single sign-on";
const CONTEXT = Buffer.from("sign-on attempt");

const schema = z.object({
  state: z.string(),
  nonce: z.string(),
  /** Of PKCE: only its hash went along. */
  verifier: z.string(),
  purpose: z.enum(SIGN_ON_PURPOSES),
  url: z.string().nullable(),
  /** When it began, in milliseconds. */
  at: z.number(),
});
export type Attempt = z.output<typeof schema>;

const isHttps = () => env().APP_URL.startsWith("https:");
const cookieName = () => (isHttps() ? "__Host-casebook-sign-on" : "casebook-sign-on");
const cookieOf = (value: string, seconds: number) =>
  `${cookieName()}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${isHttps() ? "; Secure" : ""}`;

/** The `Set-Cookie` header that keeps the attempt. */
export const keptAttempt = (attempt: Attempt): string =>
  cookieOf(
    encrypt(keyFor(PURPOSE), Buffer.from(JSON.stringify(attempt)), CONTEXT).toString("base64url"),
    MINUTES * 60,
  );

/** The `Set-Cookie` header that ends it: each attempt is answered once. */
export const endedAttempt = (): string => cookieOf("", 0);

/** The attempt that this browser began in the last ten minutes; null if there is none. */
export function readAttempt(request: ApiRequest): Attempt | null {
  const sealed = Buffer.from(readCookie(request, cookieName()) ?? "", "base64url");
  const opened = decryptAny(keysFor(PURPOSE), sealed, CONTEXT);
  const attempt = opened && schema.parse(JSON.parse(opened.toString()));
  return attempt && Date.now() - attempt.at < MINUTES * 60_000 ? attempt : null;
}
