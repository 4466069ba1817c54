import { fileOf } from "@/lib/api/files";
import { route } from "@/lib/api/route";
import * as api from "@/lib/reports/api";
import { reportNamed } from "@/lib/reports/data";
import { exportLine } from "@/lib/reports/export";

route(api.exportLine, async ({ actor, params, query }) =>
  fileOf("csv", await exportLine(actor, reportNamed(params.key), params.lineKey, query)),
);

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
