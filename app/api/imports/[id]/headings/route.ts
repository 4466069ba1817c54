import { route } from "@/lib/route";
import * as api from "@/lib/transfer/imports/api";
import { chooseHeadings } from "@/lib/transfer/imports/imports";

export const PUT = route(api.chooseHeadings, async ({ actor, params, body }) => ({
  import: await chooseHeadings(actor, params.id, body.import.headingRow),
}));
