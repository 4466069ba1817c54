import * as api from "@/lib/retention/api";
import { readRetention, saveRetention } from "@/lib/retention/retention";
import { route } from "@/lib/route";

route(api.getRetention, async ({ actor }) => ({ retention: await readRetention(actor) }));

route(api.setRetention, async ({ actor, body }) => ({
  retention: await saveRetention(actor, body.retention),
}));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
