import * as api from "@/lib/reports/api";
import { timeCsv } from "@/lib/reports/csv";
import { downloadCsv, fileName } from "@/lib/reports/export";
import { getTime } from "@/lib/reports/time";
import { route } from "@/lib/route";

route(api.getTimeCsv, async ({ actor, query }) =>
  downloadCsv(actor, fileName("time", query), timeCsv(await getTime(actor, query))),
);

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
