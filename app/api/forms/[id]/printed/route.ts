import { route } from "@/lib/api/route";
import * as api from "@/lib/history/api";
import { recordPrinted } from "@/lib/history/data";

route(api.formPrinted, ({ actor, params }) => recordPrinted(actor, "form", params.id));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
