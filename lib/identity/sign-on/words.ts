// Constants and types of single sign-on for server and browser.

/** The reasons for a redirect to the provider: to sign in, to unlock a page, or to prove one's identity. */
export const SIGN_ON_PURPOSES = ["sign-in", "again", "proof"] as const;
export type SignOnPurpose = (typeof SIGN_ON_PURPOSES)[number];

/** The reasons of a failure that the person may see. `refused` has several causes and never names one. */
export const SIGN_ON_FAILURES = ["refused", "unfinished", "unproven", "unavailable"] as const;
export type SignOnFailure = (typeof SIGN_ON_FAILURES)[number];

/** The single sign-on that the login page offers. `only`: passwords work for the break-glass administrator alone. */
export type SignOnOffer = { name: string; only: boolean };

/** Returns the path that begins single sign-on. */
export const signOnPath = (purpose: SignOnPurpose, url: string | null = null): string =>
  `/api/oidc/start?${new URLSearchParams({ purpose, ...(url && { url }) })}`;
