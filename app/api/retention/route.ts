import * as api from "@/lib/retention/api";
import { readRetention, saveRetention } from "@/lib/retention/retention";
import { route } from "@/lib/route";

export const GET = route(api.getRetention, async ({ actor }) => ({ retention: await readRetention(actor) }));

export const PUT = route(api.setRetention, async ({ actor, body }) => ({
  retention: await saveRetention(actor, body.retention),
}));
