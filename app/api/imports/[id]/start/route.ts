import { route } from "@/lib/api/route";
import * as api from "@/lib/imports/api";
import { startImport } from "@/lib/imports/data";

route(api.startImport, async ({ actor, params, body }) => ({
  import: await startImport(actor, params.id, body.import),
}));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
