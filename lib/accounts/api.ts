import { z } from "zod";
import { forgotPasswordSchema, profileAnswer, profileBody, updatePasswordBody } from "@/lib/accounts/schema";
import { endpoint } from "@/lib/api/endpoint";

export const getProfile = endpoint({
  method: "GET",
  path: "/api/profile",
  permission: "signed-in",
  answer: z.object({ profile: profileAnswer }),
  errors: ["not_found"],
});

export const updateProfile = endpoint({
  method: "PUT",
  path: "/api/profile",
  permission: "signed-in",
  tokens: false,
  body: profileBody,
  answer: z.object({ profile: profileAnswer }),
  errors: ["not_found", "too_many", "proof_needed"],
  audit: { entity: "user", action: "updated" },
});

export const requestPasswordReset = endpoint({
  method: "POST",
  path: "/api/forgot_password",
  permission: "guest",
  body: forgotPasswordSchema,
  answer: z.object({}),
});

export const resetPassword = endpoint({
  method: "PUT",
  path: "/api/forgot_password",
  permission: "guest",
  body: updatePasswordBody,
  answer: z.object({}),
  errors: ["too_many"],
  audit: { entity: "user", action: "updated" },
  reported: false,
});

export const activateAccount = endpoint({
  method: "GET",
  path: "/api/account/{token}/activate",
  permission: "guest",
  params: z.object({ token: z.string() }),
  answer: z.object({ token: z.string() }),
});
