import * as api from "@/lib/audit/api";
import { recordPrinted } from "@/lib/audit/history";
import { route } from "@/lib/route";

route(api.clientPrinted, ({ actor, params }) => recordPrinted(actor, "client", params.id));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
