import * as api from "@/lib/audit/api";
import { recordPrinted } from "@/lib/audit/history";
import { formHistory } from "@/lib/forms/history";
import { route } from "@/lib/route";

export const POST = route(api.formPrinted, ({ actor, params }) =>
  recordPrinted(actor, formHistory, params.id),
);
