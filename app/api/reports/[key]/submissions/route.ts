import * as api from "@/lib/reports/api";
import { parseReportKey } from "@/lib/reports/reports";
import { listSubmissions, submit } from "@/lib/reports/submissions/submissions";
import { route } from "@/lib/route";

route(api.listSubmissions, ({ actor, params, query }) =>
  listSubmissions(actor, parseReportKey(params.key), query),
);

route(api.submit, async ({ actor, params, body }) => ({
  submission: await submit(actor, parseReportKey(params.key), body.submission),
}));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
