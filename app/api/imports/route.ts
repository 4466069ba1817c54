import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/imports/api";
import { listImports, uploadImport } from "@/lib/imports/data";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route(api.listImports, async ({ actor }) => ({ imports: await listImports(actor) })),
  POST: route(api.uploadImport, async ({ actor, query, request }) => ({
    import: await uploadImport(actor, query.kind, request.body),
  })),
});
