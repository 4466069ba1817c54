import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/history/api";
import { recordPrinted } from "@/lib/history/data";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  POST: route(api.clientPrinted, ({ actor, params }) => recordPrinted(actor, "client", params.id)),
});
