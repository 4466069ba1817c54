import * as api from "@/lib/reports/api";
import { REPORT_KEYS, reports } from "@/lib/reports/definitions";
import { route } from "@/lib/route";

export const GET = route(api.listReports, async () => ({
  reports: REPORT_KEYS.map((key) => ({ key, title: reports[key].title })),
}));
