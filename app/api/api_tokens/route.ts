import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/tokens/api";
import { createApiToken, listApiTokens } from "@/lib/tokens/data";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route(api.listApiTokens, async ({ actor }) => ({ apiTokens: await listApiTokens(actor) })),
  POST: route(api.createApiToken, async ({ actor, body }) => ({
    apiToken: await createApiToken(actor, body.apiToken),
  })),
});
