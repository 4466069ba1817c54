import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/reports/api";
import { getGaps, reportNamed } from "@/lib/reports/data";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route(api.getReportGaps, async ({ actor, params, query }) => ({
    gaps: await getGaps(actor, reportNamed(params.key), query),
  })),
});
