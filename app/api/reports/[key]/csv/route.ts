import * as api from "@/lib/reports/api";
import { reportCsv } from "@/lib/reports/csv";
import { downloadCsv } from "@/lib/reports/export";
import { getReport, parseReportKey } from "@/lib/reports/reports";
import { route } from "@/lib/route";

route(api.getReportCsv, async ({ actor, params, query: { share, ...asked } }) => {
  const counted = await getReport(actor, parseReportKey(params.key), asked, share);
  const name = `${counted.report.key}-${asked.from}-${asked.to}`;
  return downloadCsv(actor, name, reportCsv(counted));
});

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
