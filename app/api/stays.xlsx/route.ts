import { fileOf } from "@/lib/core/api/files";
import { route } from "@/lib/route";
import * as api from "@/lib/shelter/api";
import { exportStays } from "@/lib/shelter/stays";

route(api.exportStaysXlsx, async ({ actor, query }) => fileOf("xlsx", await exportStays(actor, query)));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
