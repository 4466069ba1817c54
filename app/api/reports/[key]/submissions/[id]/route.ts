import * as api from "@/lib/reports/api";
import { parseReportKey } from "@/lib/reports/reports";
import { getSubmission } from "@/lib/reports/submissions/submissions";
import { route } from "@/lib/route";

export const GET = route(api.getSubmission, async ({ actor, params }) => ({
  submission: await getSubmission(actor, parseReportKey(params.key), params.id),
}));
