import * as api from "@/lib/reports/api";
import { openWorkThrough } from "@/lib/reports/open-work";
import { route } from "@/lib/route";

export const GET = route(api.getOpenWork, async ({ actor, query }) => ({
  openWork: await openWorkThrough(actor, query.through),
}));
