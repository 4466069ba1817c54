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
import { AppError } from "@/lib/core/api/errors";
import { env } from "@/lib/core/server/env";
import { codeOf } from "@/lib/core/server/error-reports";
import { processWide } from "@/lib/core/server/process-wide";
import type { Attempt } from "@/lib/identity/sign-on/attempt";
import type { SignOn } from "@/lib/identity/sign-on/settings";
import type { SignOnFailure } from "@/lib/identity/sign-on/words";

// What is said to the organization's OpenID Connect provider, and what of its answers is believed: authorization code
// with PKCE, checked by openid-client. Its tokens are read and dropped; none is stored.

/** Sign-in by single sign-on that did not work; `reason` is for the log, and holds nothing of a person. */
export class SignOnError extends Error {
  constructor(
    readonly failure: SignOnFailure,
    readonly reason: string,
    /** The account that it is about, if one is known. */
    readonly userId: number | null = null,
  ) {
    super(reason);
  }
}

/** Who has signed in at the provider. `email` is there only if the provider has verified it. */
export type Identity = {
  issuer: string;
  subject: string;
  email: string | null;
  /** The provider's name of its session, by which it may end ours. */
  sid: string | null;
  /** When this person last signed in there, as far as the provider says. */
  authenticatedAt: Date | null;
};

/** The signature of ID and logout tokens: the one that every provider has (OpenID Connect Core, 15.1). */
const ALGORITHM = "RS256";
/** How far the provider's clock may be from ours. */
export const CLOCK_SECONDS = 60;
/** How long the provider's addresses are remembered. Its keys are asked for again when an unknown one signs. */
const REMEMBERED_MS = 3_600_000;

/** How long one answer of the provider may take, in seconds. */
const TIMEOUT_SECONDS = 5;

type Provider = { client: Configuration; keys: ReturnType<typeof createRemoteJWKSet> };
type Known = { issuer: string; at: number; provider: Promise<Provider> | null };
const known = processWide("sign-on provider", (): Known => ({ issuer: "", at: 0, provider: null }));

/** Asks the provider for its addresses at the first use, so that its outage never keeps the program from starting. */
function providerOf(configured: SignOn): Promise<Provider> {
  const { issuer } = configured;
  const isFresh = known.issuer === issuer && Date.now() - known.at < REMEMBERED_MS;
  if (known.provider && isFresh) return known.provider;
  const provider = discover(configured);
  Object.assign(known, { issuer, at: Date.now(), provider });
  provider.catch(() => {
    if (known.provider === provider) known.provider = null;
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
      // Without the first, the signature of an ID token is not checked: TLS alone would prove where it is from.
      execute: [enableNonRepudiationChecks, ...(issuer.startsWith("http:") ? [allowInsecureRequests] : [])],
    },
  );
  const found = client.serverMetadata();
  // The library does not compare them where it is given the document's own address.
  if (plain(found.issuer) !== plain(issuer) || !found.jwks_uri)
    throw new SignOnError("unavailable", "its discovery document names another issuer");
  return { client, keys: createRemoteJWKSet(new URL(found.jwks_uri)) };
}

/** Sends the secret in the Authorization header, or in the body to a provider that reads it only there. */
function authentication(secret: string): ClientAuth {
  const [inHeader, inBody] = [ClientSecretBasic(secret), ClientSecretPost(secret)];
  return (server, ...request) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    const send =
      methods.includes("client_secret_post") && !methods.includes("client_secret_basic") ? inBody : inHeader;
    send(server, ...request);
  };
}

const callbackUrl = () => new URL(`${env().APP_URL}/api/oidc/callback`).href;

/** A new attempt, and the provider's page that it begins at. */
export async function beginAt(
  configured: SignOn,
  goal: Pick<Attempt, "purpose" | "url" | "anew">,
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
      ...(goal.anew && { prompt: "login", max_age: "0" }),
    });
    return { attempt, page: page.href };
  } catch (error) {
    return asSignOnError(error);
  }
}

