import { fileOf } from "@/lib/api/files";
import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/reports/api";
import { reportNamed } from "@/lib/reports/data";
import { exportGap } from "@/lib/reports/export";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route(api.exportGap, async ({ actor, params, query }) =>
    fileOf("csv", await exportGap(actor, reportNamed(params.key), params.field, query)),
  ),
});
