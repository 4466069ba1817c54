import * as z from "zod/mini";
import { contacts } from "@/lib/contacts/record";
import { endpoint } from "@/lib/core/api/endpoint";
import { listFile } from "@/lib/core/api/list-file";
import { id } from "@/lib/core/fields/validation";
import { recordCalls } from "@/lib/declared-records/calls";

/** `formId` links the contact to a form, and null unlinks it; if omitted, that does not change. */
const sentForm = { formId: z.optional(z.nullable(id())) };
const calls = recordCalls(contacts, {
  about: {
    list: "Without All Forms, callers see their own contacts. `search` searches the names of contact kinds.",
    create:
      "A contact has no field for a name, a phone number, an address, or text. `contactedOn` defaults to today. `formId` links a single contact to a form: it is no longer anonymous. `POST /api/forms` with `contactId` does the same together with the form.",
    update:
      "Omitted fields stay as they are. `formId` links a single contact to a form, and null unlinks it.",
  },
  keys: { create: sentForm, update: sentForm, returned: { formId: z.nullable(id()) } },
  errors: { create: ["conflict_busy"] },
});

export const listContacts = endpoint("GET /api/contacts", calls.list);
export const exportContacts = listFile("/api/contacts", "csv", calls.files);
export const exportContactsXlsx = listFile("/api/contacts", "xlsx", calls.files);
export const getContact = endpoint("GET /api/contacts/{id}", calls.get);
export const createContact = endpoint("POST /api/contacts", calls.create);
export const updateContact = endpoint("PUT /api/contacts/{id}", calls.update);
export const removeContact = endpoint("DELETE /api/contacts/{id}", calls.remove);
export const getContactHistory = endpoint("GET /api/contacts/{id}/history", calls.history);
