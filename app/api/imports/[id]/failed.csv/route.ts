import { fileOf } from "@/lib/api/files";
import { route } from "@/lib/api/route";
import * as api from "@/lib/imports/api";
import { exportFailedRows } from "@/lib/imports/data";

route(api.failedImportRows, async ({ actor, params }) =>
  fileOf("csv", await exportFailedRows(actor, params.id)),
);

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
