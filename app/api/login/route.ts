import { route } from "@/lib/api/route";
import * as api from "@/lib/auth/api";
import { authenticate } from "@/lib/auth/credentials";
import { rememberDevice } from "@/lib/auth/device";
import { startSession } from "@/lib/auth/session";

route(api.signIn, async ({ body, request, headers }) => {
  const credentials = await authenticate(body, request);
  const { user, cookie } = await startSession(request, credentials);
  headers.append("Set-Cookie", cookie);
  headers.append("Set-Cookie", await rememberDevice(request, credentials.userId));
  return user;
});

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
