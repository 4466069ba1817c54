import "server-only";
import { createHash } from "node:crypto";
import { createRemoteJWKSet, errors as jwt, jwtVerify } from "jose";
import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientError,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  clockTolerance,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  ResponseBodyError,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  WWWAuthenticateChallengeError,
} from "openid-client";
import { z } from "zod";
import { AppError } from "@/lib/core/errors";
import { env } from "@/lib/core/process/env";
import { codeOf } from "@/lib/core/process/error-frames";
import { processWide } from "@/lib/core/process-wide";
import type { Identity } from "@/lib/identity/session";
import type { Attempt } from "@/lib/identity/sign-on/attempt";
import type { SignOn } from "@/lib/identity/sign-on/settings";
import type { SignOnFailure } from "@/lib/identity/sign-on/words";

// Requests to the organization's OpenID Connect provider, and the checks of its responses: authorization code with
// PKCE, checked by openid-client. The provider's tokens are read and dropped; none is stored.

/** A failed sign-in by single sign-on. `reason` is for the log, and has no personal data. */
export class SignOnError extends Error {
  constructor(
    readonly failure: SignOnFailure,
    readonly reason: string,
    /** The account concerned, if one is known. */
    readonly userId: number | null = null,
  ) {
    super(reason);
  }
}

/** The signature of ID and logout tokens that every provider supports (OpenID Connect Core, 15.1). */
const ALGORITHM = "RS256";
/** The maximum difference between the provider's clock and ours. */
export const CLOCK_SECONDS = 60;
/** The time for which the provider's metadata is cached. Its keys are read again when an unknown key signs. */
const METADATA_CACHE_MS = 3_600_000;

/** The timeout of one request to the provider, in seconds. */
const TIMEOUT_SECONDS = 5;

type Provider = { client: Configuration; keys: ReturnType<typeof createRemoteJWKSet> };
type Known = { issuer: string; at: number; provider: Promise<Provider> | null };
const cache = processWide("sign-on provider", (): Known => ({ issuer: "", at: 0, provider: null }));

/** Loads the provider's metadata at the first use, so that an outage does not prevent the program's start. */
function providerOf(configured: SignOn): Promise<Provider> {
  const { issuer } = configured;
  const isFresh = cache.issuer === issuer && Date.now() - cache.at < METADATA_CACHE_MS;
  if (cache.provider && isFresh) return cache.provider;
  const provider = discover(configured);
  Object.assign(cache, { issuer, at: Date.now(), provider });
  provider.catch(() => {
    if (cache.provider === provider) cache.provider = null;
  });
  return provider;
}

const plain = (issuer: string) => issuer.replace(/\/$/, "");

async function discover({ issuer, clientId, clientSecret }: SignOn): Promise<Provider> {
  const client = await discovery(
    new URL(`${plain(issuer)}/.well-known/openid-configuration`),
    clientId,
    { id_token_signed_response_alg: ALGORITHM, [clockTolerance]: CLOCK_SECONDS },
    authentication(clientSecret),
    {
      timeout: TIMEOUT_SECONDS,
      // Without the first, the signature of an ID token is not checked: only TLS would prove its origin.
      execute: [enableNonRepudiationChecks, ...(issuer.startsWith("http:") ? [allowInsecureRequests] : [])],
    },
  );
  const metadata = client.serverMetadata();
  // The library does not compare them if it gets the URL of the document itself.
  if (plain(metadata.issuer) !== plain(issuer) || !metadata.jwks_uri)
    throw new SignOnError("unavailable", "its discovery document names another issuer");
  return { client, keys: createRemoteJWKSet(new URL(metadata.jwks_uri)) };
}

/** Sends the secret in the Authorization header, or in the body to a provider that reads it only there. */
function authentication(secret: string): ClientAuth {
  const inHeader = ClientSecretBasic(secret);
  const inBody = ClientSecretPost(secret);
  return (server, ...request) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    const send =
      methods.includes("client_secret_post") && !methods.includes("client_secret_basic") ? inBody : inHeader;
    send(server, ...request);
  };
}

