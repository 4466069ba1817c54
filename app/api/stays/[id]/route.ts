import { route } from "@/lib/route";
import * as api from "@/lib/shelter/api";
import { stayReads } from "@/lib/shelter/list";
import { removeStay, updateStay } from "@/lib/shelter/stays";

export const GET = route(api.getStay, async ({ actor, params }) => ({
  stay: await stayReads.get(actor, params.id),
}));

export const PUT = route(api.updateStay, async ({ actor, params, body }) => ({
  stay: await updateStay(actor, params.id, body.stay),
}));

export const DELETE = route(api.removeStay, ({ actor, params }) => removeStay(actor, params.id));
