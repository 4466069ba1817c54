import * as api from "@/lib/forms/review/api";
import { reconcileForms } from "@/lib/forms/review/reviews";
import { route } from "@/lib/route";

route(api.reconcileForms, ({ actor, body }) => reconcileForms(actor, body));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
