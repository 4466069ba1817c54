import { requestPasswordReset, resetPassword } from "@/lib/identity/accounts";
import * as api from "@/lib/identity/accounts-api";
import { clientAddress } from "@/lib/identity/credentials";
import { rememberDevice } from "@/lib/identity/known-devices";
import { route } from "@/lib/route";

export const POST = route(api.requestPasswordReset, async ({ body, request }) => {
  await requestPasswordReset(body.email, clientAddress(request));
  return {};
});

export const PUT = route(api.resetPassword, async ({ body, request, headers }) => {
  const userId = await resetPassword(body.token, body.password);
  headers.append("Set-Cookie", await rememberDevice(request, userId));
  return {};
});
