import * as api from "@/lib/contacts/api";
import { contactStore } from "@/lib/contacts/contacts";
import { fileOf } from "@/lib/core/api/files";
import { route } from "@/lib/route";

export const GET = route(api.exportContactsXlsx, async ({ actor, query }) =>
  fileOf("xlsx", await contactStore.export(actor, query)),
);
