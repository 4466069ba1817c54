import { route } from "@/lib/route";
import * as api from "@/lib/transfer/imports/api";
import { getImport } from "@/lib/transfer/imports/imports";

export const GET = route(api.getImport, async ({ actor, params }) => ({
  import: await getImport(actor, params.id),
}));
