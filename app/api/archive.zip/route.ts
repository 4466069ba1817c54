import { download } from "@/lib/core/api/files";
import { PRODUCT_KEY } from "@/lib/core/product";
import { route } from "@/lib/route";
import * as api from "@/lib/transfer/archive/api";
import { exportArchive } from "@/lib/transfer/archive/archive";

export const GET = route(api.exportArchive, async ({ actor }) =>
  download(`${PRODUCT_KEY}_data.zip`, "application/zip", await exportArchive(actor)),
);
