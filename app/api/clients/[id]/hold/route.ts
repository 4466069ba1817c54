import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/retention/api";
import { holdClient, liftHold } from "@/lib/retention/data";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  PUT: route(api.holdClient, async ({ actor, params, body }) => ({
    hold: await holdClient(actor, params.id, body.hold.reason),
  })),
  DELETE: route(api.liftHold, ({ actor, params }) => liftHold(actor, params.id)),
});