const callbackUrl = () => new URL(`${env().APP_URL}/api/oidc/callback`).href;

/** Returns a new attempt, and the URL of the provider's page where it begins. */
export async function beginAt(
  configured: SignOn,
  goal: Pick<Attempt, "purpose" | "url" | "again">,
): Promise<{ attempt: Attempt; page: string }> {
  const attempt: Attempt = {
    ...goal,
    state: randomState(),
    nonce: randomNonce(),
    verifier: randomPKCECodeVerifier(),
    at: Date.now(),
  };
  try {
    const { client } = await providerOf(configured);
    const page = buildAuthorizationUrl(client, {
      redirect_uri: callbackUrl(),
      scope: "openid email",
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: await calculatePKCECodeChallenge(attempt.verifier),
      code_challenge_method: "S256",
      ...(goal.again && { prompt: "login", max_age: "0" }),
    });
    return { attempt, page: page.href };
  } catch (error) {
    return asSignOnError(error);
  }
}

/** The schema of the provider's text that the database can store. */
const plainText = () =>
  z
    .string()
    .max(255)
    .regex(/^\P{Cc}*$/u);
/** The schema of a time in seconds that is not in the future, except for the clock difference. */
const past = () => z.number().refine((at) => at >= 0 && at <= Date.now() / 1000 + CLOCK_SECONDS);

const claimsSchema = z.object({
  iss: z.string(),
  sub: plainText().min(1),
  iat: past(),
  email: plainText().optional(),
  email_verified: z.unknown().optional(),
  /** Entra ID sets it if the email's domain is one that its organization has proved to own. */
  xms_edov: z.unknown().optional(),
  sid: plainText().optional(),
  auth_time: past().optional(),
  /** The client that requested the token. */
  azp: z.string().optional(),
  /** The hash that ties the ID token to the access token of the same response. */
  at_hash: z.string().optional(),
});

const YES = new Set<unknown>([true, "true", 1, "1"]);

/** Redeems the code in the provider's redirect. `params` are the query parameters of the redirect. */
export async function identityFrom(
  configured: SignOn,
  params: { code?: string; state?: string; iss?: string; error?: string },
  attempt: Attempt,
): Promise<Identity> {
  try {
    if (!params.code && !params.error) throw new SignOnError("unfinished", "no code in the address");
    const { client } = await providerOf(configured);
    const address = new URL(`${callbackUrl()}?${new URLSearchParams(params)}`);
    const tokens = await authorizationCodeGrant(client, address, {
      expectedState: attempt.state,
      expectedNonce: attempt.nonce,
      pkceCodeVerifier: attempt.verifier,
      idTokenExpected: true,
    });
    const signed = claimsSchema.parse(tokens.claims());
    assertMeantForUs(signed, configured.clientId, tokens.access_token);
    // Some providers return the email only from the userinfo endpoint, whose response must have the same subject.
    const more = signed.email ? {} : await fetchUserInfo(client, tokens.access_token, signed.sub);
    const claims = claimsSchema.parse({ ...more, ...signed });
    const verified = YES.has(claims.email_verified ?? claims.xms_edov);
    return {
      issuer: claims.iss,
      subject: claims.sub,
      email: (verified && claims.email) || null,
      sid: claims.sid ?? null,
      authenticatedAt: claims.auth_time === undefined ? null : new Date(claims.auth_time * 1000),
    };
  } catch (error) {
    return asSignOnError(error);
  }
}

/** Makes two checks of OpenID Connect Core (3.1.3.7 and 3.1.3.8) that the library leaves to its caller. */
function assertMeantForUs(claims: z.output<typeof claimsSchema>, clientId: string, accessToken: string) {
  if (claims.azp !== undefined && claims.azp !== clientId) throw new SignOnError("refused", "azp mismatch");
  const hash = createHash("sha256").update(accessToken).digest().subarray(0, 16).toString("base64url");
  if (claims.at_hash !== undefined && claims.at_hash !== hash)
    throw new SignOnError("refused", "at_hash mismatch");
}

