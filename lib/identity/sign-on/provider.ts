import "server-only";
import { createRemoteJWKSet, errors as jwt, jwtVerify } from "jose";
import { type Client, custom, errors, generators, Issuer } from "openid-client";
import { z } from "zod";
import { AppError } from "@/lib/core/api/errors";
import { env } from "@/lib/core/server/env";
import { codeOf } from "@/lib/core/server/error-frames";
import { processWide } from "@/lib/core/server/process-wide";
import type { Attempt } from "@/lib/identity/sign-on/attempt";
import type { SignOn } from "@/lib/identity/sign-on/settings";
import type { SignOnFailure } from "@/lib/identity/sign-on/words";

// What is said to the organisation's OpenID Connect provider, and what of its answers is believed: authorization code
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

type Provider = { client: Client; keys: ReturnType<typeof createRemoteJWKSet> };
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
  const found = await Issuer.discover(issuer);
  if (plain(found.metadata.issuer) !== plain(issuer) || !found.metadata.jwks_uri)
    throw new SignOnError("unavailable", "its discovery document names another issuer");
  const client = new found.Client({
    client_id: clientId,
    client_secret: clientSecret,
    redirect_uris: [callbackUrl()],
    response_types: ["code"],
    id_token_signed_response_alg: ALGORITHM,
  });
  client[custom.clock_tolerance] = CLOCK_SECONDS;
  return { client, keys: createRemoteJWKSet(new URL(found.metadata.jwks_uri)) };
}

const callbackUrl = () => `${env().APP_URL}/api/oidc/callback`;

/** A new attempt, and the provider's page that it begins at. */
export async function beginAt(
  configured: SignOn,
  goal: Pick<Attempt, "purpose" | "url" | "anew">,
): Promise<{ attempt: Attempt; page: string }> {
  const attempt: Attempt = {
    ...goal,
    state: generators.state(),
    nonce: generators.nonce(),
    verifier: generators.codeVerifier(),
    at: Date.now(),
  };
  const { client } = await providerOf(configured).catch(asSignOnError);
  const page = client.authorizationUrl({
    scope: "openid email",
    state: attempt.state,
    nonce: attempt.nonce,
    code_challenge: generators.codeChallenge(attempt.verifier),
    code_challenge_method: "S256",
    ...(goal.anew && { prompt: "login", max_age: 0 }),
  });
  return { attempt, page };
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
  /** Entra ID's word for it: the domain of the email is one that its organisation has proved to own. */
  xms_edov: z.unknown().optional(),
  sid: plainText().optional(),
  auth_time: past().optional(),
});

const YES = new Set<unknown>([true, "true", 1, "1"]);

/** Redeems the code that the provider's page led back with; `params` are those of the address. */
export async function identityFrom(
  configured: SignOn,
  params: { code?: string; state?: string; iss?: string; error?: string },
  attempt: Attempt,
): Promise<Identity> {
  try {
    const { client } = await providerOf(configured);
    const tokens = await client.callback(callbackUrl(), params, {
      response_type: "code",
      state: attempt.state,
      nonce: attempt.nonce,
      code_verifier: attempt.verifier,
    });
    const signed = tokens.claims();
    // Some providers tell the email only when they are asked for it; the answer must be of the same subject.
    const more = signed.email ? {} : await client.userinfo(tokens);
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

/** What the provider says where the person did not finish, or where its code was used before. */
const UNFINISHED = /^(access_denied|invalid_grant|(login|consent|interaction|account_selection)_required)$/;

function asSignOnError(error: unknown): never {
  if (error instanceof SignOnError) throw error;
  if (error instanceof errors.OPError) {
    const { error: code = "" } = error;
    throw new SignOnError(UNFINISHED.test(code) ? "unfinished" : "unavailable", brief(code));
  }
  const isTimeOut = error instanceof Error && error.message.startsWith("outgoing request timed out");
  if (error instanceof errors.RPError && !isTimeOut)
    // With `params` it is the address that did not pass, not a token: anybody can send such ones, in any number, so that
    // they are no refusals, which the audit trail keeps for years.
    throw new SignOnError("params" in error ? "unfinished" : "refused", brief(error.message));
  if (error instanceof z.ZodError) throw new SignOnError("refused", "claims of another kind");
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
    const { issuer } = client.issuer.metadata;
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
