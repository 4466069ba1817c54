import { route } from "@/lib/api/route";
import * as api from "@/lib/reports/api";
import { getGaps, reportNamed } from "@/lib/reports/data";

route(api.getReportGaps, async ({ actor, params, query }) => ({
  gaps: await getGaps(actor, reportNamed(params.key), query),
}));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
