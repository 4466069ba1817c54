import { route } from "@/lib/route";
import * as api from "@/lib/transfer/imports/api";
import { listImports, uploadImport } from "@/lib/transfer/imports/imports";

route(api.listImports, async ({ actor }) => ({ imports: await listImports(actor) }));

route(api.uploadImport, async ({ actor, query, keys, request }) => ({
  import: await uploadImport(actor, query.kind, request.body, keys.fileName),
}));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
