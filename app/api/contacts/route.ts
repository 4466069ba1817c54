import * as api from "@/lib/contacts/api";
import { createContact, listContacts } from "@/lib/contacts/contacts";
import { route } from "@/lib/route";

route(api.listContacts, ({ actor, query }) => listContacts(actor, query));

route(api.createContact, async ({ actor, body, keys }) => ({
  contact: await createContact(actor, body.contact, keys.idempotencyKey),
}));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
