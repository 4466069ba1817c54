import { route } from "@/lib/route";
import * as api from "@/lib/shelter/api";
import { createStay, listStays } from "@/lib/shelter/stays";

route(api.listStays, ({ actor, query }) => listStays(actor, query));

route(api.createStay, async ({ actor, body, keys }) => ({
  stay: await createStay(actor, body.stay, keys.idempotencyKey),
}));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
