import { z } from "zod";
import { page } from "@/lib/api/answer";
import { endpoint } from "@/lib/api/endpoint";
import { idParams } from "@/lib/api/list-query";
import { formAnswer, formBody, formListItem, formListQuery, reconcileBody } from "@/lib/forms/schema";

const form = z.object({ form: formAnswer });

export const listForms = endpoint({
  method: "GET",
  path: "/api/forms",
  permission: "forms",
  query: formListQuery,
  answer: page("forms", formListItem),
});

export const getForm = endpoint({
  method: "GET",
  path: "/api/forms/{id}",
  permission: "forms",
  params: idParams,
  answer: form,
  errors: ["not_found"],
  audit: { entity: "form", action: "viewed" },
});

export const createForm = endpoint({
  method: "POST",
  path: "/api/forms",
  permission: "forms",
  keys: ["idempotencyKey", "draftKey"],
  body: formBody,
  answer: form,
  status: 201,
  errors: ["not_found", "conflict_busy"],
  audit: { entity: "form", action: "created" },
});

export const updateForm = endpoint({
  method: "PUT",
  path: "/api/forms/{id}",
  permission: "forms",
  params: idParams,
  keys: ["draftKey"],
  body: formBody,
  answer: form,
  errors: ["not_found", "conflict_version", "conflict_busy"],
  audit: { entity: "form", action: "updated" },
});

export const removeForm = endpoint({
  method: "DELETE",
  path: "/api/forms/{id}",
  permission: "forms",
  params: idParams,
  answer: null,
  errors: ["not_found"],
  audit: { entity: "form", action: "removed" },
});

export const reconcileForm = endpoint({
  method: "POST",
  path: "/api/forms/{id}/reconcile",
  permission: "forms",
  params: idParams,
  body: reconcileBody,
  answer: form,
  errors: ["not_found", "conflict_busy"],
  audit: { entity: "form", action: ["reconciled", "unreconciled"] },
});
