import * as api from "@/lib/clients/merges/api";
import { mergeClients } from "@/lib/clients/merges/merges";
import { clientHooks } from "@/lib/records/client-hooks";
import { route } from "@/lib/route";

export const POST = route(api.mergeClients, ({ actor, params, body }) =>
  mergeClients(actor, params.id, body, clientHooks),
);
