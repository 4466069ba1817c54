import * as api from "@/lib/clients/merges/api";
import { undoMerge } from "@/lib/clients/merges/merges";
import { clientHooks } from "@/lib/records/client-hooks";
import { route } from "@/lib/route";

export const POST = route(api.undoMerge, ({ actor, params, body }) =>
  undoMerge(actor, params.id, body, clientHooks),
);
