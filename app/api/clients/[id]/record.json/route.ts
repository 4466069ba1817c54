import * as api from "@/lib/records/api";
import { exportClientRecord } from "@/lib/records/of-client";
import { route } from "@/lib/route";

export const GET = route(api.exportClientRecord, async ({ actor, params, query, headers }) => {
  headers.set("Content-Disposition", 'attachment; filename="client_record.json"');
  return exportClientRecord(actor, params.id, query);
});
