import * as api from "@/lib/reports/api";
import { timeCsv } from "@/lib/reports/csv";
import { downloadCsv, fileName } from "@/lib/reports/export";
import { getTime } from "@/lib/reports/time";
import { route } from "@/lib/route";

export const GET = route(api.getTimeCsv, async ({ actor, query }) =>
  downloadCsv(actor, "time", query, {
    name: fileName("time", query),
    text: timeCsv(await getTime(actor, query)),
  }),
);
