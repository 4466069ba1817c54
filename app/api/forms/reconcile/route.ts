import * as api from "@/lib/forms/review/api";
import { reconcileForms } from "@/lib/forms/review/reviews";
import { route } from "@/lib/route";

export const POST = route(api.reconcileForms, ({ actor, body }) => reconcileForms(actor, body));
