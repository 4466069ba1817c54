import * as api from "@/lib/contacts/api";
import { exportContacts } from "@/lib/contacts/contacts";
import { fileOf } from "@/lib/core/api/files";
import { route } from "@/lib/route";

route(api.exportContactsXlsx, async ({ actor, query }) => fileOf("xlsx", await exportContacts(actor, query)));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
