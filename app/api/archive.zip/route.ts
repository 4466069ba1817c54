import { download } from "@/lib/api/files";
import { route } from "@/lib/api/route";
import * as api from "@/lib/archive/api";
import { exportArchive } from "@/lib/archive/data";

route(api.exportArchive, async ({ actor }) =>
  download("casebook_data.zip", "application/zip", await exportArchive(actor)),
);

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
