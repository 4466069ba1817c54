import { route } from "@/lib/api/route";
import * as api from "@/lib/review/api";
import { reconcileForms } from "@/lib/review/data";

route(api.reconcileForms, ({ actor, body }) => reconcileForms(actor, body));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
