import { fileOf } from "@/lib/api/files";
import { route } from "@/lib/api/route";
import * as api from "@/lib/reports/api";
import { reportNamed } from "@/lib/reports/data";
import { exportSubmission } from "@/lib/reports/submissions/data";

route(api.exportSubmission, async ({ actor, params }) =>
  fileOf("csv", await exportSubmission(actor, reportNamed(params.key), params.id)),
);

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
