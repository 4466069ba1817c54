import { endSessionsOf } from "@/lib/accounts/leavers/data";
import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/lookups/api";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  DELETE: route(api.endUserSessions, ({ actor, params }) => endSessionsOf(actor, params.id)),
});
