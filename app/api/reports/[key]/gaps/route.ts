import * as api from "@/lib/reports/api";
import { getGaps, parseReportKey } from "@/lib/reports/reports";
import { route } from "@/lib/route";

export const GET = route(api.getReportGaps, async ({ actor, params, query }) => ({
  gaps: await getGaps(actor, parseReportKey(params.key), query),
}));
