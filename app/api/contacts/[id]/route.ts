import * as api from "@/lib/contacts/api";
import { contactStore } from "@/lib/contacts/contacts";
import { route } from "@/lib/route";

export const GET = route(api.getContact, async ({ actor, params: { id } }) => ({
  contact: await contactStore.get(actor, id),
}));

export const PUT = route(api.updateContact, async ({ actor, params: { id }, body }) => ({
  contact: await contactStore.update(actor, id, body.contact ?? {}),
}));

export const DELETE = route(api.removeContact, ({ actor, params: { id } }) => contactStore.remove(actor, id));
