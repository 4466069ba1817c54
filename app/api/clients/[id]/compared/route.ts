import * as api from "@/lib/clients/api";
import { getClientToCompare } from "@/lib/clients/clients";
import { route } from "@/lib/route";

export const POST = route(api.compareClient, async ({ actor, params, body }) => ({
  client: await getClientToCompare(actor, params.id, body.phoneNumbers),
}));
