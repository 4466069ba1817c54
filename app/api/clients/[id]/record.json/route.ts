import { route } from "@/lib/route";
import * as api from "@/lib/shelter/api";
import { exportClientRecord } from "@/lib/shelter/by-client";

route(api.exportClientRecord, async ({ actor, params, query, headers }) => {
  headers.set("Content-Disposition", 'attachment; filename="client_record.json"');
  return exportClientRecord(actor, params.id, query);
});

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
