import { fileOf } from "@/lib/core/api/files";
import { exportGroupSessionsXlsx } from "@/lib/groups/api";
import { exportSessions } from "@/lib/groups/sessions";
import { route } from "@/lib/route";

export const GET = route(exportGroupSessionsXlsx, async ({ actor, params, query }) =>
  fileOf("xlsx", await exportSessions(actor, params.id, query)),
);
