import { route } from "@/lib/api/route";
import * as api from "@/lib/auth/api";
import { rememberDevice } from "@/lib/auth/device";
import { listSessions, signOutElsewhere } from "@/lib/auth/session";

route(api.listSessions, async ({ actor }) => ({ sessions: await listSessions(actor) }));

route(api.endOtherSessions, async ({ actor, request, headers }) => {
  await signOutElsewhere(actor);
  headers.append("Set-Cookie", await rememberDevice(request, actor.userId));
});

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
