import * as api from "@/lib/identity/tokens/api";
import { createApiToken, listApiTokens } from "@/lib/identity/tokens/tokens";
import { route } from "@/lib/route";

export const GET = route(api.listApiTokens, async ({ actor }) => ({ apiTokens: await listApiTokens(actor) }));

export const POST = route(api.createApiToken, async ({ actor, body }) => ({
  apiToken: await createApiToken(actor, body.apiToken),
}));
