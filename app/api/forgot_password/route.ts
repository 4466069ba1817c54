import * as api from "@/lib/accounts/api";
import { requestPasswordReset, resetPassword } from "@/lib/accounts/data";
import { methods, route } from "@/lib/api/route";
import { clientAddress } from "@/lib/auth/credentials";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  POST: route(api.requestPasswordReset, async ({ body, request }) => {
    await requestPasswordReset(body.email, clientAddress(request));
    return {};
  }),
  PUT: route(api.resetPassword, async ({ body }) => {
    await resetPassword(body.token, body.password);
    return {};
  }),
});
