import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/auth/api";
import { rememberDevice } from "@/lib/auth/device";
import { listSessions, signOutElsewhere } from "@/lib/auth/session";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route(api.listSessions, async ({ actor }) => ({ sessions: await listSessions(actor) })),
  DELETE: route(api.endOtherSessions, async ({ actor, request, headers }) => {
    await signOutElsewhere(actor);
    headers.append("Set-Cookie", await rememberDevice(request, actor.userId));
  }),
});
