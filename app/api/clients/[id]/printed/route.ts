import * as api from "@/lib/audit/api";
import { recordPrinted } from "@/lib/audit/history";
import { clientHistory } from "@/lib/clients/history";
import { route } from "@/lib/route";

route(api.clientPrinted, ({ actor, params }) => recordPrinted(actor, clientHistory, params.id));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
