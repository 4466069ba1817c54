import { fileOf } from "@/lib/core/api/files";
import * as api from "@/lib/reports/api";
import { exportGap } from "@/lib/reports/export";
import { parseReportKey } from "@/lib/reports/reports";
import { route } from "@/lib/route";

export const GET = route(api.exportGapXlsx, async ({ actor, params, query }) =>
  fileOf("xlsx", await exportGap(actor, parseReportKey(params.key), params.field, query)),
);
