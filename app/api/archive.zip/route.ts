import { download } from "@/lib/api/files";
import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/archive/api";
import { exportArchive } from "@/lib/archive/data";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route(api.exportArchive, async ({ actor }) =>
    download("casebook_data.zip", "application/zip", await exportArchive(actor)),
  ),
});
