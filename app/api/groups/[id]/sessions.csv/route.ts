import { fileOf } from "@/lib/core/api/files";
import { exportGroupSessions } from "@/lib/groups/api";
import { exportSessions } from "@/lib/groups/sessions";
import { route } from "@/lib/route";

export const GET = route(exportGroupSessions, async ({ actor, params, query }) =>
  fileOf("csv", await exportSessions(actor, params.id, query)),
);
