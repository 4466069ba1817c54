import { route } from "@/lib/route";
import * as api from "@/lib/transfer/imports/api";
import { listImports, uploadImport } from "@/lib/transfer/imports/imports";

export const GET = route(api.listImports, async ({ actor }) => ({ imports: await listImports(actor) }));

export const POST = route(api.uploadImport, async ({ actor, query, keys, request }) => ({
  import: await uploadImport(actor, query.kind, request.body, keys.fileName),
}));
