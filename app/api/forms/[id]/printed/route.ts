import * as api from "@/lib/audit/api";
import { recordPrinted } from "@/lib/audit/history";
import { route } from "@/lib/route";

route(api.formPrinted, ({ actor, params }) => recordPrinted(actor, "form", params.id));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
