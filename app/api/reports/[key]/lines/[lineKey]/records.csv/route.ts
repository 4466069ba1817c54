import { fileOf } from "@/lib/api/files";
import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/reports/api";
import { reportNamed } from "@/lib/reports/data";
import { exportLine } from "@/lib/reports/export";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route(api.exportLine, async ({ actor, params, query }) =>
    fileOf("csv", await exportLine(actor, reportNamed(params.key), params.lineKey, query)),
  ),
});
