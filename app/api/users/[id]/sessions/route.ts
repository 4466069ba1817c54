import { endSessionsOf } from "@/lib/identity/offboarding";
import * as api from "@/lib/lookups/api";
import { route } from "@/lib/route";

export const DELETE = route(api.endUserSessions, ({ actor, params }) => endSessionsOf(actor, params.id));
