import * as z from "zod/mini";
import { endpoint } from "@/lib/core/api/endpoint";
import { idParams } from "@/lib/core/api/list-query";
import { customField, fieldBody, fieldsResponse } from "@/lib/forms/fields/schema";

const oneField = z.object({ field: customField });

export const getFields = endpoint("GET /api/fields", {
  about:
    "Open to everyone who is signed in: clients and forms have values under the keys of these fields. `version` changes with every change of a field.",
  permission: "signed-in",
  response: fieldsResponse,
});

export const createField = endpoint("POST /api/fields", {
  about: "The key follows from the label and never changes.",
  permission: "form-setup",
  body: fieldBody,
  response: oneField,
  status: 201,
  audit: { entity: "field", action: "created" },
});

export const updateField = endpoint("PUT /api/fields/{id}", {
  about:
    "Record and kind cannot change. A choice that is left out is removed, which is refused if a record has it: retire it instead.",
  permission: "form-setup",
  params: idParams,
  body: fieldBody,
  response: oneField,
  errors: ["not_found", "conflict_version", "conflict_in_use"],
  audit: { entity: "field", action: ["updated", "viewed"] },
});

export const removeField = endpoint("DELETE /api/fields/{id}", {
  about: "Refused if a record has a value: retire the field instead.",
  permission: "form-setup",
  params: idParams,
  response: null,
  errors: ["not_found", "conflict_in_use"],
  audit: { entity: "field", action: "removed" },
});
