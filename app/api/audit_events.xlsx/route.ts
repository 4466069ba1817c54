import { fileOf } from "@/lib/api/files";
import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/history/api";
import { exportAuditEvents } from "@/lib/history/data";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route(api.exportAuditEventsXlsx, async ({ actor, query }) =>
    fileOf("xlsx", await exportAuditEvents(actor, query)),
  ),
});
