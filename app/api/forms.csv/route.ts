import { fileOf } from "@/lib/core/api/files";
import * as api from "@/lib/forms/api";
import { exportForms } from "@/lib/forms/forms";
import { route } from "@/lib/route";

export const GET = route(api.exportForms, async ({ actor, query }) =>
  fileOf("csv", await exportForms(actor, query)),
);
