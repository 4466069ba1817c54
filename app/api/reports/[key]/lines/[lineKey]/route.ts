import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/reports/api";
import { getLine, reportNamed } from "@/lib/reports/data";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route(api.getReportLine, ({ actor, params, query }) =>
    getLine(actor, reportNamed(params.key), params.lineKey, query),
  ),
});
