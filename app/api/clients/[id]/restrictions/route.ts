import { route } from "@/lib/api/route";
import * as api from "@/lib/restrictions/api";
import { openRestrictions, restrictClient } from "@/lib/restrictions/data";

route(api.getRestrictions, async ({ actor, params }) => ({
  restrictions: await openRestrictions(actor, params.id),
}));

route(api.setRestrictions, async ({ actor, params, body }) => ({
  restrictions: await restrictClient(actor, params.id, body),
}));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
