import { fileOf } from "@/lib/core/api/files";
import * as api from "@/lib/reports/api";
import { exportLine } from "@/lib/reports/export";
import { parseReportKey } from "@/lib/reports/reports";
import { route } from "@/lib/route";

export const GET = route(api.exportLine, async ({ actor, params, query }) =>
  fileOf("csv", await exportLine(actor, parseReportKey(params.key), params.lineKey, query)),
);
