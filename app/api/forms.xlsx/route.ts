import { fileOf } from "@/lib/core/api/files";
import * as api from "@/lib/forms/api";
import { exportForms } from "@/lib/forms/forms";
import { route } from "@/lib/route";

export const GET = route(api.exportFormsXlsx, async ({ actor, query }) =>
  fileOf("xlsx", await exportForms(actor, query)),
);
