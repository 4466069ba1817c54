import * as api from "@/lib/reports/api";
import { parseReportKey } from "@/lib/reports/reports";
import { getSetup, saveSetup } from "@/lib/reports/setup/mappings";
import { route } from "@/lib/route";

export const GET = route(api.getSetup, async ({ actor, params }) => ({
  setup: await getSetup(actor, parseReportKey(params.key)),
}));

export const PUT = route(api.saveSetup, async ({ actor, params, body }) => ({
  setup: await saveSetup(actor, parseReportKey(params.key), body.setup),
}));
