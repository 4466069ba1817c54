import * as api from "@/lib/reports/api";
import { parseReportKey } from "@/lib/reports/reports";
import { withdraw } from "@/lib/reports/submissions/submissions";
import { route } from "@/lib/route";

export const POST = route(api.withdraw, async ({ actor, params, body }) => ({
  submission: await withdraw(actor, parseReportKey(params.key), params.id, body.reason),
}));
