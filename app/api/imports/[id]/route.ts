import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/imports/api";
import { getImport } from "@/lib/imports/data";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route(api.getImport, async ({ actor, params }) => ({ import: await getImport(actor, params.id) })),
});
