import { route } from "@/lib/route";
import * as api from "@/lib/transfer/imports/api";
import { cancelImport } from "@/lib/transfer/imports/imports";

export const POST = route(api.cancelImport, async ({ actor, params }) => ({
  import: await cancelImport(actor, params.id),
}));
