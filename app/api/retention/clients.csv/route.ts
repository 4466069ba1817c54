import { fileOf } from "@/lib/core/api/files";
import * as api from "@/lib/retention/api";
import { exportRetained } from "@/lib/retention/retention";
import { route } from "@/lib/route";

export const GET = route(api.exportRetained, async ({ actor, query }) =>
  fileOf("csv", await exportRetained(actor, query)),
);
