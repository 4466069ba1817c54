import * as api from "@/lib/reports/api";
import { reportCsv } from "@/lib/reports/csv";
import { downloadCsv, fileName } from "@/lib/reports/export";
import { getReport, parseReportKey } from "@/lib/reports/reports";
import { filterWords } from "@/lib/reports/screen";
import { route } from "@/lib/route";

route(api.getReportCsv, async ({ actor, params, query: { share, ...asked } }) => {
  const counted = await getReport(actor, parseReportKey(params.key), asked, share);
  const name = fileName(counted.report.key, { ...asked, share });
  return downloadCsv(actor, name, reportCsv(counted, await filterWords(actor, asked, share)));
});

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
