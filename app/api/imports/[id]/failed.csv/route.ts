import { fileOf } from "@/lib/core/api/files";
import { route } from "@/lib/route";
import * as api from "@/lib/transfer/imports/api";
import { exportFailedRows } from "@/lib/transfer/imports/imports";

export const GET = route(api.failedImportRows, async ({ actor, params }) =>
  fileOf("csv", await exportFailedRows(actor, params.id)),
);
