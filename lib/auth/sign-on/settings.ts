import "server-only";
import type { SignOnOffer } from "@/lib/auth/sign-on/words";
import { env } from "@/lib/server/env";

/** Single sign-on as the operator has set it up. */
export type SignOn = SignOnOffer & { issuer: string; clientId: string; clientSecret: string };

/** Null where the operator has not set it up. */
export function signOn(): SignOn | null {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_NAME, OIDC_ONLY, ORGANISATION_NAME } = env();
  if (!OIDC_ISSUER || !OIDC_CLIENT_ID || !OIDC_CLIENT_SECRET) return null;
  return {
    issuer: OIDC_ISSUER,
    clientId: OIDC_CLIENT_ID,
    clientSecret: OIDC_CLIENT_SECRET,
    name: OIDC_NAME ?? ORGANISATION_NAME,
    only: OIDC_ONLY,
  };
}

/** The part of it that screens show. */
export function signOnOffer(): SignOnOffer | null {
  const configured = signOn();
  return configured && { name: configured.name, only: configured.only };
}

/** Whether the account of this email signs in with a password: where single sign-on is the only way, one alone does. */
export function passwordWorks(email: string): boolean {
  const { OIDC_ONLY, OIDC_BREAK_GLASS } = env();
  return !OIDC_ONLY || email.toLowerCase() === OIDC_BREAK_GLASS?.toLowerCase();
}
