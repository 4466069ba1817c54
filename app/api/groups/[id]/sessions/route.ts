import * as api from "@/lib/groups/api";
import { createSession, listSessions } from "@/lib/groups/sessions";
import { route } from "@/lib/route";

export const GET = route(api.listGroupSessions, async ({ actor, params, query }) => {
  const { items, meta } = await listSessions(actor, params.id, query);
  return { groupSessions: items, meta };
});

export const POST = route(api.createGroupSession, async ({ actor, params, body, keys }) => ({
  groupSession: await createSession(actor, params.id, body.groupSession, keys.idempotencyKey),
}));
