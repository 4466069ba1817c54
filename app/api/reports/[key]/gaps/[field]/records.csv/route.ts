import { fileOf } from "@/lib/api/files";
import { route } from "@/lib/api/route";
import * as api from "@/lib/reports/api";
import { reportNamed } from "@/lib/reports/data";
import { exportGap } from "@/lib/reports/export";

route(api.exportGap, async ({ actor, params, query }) =>
  fileOf("csv", await exportGap(actor, reportNamed(params.key), params.field, query)),
);

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
