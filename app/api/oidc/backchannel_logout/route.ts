import * as api from "@/lib/identity/sessions-api";
import { endProviderSessions } from "@/lib/identity/sign-on/flow";
import { route } from "@/lib/route";

route(api.signOutByProvider, async ({ body }) => {
  await endProviderSessions(body.logout_token);
  return {};
});

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
