import { fileOf } from "@/lib/core/api/files";
import { exportGroupsXlsx } from "@/lib/groups/api";
import { exportGroups } from "@/lib/groups/groups";
import { route } from "@/lib/route";

export const GET = route(exportGroupsXlsx, async ({ actor, query }) =>
  fileOf("xlsx", await exportGroups(actor, query)),
);
