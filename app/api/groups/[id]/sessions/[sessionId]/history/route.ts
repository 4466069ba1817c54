import { openHistory } from "@/lib/audit/history";
import { getGroupSessionHistory } from "@/lib/groups/api";
import { sessionHistory } from "@/lib/groups/sessions";
import { route } from "@/lib/route";

export const GET = route(getGroupSessionHistory, ({ actor, params: { id, sessionId }, query }) =>
  openHistory(actor, sessionHistory(id), sessionId, query),
);
