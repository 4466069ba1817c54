import * as api from "@/lib/identity/tokens/api";
import { endApiToken } from "@/lib/identity/tokens/tokens";
import { route } from "@/lib/route";

route(api.endApiToken, ({ actor, params }) => endApiToken(actor, params.id));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
