import { holdClient, liftHold } from "@/lib/clients/holds";
import * as api from "@/lib/retention/api";
import { route } from "@/lib/route";

export const PUT = route(api.holdClient, async ({ actor, params, body }) => ({
  hold: await holdClient(actor, params.id, body.hold.reason),
}));

export const DELETE = route(api.liftHold, ({ actor, params }) => liftHold(actor, params.id));
