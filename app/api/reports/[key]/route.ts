import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/reports/api";
import { getReport, reportNamed } from "@/lib/reports/data";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route(api.getReport, async ({ params, query }) => ({
    report: await getReport(reportNamed(params.key), query),
  })),
});
