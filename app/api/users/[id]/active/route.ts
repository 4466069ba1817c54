import * as api from "@/lib/lookups/api";
import { lookupStores } from "@/lib/lookups/store";
import { route } from "@/lib/route";

route(api.setUserActive, async ({ actor, params, body }) => ({
  user: await lookupStores.users.update(actor, params.id, body),
}));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
