import { route } from "@/lib/route";
import * as api from "@/lib/transfer/imports/api";
import { undoImport } from "@/lib/transfer/imports/imports";

route(api.undoImport, async ({ actor, params }) => ({ import: await undoImport(actor, params.id) }));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
