import { route } from "@/lib/route";
import * as api from "@/lib/shelter/api";
import { stayReads } from "@/lib/shelter/list";
import { createStay } from "@/lib/shelter/stays";

export const GET = route(api.listStays, async ({ actor, query }) => {
  const { items, meta } = await stayReads.list(actor, query);
  return { stays: items, meta };
});

export const POST = route(api.createStay, async ({ actor, body, keys }) => ({
  stay: await createStay(actor, body.stay, keys.idempotencyKey),
}));
