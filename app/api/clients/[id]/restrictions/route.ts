import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/restrictions/api";
import { openRestrictions, restrictClient } from "@/lib/restrictions/data";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route(api.getRestrictions, async ({ actor, params }) => ({
    restrictions: await openRestrictions(actor, params.id),
  })),
  PUT: route(api.setRestrictions, async ({ actor, params, body }) => ({
    restrictions: await restrictClient(actor, params.id, body),
  })),
});
