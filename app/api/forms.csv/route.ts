import { fileOf } from "@/lib/api/files";
import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/forms/api";
import { exportForms } from "@/lib/forms/data";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route(api.exportForms, async ({ actor, query }) => fileOf("csv", await exportForms(actor, query))),
});
