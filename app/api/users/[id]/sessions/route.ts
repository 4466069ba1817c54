import { endSessionsOf } from "@/lib/accounts/leavers/data";
import { route } from "@/lib/api/route";
import * as api from "@/lib/lookups/api";

route(api.endUserSessions, ({ actor, params }) => endSessionsOf(actor, params.id));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
