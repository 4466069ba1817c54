import { contactBody, contactListQuery, contactResponse, oneContact } from "@/lib/contacts/api-schema";
import { endpoint } from "@/lib/core/api/endpoint";
import { fileQuery, listFile } from "@/lib/core/api/list-file";
import { idParams, listPage } from "@/lib/core/api/list-query";

export const listContacts = endpoint("GET /api/contacts", {
  about: "Without All Forms, callers see their own contacts. `search` searches the names of contact kinds.",
  permission: "contacts",
  query: contactListQuery,
  response: listPage("contacts", contactResponse),
  audit: { entity: "contact", action: ["listed", "searched"] },
});

const files = { permission: "contacts", entity: "contact", query: fileQuery(contactListQuery) } as const;
export const exportContacts = listFile("/api/contacts", "csv", files);
export const exportContactsXlsx = listFile("/api/contacts", "xlsx", files);

export const getContact = endpoint("GET /api/contacts/{id}", {
  permission: "contacts",
  params: idParams,
  response: oneContact,
  errors: ["not_found"],
  audit: { entity: "contact", action: "viewed" },
});

export const createContact = endpoint("POST /api/contacts", {
  about:
    "A contact has no field for a name, a phone number, an address, or text. `contactedOn` defaults to today. `formId` links a single contact to a form: it is no longer anonymous. `POST /api/forms` with `contactId` does the same together with the form.",
  permission: "contacts",
  keys: ["idempotencyKey"],
  body: contactBody,
  response: oneContact,
  status: 201,
  errors: ["not_found", "conflict_busy", "period_closed"],
  audit: { entity: "contact", action: ["created", "viewed"] },
});

export const updateContact = endpoint("PUT /api/contacts/{id}", {
  about: "Omitted fields stay as they are. `formId` links a single contact to a form, and null unlinks it.",
  permission: "contacts",
  params: idParams,
  body: contactBody,
  response: oneContact,
  errors: ["not_found", "conflict_version", "period_closed"],
  audit: { entity: "contact", action: ["updated", "viewed"] },
});

export const removeContact = endpoint("DELETE /api/contacts/{id}", {
  permission: "contacts",
  params: idParams,
  response: null,
  errors: ["not_found", "period_closed"],
  audit: { entity: "contact", action: "removed" },
});
