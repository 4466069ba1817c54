import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/auth/api";
import { closeSession } from "@/lib/auth/session";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  DELETE: route(api.signOut, async ({ actor, headers }) => {
    headers.set("Set-Cookie", await closeSession(actor.sessionId));
  }),
});
