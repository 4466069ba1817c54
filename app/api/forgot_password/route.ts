import * as api from "@/lib/accounts/api";
import { requestPasswordReset, resetPassword } from "@/lib/accounts/data";
import { route } from "@/lib/api/route";
import { clientAddress } from "@/lib/auth/credentials";
import { rememberDevice } from "@/lib/auth/device";

route(api.requestPasswordReset, async ({ body, request }) => {
  await requestPasswordReset(body.email, clientAddress(request));
  return {};
});

route(api.resetPassword, async ({ body, request, headers }) => {
  const userId = await resetPassword(body.token, body.password);
  headers.append("Set-Cookie", await rememberDevice(request, userId));
  return {};
});

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
