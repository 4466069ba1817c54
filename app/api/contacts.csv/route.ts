import * as api from "@/lib/contacts/api";
import { contactStore } from "@/lib/contacts/contacts";
import { fileOf } from "@/lib/core/api/files";
import { route } from "@/lib/route";

export const GET = route(api.exportContacts, async ({ actor, query }) =>
  fileOf("csv", await contactStore.export(actor, query)),
);
