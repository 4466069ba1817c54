import * as api from "@/lib/reports/api";
import { parseReportKey } from "@/lib/reports/reports";
import { trySetup } from "@/lib/reports/setup/mappings";
import { route } from "@/lib/route";

export const POST = route(api.trySetup, async ({ actor, params, query, body }) => ({
  changes: await trySetup(actor, parseReportKey(params.key), body.setup, query),
}));
