import { endSession } from "@/lib/identity/session";
import * as api from "@/lib/identity/sessions-api";
import { route } from "@/lib/route";

export const DELETE = route(api.endSession, ({ actor, params }) => endSession(actor, params.id));
