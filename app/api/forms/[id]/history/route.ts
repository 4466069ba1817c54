import * as api from "@/lib/audit/api";
import { openHistory } from "@/lib/audit/history";
import { formHistory } from "@/lib/forms/history";
import { route } from "@/lib/route";

export const GET = route(api.getFormHistory, ({ actor, params, query }) =>
  openHistory(actor, formHistory, params.id, query),
);
