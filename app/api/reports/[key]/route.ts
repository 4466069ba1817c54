import { route } from "@/lib/api/route";
import * as api from "@/lib/reports/api";
import { getReport, reportNamed } from "@/lib/reports/data";

route(api.getReport, async ({ params, query }) => ({
  report: await getReport(reportNamed(params.key), query),
}));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
