import { route } from "@/lib/api/route";
import * as api from "@/lib/auth/api";
import { closeSession } from "@/lib/auth/session";
import { notedSignOut } from "@/lib/auth/sign-on/attempt";
import { signOn } from "@/lib/auth/sign-on/settings";

route(api.signOut, async ({ actor, headers }) => {
  headers.append("Set-Cookie", await closeSession(actor.sessionId));
  if (signOn()) headers.append("Set-Cookie", notedSignOut());
});

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
