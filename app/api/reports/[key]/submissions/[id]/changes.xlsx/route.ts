import { fileOf } from "@/lib/core/api/files";
import * as api from "@/lib/reports/api";
import { parseReportKey } from "@/lib/reports/reports";
import { exportSubmission } from "@/lib/reports/submissions/submissions";
import { route } from "@/lib/route";

export const GET = route(api.exportSubmissionXlsx, async ({ actor, params }) =>
  fileOf("xlsx", await exportSubmission(actor, parseReportKey(params.key), params.id)),
);
