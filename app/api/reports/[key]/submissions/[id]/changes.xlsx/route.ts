import { fileOf } from "@/lib/api/files";
import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/reports/api";
import { reportNamed } from "@/lib/reports/data";
import { exportSubmission } from "@/lib/reports/submissions/data";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route(api.exportSubmissionXlsx, async ({ actor, params }) =>
    fileOf("xlsx", await exportSubmission(actor, reportNamed(params.key), params.id)),
  ),
});
