import * as api from "@/lib/reports/api";
import { reportCsv } from "@/lib/reports/csv";
import { downloadCsv, fileName } from "@/lib/reports/export";
import { getReport, parseReportKey } from "@/lib/reports/reports";
import { filterWords } from "@/lib/reports/screen";
import { route } from "@/lib/route";

export const GET = route(api.getReportCsv, async ({ actor, params, query: { share, ...asked } }) => {
  const counted = await getReport(actor, parseReportKey(params.key), asked, share);
  const { key } = counted.report;
  return downloadCsv(actor, key, asked, {
    name: fileName(key, { ...asked, share }),
    text: reportCsv(counted, await filterWords(actor, asked, share)),
  });
});
