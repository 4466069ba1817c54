import { rememberDevice } from "@/lib/identity/known-devices";
import { listSessions, signOutElsewhere } from "@/lib/identity/session";
import * as api from "@/lib/identity/sessions-api";
import { route } from "@/lib/route";

export const GET = route(api.listSessions, async ({ actor }) => ({ sessions: await listSessions(actor) }));

export const DELETE = route(api.endOtherSessions, async ({ actor, request, headers }) => {
  await signOutElsewhere(actor);
  headers.append("Set-Cookie", await rememberDevice(request, actor.userId));
});
