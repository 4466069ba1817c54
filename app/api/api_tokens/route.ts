import { route } from "@/lib/api/route";
import * as api from "@/lib/tokens/api";
import { createApiToken, listApiTokens } from "@/lib/tokens/data";

route(api.listApiTokens, async ({ actor }) => ({ apiTokens: await listApiTokens(actor) }));

route(api.createApiToken, async ({ actor, body }) => ({
  apiToken: await createApiToken(actor, body.apiToken),
}));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