/** The provider's errors for a person who did not finish, or for a code that was used before. */
const UNFINISHED = /^(access_denied|invalid_grant|(login|consent|interaction|account_selection)_required)$/;

/** The library's codes for a token or a URL that failed a check. Its other codes concern the connection. */
const NOT_PASSED = new Set([
  "OAUTH_INVALID_RESPONSE",
  "OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED",
  "OAUTH_JWT_CLAIM_COMPARISON_FAILED",
  "OAUTH_JWT_TIMESTAMP_CHECK_FAILED",
  "OAUTH_KEY_SELECTION_FAILED",
  "OAUTH_UNSUPPORTED_OPERATION",
]);

function asSignOnError(error: unknown): never {
  if (error instanceof SignOnError) throw error;
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError)
    throw new SignOnError(UNFINISHED.test(error.error) ? "unfinished" : "unavailable", brief(error.error));
  if (error instanceof WWWAuthenticateChallengeError)
    throw new SignOnError("unavailable", brief(error.cause[0]?.parameters.error ?? error.code));
  if (error instanceof z.ZodError) throw new SignOnError("refused", "claims of another kind");
  if (error instanceof ClientError && NOT_PASSED.has(error.code ?? "")) {
    const check = error.cause instanceof Error ? error.cause : error;
    // A URL that fails a check is not a refusal. Anyone can send any number of them, and the audit trail stores
    // refusals for years. The library names the failed part: the parameters of the URL, or a token.
    const isAddress = check.cause instanceof Object && "parameters" in check.cause;
    throw new SignOnError(isAddress ? "unfinished" : "refused", brief(check.message));
  }
  const isTimeOut = error instanceof ClientError && error.code === "OAUTH_TIMEOUT";
  throw new SignOnError("unavailable", isTimeOut ? "it took too long" : codeOf(error));
}

/** Returns the beginning of a message, which names the failed check. The rest would quote values. */
const brief = (message: string): string => (message.split(/[,:]/, 1)[0] ?? "").slice(0, 80);

const LOGOUT = "http://schemas.openid.net/event/backchannel-logout";
const logoutSchema = z
  .object({
    jti: z.string().min(1),
    sub: plainText().optional(),
    sid: plainText().optional(),
    events: z.object({ [LOGOUT]: z.object({}) }),
    /** Forbidden, so that no ID token is accepted as a logout token. */
    nonce: z.undefined().optional(),
  })
  .refine(({ sub, sid }) => sub || sid);

/** `tokenId` is the token's own id, which identifies a repetition. */
export type Logout = { tokenId: string; issuer: string; subject: string | null; sid: string | null };

export const invalidLogout = () => new AppError("malformed", "The logout token is not valid.");

/** jose's errors about the response with the provider's keys, not about the token. */
const ABOUT_KEYS = new Set(["ERR_JWKS_TIMEOUT", "ERR_JWKS_INVALID", "ERR_JOSE_GENERIC"]);

/**
 * Returns the sign-out in a logout token (OpenID Connect Back-Channel Logout, 2.6). Throws 400 if the token is invalid,
 * 503 while the provider's keys cannot be read.
 */
export async function logoutFrom(configured: SignOn, token: string): Promise<Logout> {
  try {
    const { client, keys } = await providerOf(configured);
    const { issuer } = client.serverMetadata();
    const { payload } = await jwtVerify(token, keys, {
      issuer,
      audience: configured.clientId,
      algorithms: [ALGORITHM],
      clockTolerance: CLOCK_SECONDS,
      maxTokenAge: 120,
    });
    const { jti: tokenId, sub = null, sid = null } = logoutSchema.parse(payload);
    return { tokenId, issuer, subject: sub, sid };
  } catch (error) {
    if (error instanceof z.ZodError) throw invalidLogout();
    if (error instanceof jwt.JOSEError && !ABOUT_KEYS.has(error.code)) throw invalidLogout();
    throw new AppError("unavailable", "The provider's keys cannot be read right now.");
  }
}
