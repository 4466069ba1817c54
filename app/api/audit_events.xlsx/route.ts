import * as api from "@/lib/audit/api";
import { exportAuditEvents } from "@/lib/audit/history";
import { eventWords } from "@/lib/audit-log";
import { fileOf } from "@/lib/core/api/files";
import { route } from "@/lib/route";

export const GET = route(api.exportAuditEventsXlsx, async ({ actor, query }) =>
  fileOf("xlsx", await exportAuditEvents(actor, query, eventWords)),
);
