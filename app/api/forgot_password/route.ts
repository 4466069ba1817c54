import * as api from "@/lib/accounts/api";
import { requestPasswordReset, resetPassword } from "@/lib/accounts/data";
import { methods, route } from "@/lib/api/route";
import { clientAddress } from "@/lib/auth/credentials";
import { rememberDevice } from "@/lib/auth/device";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  POST: route(api.requestPasswordReset, async ({ body, request }) => {
    await requestPasswordReset(body.email, clientAddress(request));
    return {};
  }),
  PUT: route(api.resetPassword, async ({ body, request, headers }) => {
    const userId = await resetPassword(body.token, body.password);
    headers.append("Set-Cookie", await rememberDevice(request, userId));
    return {};
  }),
});
