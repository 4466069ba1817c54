import { route } from "@/lib/route";
import * as api from "@/lib/transfer/imports/api";
import { listImports, uploadImport } from "@/lib/transfer/imports/imports";

route(api.listImports, async ({ actor }) => ({ imports: await listImports(actor) }));

route(api.uploadImport, async ({ actor, query, request }) => ({
  import: await uploadImport(actor, query.kind, request.body),
}));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
