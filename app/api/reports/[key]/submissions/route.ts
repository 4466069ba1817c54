import { route } from "@/lib/api/route";
import * as api from "@/lib/reports/api";
import { reportNamed } from "@/lib/reports/data";
import { listSubmissions, submit } from "@/lib/reports/submissions/data";

route(api.listSubmissions, async ({ actor, params }) => ({
  submissions: await listSubmissions(actor, reportNamed(params.key)),
}));

route(api.submit, async ({ actor, params, body }) => ({
  submission: await submit(actor, reportNamed(params.key), body.submission),
}));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
