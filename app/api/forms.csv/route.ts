import { fileOf } from "@/lib/api/files";
import { route } from "@/lib/api/route";
import * as api from "@/lib/forms/api";
import { exportForms } from "@/lib/forms/data";

route(api.exportForms, async ({ actor, query }) => fileOf("csv", await exportForms(actor, query)));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
