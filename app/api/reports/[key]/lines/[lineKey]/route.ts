import * as api from "@/lib/reports/api";
import { getLine, parseReportKey } from "@/lib/reports/reports";
import { route } from "@/lib/route";

export const GET = route(api.getReportLine, ({ actor, params, query }) =>
  getLine(actor, parseReportKey(params.key), params.lineKey, query),
);
