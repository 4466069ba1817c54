import { route } from "@/lib/route";
import * as api from "@/lib/transfer/imports/api";
import { startImport } from "@/lib/transfer/imports/imports";

route(api.startImport, async ({ actor, params, body }) => ({
  import: await startImport(actor, params.id, body.import),
}));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
