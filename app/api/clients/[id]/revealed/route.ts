import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/clients/api";
import { revealClient } from "@/lib/clients/data";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  POST: route(api.revealClient, ({ actor, params }) => revealClient(actor, params.id)),
});
