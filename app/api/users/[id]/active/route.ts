import * as api from "@/lib/lookups/api";
import { lookupStores } from "@/lib/lookups/store";
import { route } from "@/lib/route";

export const PUT = route(api.setUserActive, async ({ actor, params, body }) => ({
  user: await lookupStores.users.update(actor, params.id, body),
}));
