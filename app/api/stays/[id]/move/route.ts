import { route } from "@/lib/route";
import * as api from "@/lib/shelter/api";
import { moveStay } from "@/lib/shelter/stays";

export const POST = route(api.moveStay, async ({ actor, params, body, keys }) => ({
  stay: await moveStay(actor, params.id, body, keys.idempotencyKey),
}));
