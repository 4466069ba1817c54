import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/history/api";
import { readHistory } from "@/lib/history/data";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route(api.getClientHistory, ({ actor, params }) => readHistory(actor, "client", params.id)),
});
