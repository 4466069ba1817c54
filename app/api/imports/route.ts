import { route } from "@/lib/api/route";
import * as api from "@/lib/imports/api";
import { listImports, uploadImport } from "@/lib/imports/data";

route(api.listImports, async ({ actor }) => ({ imports: await listImports(actor) }));

route(api.uploadImport, async ({ actor, query, request }) => ({
  import: await uploadImport(actor, query.kind, request.body),
}));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
