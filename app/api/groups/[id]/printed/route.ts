import * as api from "@/lib/groups/api";
import { recordSheetPrinted } from "@/lib/groups/groups";
import { route } from "@/lib/route";

export const POST = route(api.signInSheetPrinted, ({ actor, params, body }) =>
  recordSheetPrinted(actor, params.id, body.clientIds ?? []),
);
