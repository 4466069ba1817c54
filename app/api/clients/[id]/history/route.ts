import * as api from "@/lib/audit/api";
import { openHistory } from "@/lib/audit/history";
import { route } from "@/lib/route";

route(api.getClientHistory, ({ actor, params, query }) => openHistory(actor, "client", params.id, query));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
