import { methods, route } from "@/lib/api/route";
import { purgeClients } from "@/lib/purge/data";
import * as api from "@/lib/retention/api";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  POST: route(api.purgeClients, ({ actor, body }) => purgeClients(actor, body.ids)),
});
