import { route } from "@/lib/api/route";
import * as api from "@/lib/reports/api";
import { reportNamed } from "@/lib/reports/data";
import { getSetup, saveSetup } from "@/lib/reports/setup/data";

route(api.getSetup, async ({ actor, params }) => ({
  setup: await getSetup(actor, reportNamed(params.key)),
}));

route(api.saveSetup, async ({ actor, params, body }) => ({
  setup: await saveSetup(actor, reportNamed(params.key), body.setup),
}));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
