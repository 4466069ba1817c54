import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/reports/api";
import { reportCsv } from "@/lib/reports/csv";
import { getReport, reportNamed } from "@/lib/reports/data";
import { exported } from "@/lib/reports/export";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route(api.getReportCsv, async ({ actor, params, query: { share, ...asked } }) => {
    const report = await getReport(reportNamed(params.key), asked);
    return exported(actor, `${report.key}-${asked.from}-${asked.to}`, reportCsv(report, share));
  }),
});
