import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/imports/api";
import { cancelImport } from "@/lib/imports/data";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  POST: route(api.cancelImport, async ({ actor, params }) => ({
    import: await cancelImport(actor, params.id),
  })),
});
