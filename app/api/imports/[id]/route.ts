import { route } from "@/lib/api/route";
import * as api from "@/lib/imports/api";
import { getImport } from "@/lib/imports/data";

route(api.getImport, async ({ actor, params }) => ({ import: await getImport(actor, params.id) }));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
