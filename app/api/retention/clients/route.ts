import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/retention/api";
import { listRetained } from "@/lib/retention/data";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route(api.listRetainedClients, ({ actor, query }) => listRetained(actor, query)),
});
