import { route } from "@/lib/api/route";
import * as api from "@/lib/history/api";
import { openHistory } from "@/lib/history/data";

route(api.getClientHistory, ({ actor, params }) => openHistory(actor, "client", params.id));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
