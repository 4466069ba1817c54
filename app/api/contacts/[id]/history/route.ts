import { openHistory } from "@/lib/audit/history";
import { getContactHistory } from "@/lib/contacts/api";
import { contactStore } from "@/lib/contacts/contacts";
import { route } from "@/lib/route";

export const GET = route(getContactHistory, ({ actor, params, query }) =>
  openHistory(actor, contactStore.history, params.id, query),
);
