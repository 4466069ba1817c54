import { openHistory } from "@/lib/audit/history";
import { route } from "@/lib/route";
import { getStayHistory } from "@/lib/shelter/api";
import { stayReads } from "@/lib/shelter/list";

export const GET = route(getStayHistory, ({ actor, params, query }) =>
  openHistory(actor, stayReads.history, params.id, query),
);
