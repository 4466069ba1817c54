import * as api from "@/lib/reports/api";
import { getReport, reportNamed } from "@/lib/reports/reports";
import { route } from "@/lib/route";

route(api.getReport, async ({ actor, params, query }) => ({
  report: (await getReport(actor, reportNamed(params.key), query)).report,
}));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
