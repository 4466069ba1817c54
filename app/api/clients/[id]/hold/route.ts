import { holdClient, liftHold } from "@/lib/clients/holds";
import * as api from "@/lib/retention/api";
import { route } from "@/lib/route";

route(api.holdClient, async ({ actor, params, body }) => ({
  hold: await holdClient(actor, params.id, body.hold.reason),
}));

route(api.liftHold, ({ actor, params }) => liftHold(actor, params.id));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
