import { route } from "@/lib/route";
import * as api from "@/lib/transfer/imports/api";
import { startImport } from "@/lib/transfer/imports/imports";

export const POST = route(api.startImport, async ({ actor, params, body }) => ({
  import: await startImport(actor, params.id, body.import),
}));
