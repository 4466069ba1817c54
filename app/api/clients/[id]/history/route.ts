import * as api from "@/lib/audit/api";
import { openHistory } from "@/lib/audit/history";
import { clientHistory } from "@/lib/clients/history";
import { route } from "@/lib/route";

export const GET = route(api.getClientHistory, ({ actor, params, query }) =>
  openHistory(actor, clientHistory, params.id, query),
);
