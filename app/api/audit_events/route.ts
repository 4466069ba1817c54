import { route } from "@/lib/api/route";
import * as api from "@/lib/history/api";
import { listAuditEvents } from "@/lib/history/data";

route(api.listAuditEvents, ({ actor, query }) => listAuditEvents(actor, query));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
