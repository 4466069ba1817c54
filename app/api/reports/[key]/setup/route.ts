import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/reports/api";
import { reportNamed } from "@/lib/reports/data";
import { getSetup, saveSetup } from "@/lib/reports/setup/data";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route(api.getSetup, async ({ actor, params }) => ({
    setup: await getSetup(actor, reportNamed(params.key)),
  })),
  PUT: route(api.saveSetup, async ({ actor, params, body }) => ({
    setup: await saveSetup(actor, reportNamed(params.key), body.setup),
  })),
});
