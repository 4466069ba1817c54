import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/imports/api";
import { undoImport } from "@/lib/imports/data";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  POST: route(api.undoImport, async ({ actor, params }) => ({ import: await undoImport(actor, params.id) })),
});
