import "server-only";
import { auditRead, ITSELF, NOBODY } from "@/lib/audit/record";
import type { ApiRequest } from "@/lib/core/api/request";
import { AppError, notFound } from "@/lib/core/errors";
import { to } from "@/lib/core/pages";
import { log } from "@/lib/core/process/log";
import { countRefusedSignIn } from "@/lib/core/process/metrics";
import { countAttempt } from "@/lib/identity/credentials";
import type { Identity } from "@/lib/identity/session";
import { actorIn, noteProof, startSession } from "@/lib/identity/session";
import {
  type Attempt,
  attemptCookie,
  clearedAttemptCookie,
  clearedSignOutCookie,
  readAttempt,
  wasUsed,
} from "@/lib/identity/sign-on/attempt";
import { accountOf, assertCustom, endByProvider } from "@/lib/identity/sign-on/attempts";
import {
  beginAt,
  CLOCK_SECONDS,
  identityFrom,
  logoutFrom,
  SignOnError,
} from "@/lib/identity/sign-on/provider";
import { signOn } from "@/lib/identity/sign-on/settings";
import type { SignOnPurpose } from "@/lib/identity/sign-on/words";

// The redirects to the provider's pages and back. Every result ends at /single_sign_on, which shows it or redirects,
// because a person's browser opens these URLs. JSON responses occur only without single sign-on, and while the program
// itself is out of order.

/** Longer URLs would not fit the cookie. The person then gets the default page after sign-in. */
const LONGEST_URL = 1_000;

/** Throws 404 without single sign-on. */
function configured() {
  const settings = signOn();
  if (!settings) throw notFound();
  return settings;
}

function leadTo(location: string, cookies: string[] = []): Response {
  const response = new Response(null, { status: 303, headers: { Location: location } });
  for (const cookie of cookies) response.headers.append("Set-Cookie", cookie);
  return response;
}

const outcome = (about: { purpose: SignOnPurpose; url: string | null }, failure?: string): string =>
  `/single_sign_on?${new URLSearchParams({
    purpose: about.purpose,
    ...(about.url && { url: about.url }),
    ...(failure && { failure }),
  })}`;

/** Redirects to the provider's page; from a page of another site, to the login page. */
export async function beginSignOn(
  request: ApiRequest,
  purpose: SignOnPurpose,
  wanted: string | null,
): Promise<Response> {
  const settings = configured();
  const url = wanted && wanted.length <= LONGEST_URL ? wanted : null;
  // Otherwise such a page could replace its visitor's session without the visitor's consent.
  if (request.headers.get("sec-fetch-site") === "cross-site")
    return leadTo(url ? `${to("login")}?${new URLSearchParams({ url })}` : to("login"));
  // A user behind the lock, or one who needs a recent proof, must authenticate again.
  const again = purpose !== "sign-in" || wasUsed(request);
  try {
    const { attempt, page } = await beginAt(settings, { purpose, url, again });
    return leadTo(page, [attemptCookie(attempt)]);
  } catch (error) {
    return leadTo(outcome({ purpose, url }, await failureOf(error)));
  }
}

/** Completes the attempt that `beginSignOn` began. `params` are the query parameters of the provider's redirect. */
export async function finishSignOn(
  request: ApiRequest,
  params: Parameters<typeof identityFrom>[1],
): Promise<Response> {
  const settings = configured();
  const attempt = readAttempt(request);
  const about = attempt ?? { purpose: "sign-in" as const, url: null };
  try {
    if (!attempt) throw new SignOnError("unfinished", "no attempt of this browser");
    if (!(await countAttempt(attempt.state)))
      throw new SignOnError("unfinished", "the attempt was used before");
    const identity = await identityFrom(settings, params, attempt);
    const cookies = await (attempt.purpose === "proof" ? prove : signIn)(request, identity, attempt);
    return leadTo(outcome(about), [clearedAttemptCookie(), ...cookies]);
  } catch (error) {
    return leadTo(outcome(about, await failureOf(error)), [clearedAttemptCookie()]);
  }
}

/** True if the person authenticated after the attempt began. Null if the provider does not report the time. */
const isFresh = ({ authenticatedAt }: Identity, { at }: Attempt): boolean | null =>
  authenticatedAt && authenticatedAt.getTime() >= at - CLOCK_SECONDS * 1000;

async function signIn(request: ApiRequest, identity: Identity, attempt: Attempt): Promise<string[]> {
  // A provider that never reports the time would otherwise lock its users out permanently.
  if (attempt.again && isFresh(identity, attempt) === false)
    throw new SignOnError("unproven", "signed in there before it was asked to");
  const userId = await accountOf(identity);
  const { cookie } = await startSession(request, { userId, identity }).catch((error) => {
    // The account was deactivated, or linked with another identity, after it was found.
    if (error instanceof AppError && error.status === 401)
      throw new SignOnError("refused", "changed", userId);
    throw error;
  });
  return [cookie, clearedSignOutCookie()];
}

async function prove(request: ApiRequest, identity: Identity, attempt: Attempt): Promise<string[]> {
  const actor = await actorIn(request);
  if (!actor) throw new SignOnError("unfinished", "the session to prove has ended");
  await assertCustom(actor, identity);
  if (!isFresh(identity, attempt)) throw new SignOnError("unproven", "no fresh sign-in there");
  await noteProof(actor);
  return [];
}

/** Returns the failure that the person sees. The log and, after a refusal, the audit trail have more details. */
async function failureOf(error: unknown): Promise<string> {
  if (!(error instanceof SignOnError)) throw error;
  const { failure, reason, userId } = error;
  if (failure === "refused") countRefusedSignIn("single_sign_on");
  log.warn({ singleSignOn: failure, reason }, "Single sign-on failed");
  if (failure === "refused")
    // The reason is the name of a field, which the Audit Log shows. The email of an unknown person is not stored
    // anywhere.
    await auditRead(userId === null ? NOBODY : ITSELF, {
      action: "sign-in-failed",
      entity: "user",
      entityId: userId,
      changes: [{ field: `singleSignOn.${reason}`, from: null, to: null }],
    });
  return failure;
}

/** Ends the sessions of the person that the provider has signed out. Throws 400 for an invalid or repeated token. */
export async function endProviderSessions(logoutToken: string): Promise<void> {
  await endByProvider(await logoutFrom(configured(), logoutToken));
}
