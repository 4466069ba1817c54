import { handOver } from "@/lib/accounts/leavers/data";
import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/lookups/api";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  POST: route(api.handOver, ({ actor, params, body }) => handOver(actor, params.id, body.toUserId)),
});
