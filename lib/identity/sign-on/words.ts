// Single sign-on as both sides know it.

/**
 * What somebody goes to the provider for: to sign in, to sign in again where the session has ended and the page waits
 * behind the lock, or to prove once more who they are.
 */
export const SIGN_ON_PURPOSES = ["sign-in", "again", "proof"] as const;
export type SignOnPurpose = (typeof SIGN_ON_PURPOSES)[number];

/** Why it did not work, as far as the person may know. `refused` never says which of its reasons it was. */
export const SIGN_ON_FAILURES = ["refused", "unfinished", "unproven", "unavailable"] as const;
export type SignOnFailure = (typeof SIGN_ON_FAILURES)[number];

/** What the login page offers. `only`: passwords work for the break-glass administrator alone. */
export type SignOnOffer = { name: string; only: boolean };

/** Where the journey to the provider's pages begins. */
export const signOnPath = (purpose: SignOnPurpose, url: string | null = null): string =>
  `/api/oidc/start?${new URLSearchParams({ purpose, ...(url && { url }) })}`;
