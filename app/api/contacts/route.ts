import * as api from "@/lib/contacts/api";
import { contactStore } from "@/lib/contacts/contacts";
import { route } from "@/lib/route";

export const GET = route(api.listContacts, async ({ actor, query }) => {
  const { items, meta } = await contactStore.list(actor, query);
  return { contacts: items, meta };
});

export const POST = route(api.createContact, async ({ actor, body, keys }) => ({
  contact: await contactStore.create(actor, body.contact ?? {}, keys.idempotencyKey),
}));
