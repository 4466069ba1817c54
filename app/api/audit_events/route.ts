import * as api from "@/lib/audit/api";
import { listAuditEvents } from "@/lib/audit/history";
import { route } from "@/lib/route";

route(api.listAuditEvents, ({ actor, query }) => listAuditEvents(actor, query));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
