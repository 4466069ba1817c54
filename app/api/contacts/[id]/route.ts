import * as api from "@/lib/contacts/api";
import { getContact, removeContact, updateContact } from "@/lib/contacts/contacts";
import { route } from "@/lib/route";

route(api.getContact, async ({ actor, params }) => ({ contact: await getContact(actor, params.id) }));

route(api.updateContact, async ({ actor, params, body }) => ({
  contact: await updateContact(actor, params.id, body.contact),
}));

route(api.removeContact, ({ actor, params }) => removeContact(actor, params.id));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
