import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/reports/api";
import { csvFile, reportCsv } from "@/lib/reports/csv";
import { getReport, reportNamed } from "@/lib/reports/data";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route(api.getReportCsv, async ({ params, query: { share, ...asked } }) => {
    const report = await getReport(reportNamed(params.key), asked);
    return csvFile(`${report.key}-${asked.from}-${asked.to}`, reportCsv(report, share));
  }),
});
