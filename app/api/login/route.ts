import { assertMaySignIn, authenticate } from "@/lib/identity/credentials";
import { rememberDevice } from "@/lib/identity/known-devices";
import { startSession } from "@/lib/identity/session";
import * as api from "@/lib/identity/sessions-api";
import { route } from "@/lib/route";

export const POST = route(
  api.signIn,
  async ({ body, request, headers }) => {
    const credentials = await authenticate(body, request);
    const { user, cookie } = await startSession(request, credentials);
    headers.append("Set-Cookie", cookie);
    headers.append(
      "Set-Cookie",
      await rememberDevice(request, credentials.userId, { code: credentials.secret !== null }),
    );
    return user;
  },
  ({ request }) => assertMaySignIn(request),
);
