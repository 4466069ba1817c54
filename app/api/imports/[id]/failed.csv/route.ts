import { fileOf } from "@/lib/api/files";
import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/imports/api";
import { exportFailedRows } from "@/lib/imports/data";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route(api.failedImportRows, async ({ actor, params }) =>
    fileOf("csv", await exportFailedRows(actor, params.id)),
  ),
});
