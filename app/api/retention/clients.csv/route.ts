import { fileOf } from "@/lib/api/files";
import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/retention/api";
import { exportRetained } from "@/lib/retention/data";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route(api.exportRetained, async ({ actor, query }) =>
    fileOf("csv", await exportRetained(actor, query)),
  ),
});
