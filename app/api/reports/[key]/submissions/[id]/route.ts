import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/reports/api";
import { reportNamed } from "@/lib/reports/data";
import { getSubmission } from "@/lib/reports/submissions/data";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route(api.getSubmission, async ({ actor, params }) => ({
    submission: await getSubmission(actor, reportNamed(params.key), params.id),
  })),
});
