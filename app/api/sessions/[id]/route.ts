import { route } from "@/lib/api/route";
import * as api from "@/lib/auth/api";
import { endSession } from "@/lib/auth/session";

route(api.endSession, ({ actor, params }) => endSession(actor, params.id));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
