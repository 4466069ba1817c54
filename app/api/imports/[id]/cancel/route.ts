import { route } from "@/lib/api/route";
import * as api from "@/lib/imports/api";
import { cancelImport } from "@/lib/imports/data";

route(api.cancelImport, async ({ actor, params }) => ({
  import: await cancelImport(actor, params.id),
}));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
