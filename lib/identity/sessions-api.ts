import * as z from "zod/mini";
import type { Me } from "@/lib/core/access/permissions";
import { endpoint, GUEST_BODY_MAX } from "@/lib/core/api/endpoint";
import { namedItem } from "@/lib/core/api/response";
import { id } from "@/lib/core/fields/validation";
import { listedSession, loginBody, sessionState } from "@/lib/identity/api-schema";
import { proofSchema } from "@/lib/identity/schema";
import { SIGN_ON_PURPOSES } from "@/lib/identity/sign-on/words";

const me: z.ZodMiniType<Me> = z.object({
  userId: id(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  permissions: z.array(namedItem),
  twoStepRequired: z.boolean(),
});

export const signIn = endpoint("POST /api/login", {
  permission: "guest",
  body: loginBody,
  response: me,
  errors: ["bad_credentials", "code_needed", "too_many"],
  audit: { entity: "user", action: "signed-in" },
  isReported: false,
});

export const prove = endpoint("POST /api/session/proof", {
  permission: "signed-in",
  tokens: false,
  body: proofSchema,
  maxBytes: GUEST_BODY_MAX,
  response: null,
  errors: ["bad_credentials", "code_needed", "too_many"],
  beforeTwoStep: true,
  isReported: false,
});

export const signOut = endpoint("DELETE /api/logout", {
  permission: "signed-in",
  tokens: false,
  response: null,
  beforeTwoStep: true,
  audit: { entity: "user", action: "signed-out" },
});

export const getMe = endpoint("GET /api/me", {
  permission: "signed-in",
  response: me,
  beforeTwoStep: true,
});

export const listSessions = endpoint("GET /api/sessions", {
  permission: "signed-in",
  tokens: false,
  response: z.object({ sessions: z.array(listedSession) }),
});

export const endOtherSessions = endpoint("DELETE /api/sessions", {
  permission: "signed-in",
  tokens: false,
  response: null,
  audit: { entity: "user", action: "signed-out" },
});

export const endSession = endpoint("DELETE /api/sessions/{id}", {
  permission: "signed-in",
  tokens: false,
  params: z.object({ id: z.guid({ error: "must be the id of a session" }) }),
  response: null,
  errors: ["not_found"],
  audit: { entity: "user", action: "signed-out" },
});

export const peekSession = endpoint("GET /api/sessions/current", {
  // Not "signed-in", which would prolong the session whose remaining time is requested.
  permission: "guest",
  response: sessionState,
  errors: ["unauthorized"],
});

export const startSignOn = endpoint("GET /api/oidc/start", {
  permission: "guest",
  query: z.object({ purpose: z._default(z.enum(SIGN_ON_PURPOSES), "sign-in"), url: z.optional(z.string()) }),
  response: null,
  status: 303,
  errors: ["not_found"],
  about: "For browsers: redirects to the organization's single sign-on, if it is set up.",
  // The call waits for the provider, so it stays outside the queue of database requests.
  queued: false,
});

export const completeSignOn = endpoint("GET /api/oidc/callback", {
  permission: "guest",
  query: z.object({
    code: z.optional(z.string()),
    state: z.optional(z.string()),
    iss: z.optional(z.string()),
    error: z.optional(z.string()),
  }),
  response: null,
  status: 303,
  errors: ["not_found"],
  about: "For browsers: the callback of single sign-on (OpenID Connect, authorization code with PKCE).",
  audit: { entity: "user", action: ["signed-in", "updated"] },
  isReported: false,
  queued: false,
});

export const signOutByProvider = endpoint("POST /api/oidc/backchannel_logout", {
  permission: "guest",
  form: true,
  body: z.object({ logout_token: z.string().check(z.maxLength(10_000)) }),
  response: z.object({}),
  errors: ["not_found"],
  about: "For the single sign-on provider, which reports sign-outs here (back-channel logout).",
  audit: { entity: "user", action: "signed-out" },
  isReported: false,
  queued: false,
});
