import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/auth/api";
import { endAsProviderSays } from "@/lib/auth/sign-on/flow";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  POST: route(api.signOutByProvider, async ({ body }) => {
    await endAsProviderSays(body.logout_token);
    return {};
  }),
});
