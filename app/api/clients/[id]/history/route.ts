import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/history/api";
import { openHistory } from "@/lib/history/data";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route(api.getClientHistory, ({ actor, params }) => openHistory(actor, "client", params.id)),
});
