import { route } from "@/lib/api/route";
import * as api from "@/lib/tokens/api";
import { endApiToken } from "@/lib/tokens/data";

route(api.endApiToken, ({ actor, params }) => endApiToken(actor, params.id));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
