import * as api from "@/lib/forms/api";
import { exportRecord } from "@/lib/forms/by-client/read";
import { route } from "@/lib/route";

route(api.exportClientRecord, async ({ actor, params, query, headers }) => {
  headers.set("Content-Disposition", 'attachment; filename="client_record.json"');
  return exportRecord(actor, params.id, query);
});

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
