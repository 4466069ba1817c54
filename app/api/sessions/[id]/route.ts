import { endSession } from "@/lib/identity/session";
import * as api from "@/lib/identity/sessions-api";
import { route } from "@/lib/route";

route(api.endSession, ({ actor, params }) => endSession(actor, params.id));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
