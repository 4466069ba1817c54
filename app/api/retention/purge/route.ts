import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/retention/api";
import { purgeClients } from "@/lib/retention/purge/data";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  POST: route(api.purgeClients, ({ actor, body }) => purgeClients(actor, body.ids)),
});
