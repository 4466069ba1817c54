import * as api from "@/lib/audit/api";
import { listAuditEvents } from "@/lib/audit/history";
import { route } from "@/lib/route";

export const GET = route(api.listAuditEvents, ({ actor, query }) => listAuditEvents(actor, query));
