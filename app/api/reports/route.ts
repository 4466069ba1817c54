import * as api from "@/lib/reports/api";
import { REPORT_KEYS, reports } from "@/lib/reports/definitions";
import { route } from "@/lib/route";

route(api.listReports, async () => ({
  reports: REPORT_KEYS.map((key) => ({ key, title: reports[key].title })),
}));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
