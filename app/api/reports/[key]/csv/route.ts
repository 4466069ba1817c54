import * as api from "@/lib/reports/api";
import { reportCsv } from "@/lib/reports/csv";
import { exported } from "@/lib/reports/export";
import { getReport, reportNamed } from "@/lib/reports/reports";
import { route } from "@/lib/route";

route(api.getReportCsv, async ({ actor, params, query: { share, ...asked } }) => {
  const counted = await getReport(actor, reportNamed(params.key), asked, share);
  const name = `${counted.report.key}-${asked.from}-${asked.to}`;
  return exported(actor, name, reportCsv(counted));
});

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
