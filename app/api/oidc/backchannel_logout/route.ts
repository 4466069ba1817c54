import { route } from "@/lib/api/route";
import * as api from "@/lib/auth/api";
import { endAsProviderSays } from "@/lib/auth/sign-on/flow";

route(api.signOutByProvider, async ({ body }) => {
  await endAsProviderSays(body.logout_token);
  return {};
});

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
