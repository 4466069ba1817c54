import { route } from "@/lib/api/route";
import * as api from "@/lib/reports/api";
import { reportCsv } from "@/lib/reports/csv";
import { getReport, reportNamed } from "@/lib/reports/data";
import { exported } from "@/lib/reports/export";

route(api.getReportCsv, async ({ actor, params, query: { share, ...asked } }) => {
  const report = await getReport(reportNamed(params.key), asked);
  return exported(actor, `${report.key}-${asked.from}-${asked.to}`, reportCsv(report, share));
});

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
