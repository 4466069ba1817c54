import { closeSession } from "@/lib/identity/session";
import * as api from "@/lib/identity/sessions-api";
import { signOutCookie } from "@/lib/identity/sign-on/attempt";
import { signOn } from "@/lib/identity/sign-on/settings";
import { route } from "@/lib/route";

export const DELETE = route(api.signOut, async ({ actor, headers }) => {
  headers.append("Set-Cookie", await closeSession(actor.sessionId));
  if (signOn()) headers.append("Set-Cookie", signOutCookie());
});
