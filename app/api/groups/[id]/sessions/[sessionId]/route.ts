import * as api from "@/lib/groups/api";
import { getSession, removeSession, updateSession } from "@/lib/groups/sessions";
import { route } from "@/lib/route";

export const GET = route(api.getGroupSession, async ({ actor, params: { id, sessionId } }) => ({
  groupSession: await getSession(actor, id, sessionId),
}));

export const PUT = route(api.updateGroupSession, async ({ actor, params: { id, sessionId }, body }) => ({
  groupSession: await updateSession(actor, id, sessionId, body.groupSession),
}));

export const DELETE = route(api.removeGroupSession, ({ actor, params: { id, sessionId } }) =>
  removeSession(actor, id, sessionId),
);
