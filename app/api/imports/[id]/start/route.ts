import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/imports/api";
import { startImport } from "@/lib/imports/data";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  POST: route(api.startImport, async ({ actor, params, body }) => ({
    import: await startImport(actor, params.id, body.import),
  })),
});
