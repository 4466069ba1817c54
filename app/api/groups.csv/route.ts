import { fileOf } from "@/lib/core/api/files";
import * as api from "@/lib/groups/api";
import { exportGroups } from "@/lib/groups/groups";
import { route } from "@/lib/route";

export const GET = route(api.exportGroups, async ({ actor, query }) =>
  fileOf("csv", await exportGroups(actor, query)),
);
