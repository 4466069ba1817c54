import * as api from "@/lib/audit/api";
import { recordPrinted } from "@/lib/audit/history";
import { clientHistory } from "@/lib/clients/history";
import { route } from "@/lib/route";

export const POST = route(api.clientPrinted, ({ actor, params }) =>
  recordPrinted(actor, clientHistory, params.id),
);
