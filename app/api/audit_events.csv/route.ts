import { fileOf } from "@/lib/api/files";
import { route } from "@/lib/api/route";
import * as api from "@/lib/history/api";
import { exportAuditEvents } from "@/lib/history/data";

route(api.exportAuditEvents, async ({ actor, query }) =>
  fileOf("csv", await exportAuditEvents(actor, query)),
);

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
