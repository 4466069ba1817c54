import { fileOf } from "@/lib/api/files";
import { route } from "@/lib/api/route";
import * as api from "@/lib/history/api";
import { exportAuditEvents } from "@/lib/history/data";

route(api.exportAuditEventsXlsx, async ({ actor, query }) =>
  fileOf("xlsx", await exportAuditEvents(actor, query)),
);

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
