import { route } from "@/lib/api/route";
import * as api from "@/lib/reports/api";
import { reportNamed } from "@/lib/reports/data";
import { getSubmission } from "@/lib/reports/submissions/data";

route(api.getSubmission, async ({ actor, params }) => ({
  submission: await getSubmission(actor, reportNamed(params.key), params.id),
}));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
