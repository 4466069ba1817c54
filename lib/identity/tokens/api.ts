import * as z from "zod/mini";
import { endpoint } from "@/lib/core/api/endpoint";
import { idParams } from "@/lib/core/api/list-query";
import { apiToken, newApiToken, tokenBody } from "@/lib/identity/tokens/api-schema";

export const listApiTokens = endpoint("GET /api/api_tokens", {
  permission: "api-tokens",
  response: z.object({ apiTokens: z.array(apiToken) }),
  tokens: false,
});

export const createApiToken = endpoint("POST /api/api_tokens", {
  permission: "api-tokens",
  body: tokenBody,
  response: z.object({ apiToken: newApiToken }),
  status: 201,
  proof: true,
  tokens: false,
  audit: { entity: "apiToken", action: "created" },
});

export const endApiToken = endpoint("DELETE /api/api_tokens/{id}", {
  permission: "api-tokens",
  params: idParams,
  response: null,
  errors: ["not_found"],
  proof: true,
  tokens: false,
  audit: { entity: "apiToken", action: "removed" },
});
