import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/retention/api";
import { readRetention, saveRetention } from "@/lib/retention/data";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route(api.getRetention, async ({ actor }) => ({ retention: await readRetention(actor) })),
  PUT: route(api.setRetention, async ({ actor, body }) => ({
    retention: await saveRetention(actor, body.retention),
  })),
});
