import { fileOf } from "@/lib/core/api/files";
import * as api from "@/lib/retention/api";
import { exportRetained } from "@/lib/retention/retention";
import { route } from "@/lib/route";

route(api.exportRetained, async ({ actor, query }) => fileOf("csv", await exportRetained(actor, query)));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
