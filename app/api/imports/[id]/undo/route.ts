import { route } from "@/lib/route";
import * as api from "@/lib/transfer/imports/api";
import { undoImport } from "@/lib/transfer/imports/imports";

export const POST = route(api.undoImport, async ({ actor, params }) => ({
  import: await undoImport(actor, params.id),
}));
