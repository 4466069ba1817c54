import { endpoint } from "@/lib/core/api/endpoint";
import { fileQuery, listFile } from "@/lib/core/api/list-file";
import { idParams, listPage } from "@/lib/core/api/list-query";
import { formBody, formListItem, formListQuery, newFormBody, oneForm } from "@/lib/forms/api-schema";

export const listForms = endpoint("GET /api/forms", {
  permission: "forms",
  query: formListQuery,
  response: listPage("forms", formListItem),
  audit: { entity: "form", action: ["listed", "searched"] },
});

const formFiles = { permission: "forms", entity: "form", query: fileQuery(formListQuery) } as const;
export const exportForms = listFile("/api/forms", "csv", formFiles);
export const exportFormsXlsx = listFile("/api/forms", "xlsx", formFiles);

export const getForm = endpoint("GET /api/forms/{id}", {
  permission: "forms",
  params: idParams,
  response: oneForm,
  errors: ["not_found"],
  audit: { entity: "form", action: "viewed" },
});

export const createForm = endpoint("POST /api/forms", {
  permission: "forms",
  about:
    "With `contactId`, the contact is linked to the form in the same transaction and is no longer anonymous.",
  keys: ["idempotencyKey", "draftKey"],
  body: newFormBody,
  response: oneForm,
  status: 201,
  errors: ["not_found", "conflict_busy", "period_closed", "conflict_version"],
  audit: { entity: "form", action: ["created", "viewed"] },
});

export const updateForm = endpoint("PUT /api/forms/{id}", {
  permission: "forms",
  params: idParams,
  keys: ["draftKey"],
  body: formBody,
  response: oneForm,
  errors: ["not_found", "conflict_version", "conflict_busy", "conflict_in_use", "period_closed"],
  audit: { entity: "form", action: ["updated", "viewed"] },
});

export const removeForm = endpoint("DELETE /api/forms/{id}", {
  permission: "forms",
  params: idParams,
  response: null,
  errors: ["not_found", "conflict_in_use", "conflict_busy", "period_closed"],
  audit: { entity: "form", action: "removed" },
});
