import * as api from "@/lib/audit/api";
import { openHistory } from "@/lib/audit/history";
import { route } from "@/lib/route";
import { stayHistory } from "@/lib/shelter/history";

route(api.getStayHistory, ({ actor, params, query }) => openHistory(actor, stayHistory, params.id, query));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
