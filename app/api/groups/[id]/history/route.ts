import { openHistory } from "@/lib/audit/history";
import { getGroupHistory } from "@/lib/groups/api";
import { groupHistory } from "@/lib/groups/groups";
import { route } from "@/lib/route";

export const GET = route(getGroupHistory, ({ actor, params, query }) =>
  openHistory(actor, groupHistory, params.id, query),
);
