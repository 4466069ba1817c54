import { route } from "@/lib/route";
import * as api from "@/lib/shelter/api";
import { getStay, removeStay, updateStay } from "@/lib/shelter/stays";

route(api.getStay, async ({ actor, params }) => ({ stay: await getStay(actor, params.id) }));

route(api.updateStay, async ({ actor, params, body }) => ({
  stay: await updateStay(actor, params.id, body.stay),
}));

route(api.removeStay, ({ actor, params }) => removeStay(actor, params.id));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
