import * as api from "@/lib/identity/sessions-api";
import { endProviderSessions } from "@/lib/identity/sign-on/flow";
import { route } from "@/lib/route";

export const POST = route(api.signOutByProvider, async ({ body }) => {
  await endProviderSessions(body.logout_token);
  return {};
});
