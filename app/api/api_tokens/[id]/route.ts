import * as api from "@/lib/identity/tokens/api";
import { endApiToken } from "@/lib/identity/tokens/tokens";
import { route } from "@/lib/route";

export const DELETE = route(api.endApiToken, ({ actor, params }) => endApiToken(actor, params.id));
