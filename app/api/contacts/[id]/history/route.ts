import * as api from "@/lib/audit/api";
import { openHistory } from "@/lib/audit/history";
import { contactHistory } from "@/lib/contacts/history";
import { route } from "@/lib/route";

route(api.getContactHistory, ({ actor, params, query }) =>
  openHistory(actor, contactHistory, params.id, query),
);

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
