import * as api from "@/lib/identity/tokens/api";
import { createApiToken, listApiTokens } from "@/lib/identity/tokens/tokens";
import { route } from "@/lib/route";

route(api.listApiTokens, async ({ actor }) => ({ apiTokens: await listApiTokens(actor) }));

route(api.createApiToken, async ({ actor, body }) => ({
  apiToken: await createApiToken(actor, body.apiToken),
}));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
