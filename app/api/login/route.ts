import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/auth/api";
import { authenticate, clientAddress } from "@/lib/auth/credentials";
import { startSession } from "@/lib/auth/session";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  POST: route(api.signIn, async ({ body, request, headers }) => {
    const credentials = await authenticate(body.email, body.password, clientAddress(request));
    const { user, cookie } = await startSession(request, credentials);
    headers.set("Set-Cookie", cookie);
    return user;
  }),
});
