import { route } from "@/lib/api/route";
import * as api from "@/lib/imports/api";
import { undoImport } from "@/lib/imports/data";

route(api.undoImport, async ({ actor, params }) => ({ import: await undoImport(actor, params.id) }));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
