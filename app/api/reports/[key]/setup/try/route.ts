import { route } from "@/lib/api/route";
import * as api from "@/lib/reports/api";
import { reportNamed } from "@/lib/reports/data";
import { trySetup } from "@/lib/reports/setup/data";

route(api.trySetup, async ({ actor, params, query, body }) => ({
  changes: await trySetup(actor, reportNamed(params.key), body.setup, query),
}));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
