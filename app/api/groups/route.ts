import * as api from "@/lib/groups/api";
import { createGroup, listGroups } from "@/lib/groups/groups";
import { route } from "@/lib/route";

export const GET = route(api.listGroups, async ({ actor, query }) => {
  const { items, meta } = await listGroups(actor, query);
  return { groups: items, meta };
});

export const POST = route(api.createGroup, async ({ actor, body, keys }) => ({
  group: await createGroup(actor, body.group, keys.idempotencyKey),
}));
