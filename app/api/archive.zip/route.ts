import { download } from "@/lib/core/api/files";
import { route } from "@/lib/route";
import * as api from "@/lib/transfer/archive/api";
import { exportArchive } from "@/lib/transfer/archive/archive";

route(api.exportArchive, async ({ actor }) =>
  download("casebook_data.zip", "application/zip", await exportArchive(actor)),
);

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
