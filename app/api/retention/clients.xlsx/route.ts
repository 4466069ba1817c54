import { fileOf } from "@/lib/api/files";
import { route } from "@/lib/api/route";
import * as api from "@/lib/retention/api";
import { exportRetained } from "@/lib/retention/data";

route(api.exportRetainedXlsx, async ({ actor, query }) => fileOf("xlsx", await exportRetained(actor, query)));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
