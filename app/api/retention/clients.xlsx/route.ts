import { fileOf } from "@/lib/core/api/files";
import * as api from "@/lib/retention/api";
import { exportRetained } from "@/lib/retention/retention";
import { route } from "@/lib/route";

export const GET = route(api.exportRetainedXlsx, async ({ actor, query }) =>
  fileOf("xlsx", await exportRetained(actor, query)),
);
