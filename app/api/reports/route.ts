import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/reports/api";
import { REPORT_KEYS, reports } from "@/lib/reports/definitions";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route(api.listReports, async () => ({
    reports: REPORT_KEYS.map((key) => ({ key, title: reports[key].title })),
  })),
});
