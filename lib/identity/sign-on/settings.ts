import "server-only";
import { invalid } from "@/lib/core/errors";
import { env } from "@/lib/core/process/env";
import type { SignOnOffer } from "@/lib/identity/sign-on/words";

/** Single sign-on as the operator has configured it. */
export type SignOn = SignOnOffer & { issuer: string; clientId: string; clientSecret: string };

/** Returns the configuration; null if the operator has not set it. */
export function signOn(): SignOn | null {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_NAME, OIDC_ONLY, ORGANIZATION_NAME } = env();
  if (!OIDC_ISSUER || !OIDC_CLIENT_ID || !OIDC_CLIENT_SECRET) return null;
  return {
    issuer: OIDC_ISSUER,
    clientId: OIDC_CLIENT_ID,
    clientSecret: OIDC_CLIENT_SECRET,
    name: OIDC_NAME ?? ORGANIZATION_NAME,
    only: OIDC_ONLY,
  };
}

/** Returns the part of the configuration that screens show. */
export function signOnOffer(): SignOnOffer | null {
  const configured = signOn();
  return configured && { name: configured.name, only: configured.only };
}

/**
 * True if the account of this email signs in with a password. With only single sign-on, that is the break-glass
 * account.
 */
export function passwordWorks(email: string): boolean {
  return !env().OIDC_ONLY || isBreakGlass(email);
}

const isBreakGlass = (email: string) => email.toLowerCase() === env().OIDC_BREAK_GLASS?.toLowerCase();

/**
 * Throws 422 on `field` if an account would get the break-glass email: only `npm run admin` decides who has it.
 * `former` is the account's present email, if any.
 */
export function assertNotBreakGlass(field: string, email: string, former?: string): void {
  if (isBreakGlass(email) && !(former && isBreakGlass(former)))
    throw invalid(field, "This email is reserved for an account that is created on the server");
}
