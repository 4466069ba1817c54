import { route } from "@/lib/api/route";
import * as api from "@/lib/reports/api";
import { REPORT_KEYS, reports } from "@/lib/reports/definitions";

route(api.listReports, async () => ({
  reports: REPORT_KEYS.map((key) => ({ key, title: reports[key].title })),
}));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
