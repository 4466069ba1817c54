import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/history/api";
import { listAuditEvents } from "@/lib/history/data";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route(api.listAuditEvents, ({ actor, query }) => listAuditEvents(actor, query)),
});
