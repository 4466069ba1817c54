import * as api from "@/lib/reports/api";
import { parseReportKey } from "@/lib/reports/reports";
import { listSubmissions, submit } from "@/lib/reports/submissions/submissions";
import { route } from "@/lib/route";

export const GET = route(api.listSubmissions, ({ actor, params, query }) =>
  listSubmissions(actor, parseReportKey(params.key), query),
);

export const POST = route(api.submit, async ({ actor, params, body }) => ({
  submission: await submit(actor, parseReportKey(params.key), body.submission),
}));