/** A text of the provider as the database can store it. */
const plainText = () =>
  z
    .string()
    .max(255)
    .regex(/^\P{Cc}*$/u);
/** A moment in seconds that is not in the future, but for the difference of the clocks. */
const past = () => z.number().refine((at) => at >= 0 && at <= Date.now() / 1000 + CLOCK_SECONDS);

const claimsSchema = z.object({
  iss: z.string(),
  sub: plainText().min(1),
  iat: past(),
  email: plainText().optional(),
  email_verified: z.unknown().optional(),
  /** Entra ID's word for it: the domain of the email is one that its organization has proved to own. */
  xms_edov: z.unknown().optional(),
  sid: plainText().optional(),
  auth_time: past().optional(),
  /** The program that asked for the token. */
  azp: z.string().optional(),
  /** The hash that ties the token to the access token next to it. */
  at_hash: z.string().optional(),
});

const YES = new Set<unknown>([true, "true", 1, "1"]);

/** Redeems the code that the provider's page led back with; `params` are those of the address. */
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
    // Some providers tell the email only when they are asked for it; the answer must be of the same subject.
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

/** Two checks of OpenID Connect Core (3.1.3.7 and 3.1.3.8) that the library leaves to its caller. */
function assertMeantForUs(claims: z.output<typeof claimsSchema>, clientId: string, accessToken: string) {
  if (claims.azp !== undefined && claims.azp !== clientId) throw new SignOnError("refused", "azp mismatch");
  const hash = createHash("sha256").update(accessToken).digest().subarray(0, 16).toString("base64url");
  if (claims.at_hash !== undefined && claims.at_hash !== hash)
    throw new SignOnError("refused", "at_hash mismatch");
}

/** What the provider says where the person did not finish, or where its code was used before. */
const UNFINISHED = /^(access_denied|invalid_grant|(login|consent|interaction|account_selection)_required)$/;

/** The library's codes for a token or an address that did not pass a check. Its others are about the connection. */
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
    // Anyone can send an address that does not pass, in any number, so that it is no refusal: the audit trail keeps
    // refusals for years. The library names what did not pass, the parameters of the address or a token.
    const isAddress = check.cause instanceof Object && "parameters" in check.cause;
    throw new SignOnError(isAddress ? "unfinished" : "refused", brief(check.message));
  }
  const isTimeOut = error instanceof ClientError && error.code === "OAUTH_TIMEOUT";
  throw new SignOnError("unavailable", isTimeOut ? "it took too long" : codeOf(error));
}

/** The beginning of a message, which names the check that failed; what follows would quote values. */
const brief = (message: string): string => (message.split(/[,:]/, 1)[0] ?? "").slice(0, 80);

const LOGOUT = "http://schemas.openid.net/event/backchannel-logout";
const logoutSchema = z
  .object({
    jti: z.string().min(1),
    sub: plainText().optional(),
    sid: plainText().optional(),
    events: z.object({ [LOGOUT]: z.object({}) }),
    /** Forbidden, so that no ID token passes for one. */
    nonce: z.undefined().optional(),
  })
  .refine(({ sub, sid }) => sub || sid);

/** `tokenId` is the token's own, by which a repetition is known. */
export type Logout = { tokenId: string; issuer: string; subject: string | null; sid: string | null };

export const invalidLogout = () => new AppError("malformed", "The logout token is not valid.");

/** jose's errors about the provider's answer with its keys, and not about the token. */
const ABOUT_KEYS = new Set(["ERR_JWKS_TIMEOUT", "ERR_JWKS_INVALID", "ERR_JOSE_GENERIC"]);

/**
 * Whose sign-out a logout token tells (OpenID Connect Back-Channel Logout, 2.6); 400 for one that is not valid, 503 while
 * the provider's keys cannot be read.
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
    throw new AppError("unavailable", "The provider's keys cannot be read at the moment.");
  }
}
