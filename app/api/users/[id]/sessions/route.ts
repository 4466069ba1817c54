import { endSessionsOf } from "@/lib/identity/offboarding";
import * as api from "@/lib/lookups/api";
import { route } from "@/lib/route";

route(api.endUserSessions, ({ actor, params }) => endSessionsOf(actor, params.id));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
