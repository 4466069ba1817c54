import * as api from "@/lib/groups/api";
import { getGroup, removeGroup, updateGroup } from "@/lib/groups/groups";
import { route } from "@/lib/route";

export const GET = route(api.getGroup, async ({ actor, params: { id } }) => ({
  group: await getGroup(actor, id),
}));

export const PUT = route(api.updateGroup, async ({ actor, params: { id }, body }) => ({
  group: await updateGroup(actor, id, body.group),
}));

export const DELETE = route(api.removeGroup, ({ actor, params: { id } }) => removeGroup(actor, id));
