import * as api from "@/lib/audit/api";
import { exportAuditEvents } from "@/lib/audit/history";
import { fieldLabels } from "@/lib/audit-log";
import { fileOf } from "@/lib/core/api/files";
import { route } from "@/lib/route";

route(api.exportAuditEventsXlsx, async ({ actor, query }) =>
  fileOf("xlsx", await exportAuditEvents(actor, query, fieldLabels)),
);

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
