import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/auth/api";
import { authenticate } from "@/lib/auth/credentials";
import { rememberDevice } from "@/lib/auth/device";
import { startSession } from "@/lib/auth/session";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  POST: route(api.signIn, async ({ body, request, headers }) => {
    const credentials = await authenticate(body, request);
    const { user, cookie } = await startSession(request, credentials);
    headers.append("Set-Cookie", cookie);
    headers.append("Set-Cookie", await rememberDevice(request, credentials.userId));
    return user;
  }),
});
