import * as api from "@/lib/reports/api";
import { getReport, parseReportKey } from "@/lib/reports/reports";
import { route } from "@/lib/route";

export const GET = route(api.getReport, async ({ actor, params, query: { share, ...asked } }) => ({
  report: (await getReport(actor, parseReportKey(params.key), asked, share)).report,
}));
