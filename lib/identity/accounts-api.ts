import * as z from "zod/mini";
import { endpoint } from "@/lib/core/api/endpoint";
import {
  confirmBody,
  profileBody,
  profileResponse,
  twoStepSetUp,
  twoStepState,
} from "@/lib/identity/api-schema";
import { forgotPasswordSchema, updatePasswordBody } from "@/lib/identity/schema";

export const getProfile = endpoint("GET /api/profile", {
  permission: "signed-in",
  response: z.object({ profile: profileResponse }),
  errors: ["not_found"],
  beforeTwoStep: true,
});

export const updateProfile = endpoint("PUT /api/profile", {
  permission: "signed-in",
  tokens: false,
  body: profileBody,
  response: z.object({ profile: profileResponse }),
  errors: ["not_found", "too_many", "proof_needed"],
  beforeTwoStep: true,
  audit: { entity: "user", action: ["updated", "viewed"] },
});

export const getTwoStep = endpoint("GET /api/two_step", {
  permission: "signed-in",
  tokens: false,
  response: z.object({ twoStep: twoStepState }),
  errors: ["not_found"],
  beforeTwoStep: true,
});

export const beginTwoStep = endpoint("POST /api/two_step", {
  permission: "signed-in",
  tokens: false,
  response: z.object({ twoStep: twoStepSetUp }),
  status: 201,
  proof: true,
  beforeTwoStep: true,
});

export const confirmTwoStep = endpoint("PUT /api/two_step", {
  permission: "signed-in",
  tokens: false,
  about:
    "A code from the app that is being set up switches to that app. A code from the current app only creates new recovery codes. For ten minutes after a setup was started, the latter requires `keepApp`, which also ends that setup.",
  body: confirmBody,
  response: z.object({ recoveryCodes: z.array(z.string()) }),
  errors: ["code_needed", "too_many"],
  proof: true,
  beforeTwoStep: true,
  audit: { entity: "user", action: "updated" },
});

export const endTwoStep = endpoint("DELETE /api/two_step", {
  permission: "signed-in",
  tokens: false,
  response: null,
  errors: ["invalid"],
  proof: true,
  beforeTwoStep: true,
  audit: { entity: "user", action: "updated" },
});

export const requestPasswordReset = endpoint("POST /api/forgot_password", {
  permission: "guest",
  body: forgotPasswordSchema,
  response: z.object({}),
});

export const resetPassword = endpoint("PUT /api/forgot_password", {
  permission: "guest",
  body: updatePasswordBody,
  response: z.object({}),
  errors: ["too_many"],
  audit: { entity: "user", action: "updated" },
  isReported: false,
});

export const requestNewLink = endpoint("POST /api/account/new_link", {
  about:
    "Requests a new mail for a link that has expired. The response is the same for every token, and only the account of an expired link gets mail.",
  permission: "guest",
  body: z.object({ token: z.string().check(z.minLength(1), z.maxLength(200)) }),
  response: z.object({}),
  isReported: false,
});

export const checkPassword = endpoint("POST /api/password_check", {
  permission: "guest",
  body: z.object({ password: z.string().check(z.maxLength(200)) }),
  response: z.object({ isCommon: z.boolean() }),
  about: "Returns whether a typed password is on the list of common passwords. Nothing is stored.",
  isReported: false,
  queued: false,
});

export const activateAccount = endpoint("GET /api/account/{token}/activate", {
  permission: "guest",
  params: z.object({ token: z.string() }),
  response: z.object({ token: z.string() }),
  audit: { entity: "user", action: "updated" },
});
