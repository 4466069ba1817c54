import { outcomes } from "@/lib/api/answer";
import { endpoint } from "@/lib/api/endpoint";
import { idParams } from "@/lib/api/list-query";
import { oneForm } from "@/lib/forms/schema";
import { reconcileBody, reconcileManyBody, returnBody } from "@/lib/review/schema";

export const reconcileForm = endpoint("POST /api/forms/{id}/reconcile", {
  permission: "forms",
  params: idParams,
  body: reconcileBody,
  answer: oneForm,
  errors: ["not_found", "conflict_busy", "period_closed"],
  // If the form already has the state, the call only shows it.
  audit: { entity: "form", action: ["reconciled", "unreconciled", "viewed"] },
});

export const reconcileForms = endpoint("POST /api/forms/reconcile", {
  about: "Forms are reconciled one by one: the refusal of one does not stop the others.",
  permission: "forms",
  body: reconcileManyBody,
  answer: outcomes,
  errors: ["conflict_busy"],
  audit: { entity: "form", action: ["reconciled", "unreconciled"] },
});

export const returnForm = endpoint("POST /api/forms/{id}/return", {
  permission: "forms",
  also: "all-forms",
  params: idParams,
  body: returnBody,
  answer: oneForm,
  errors: ["not_found", "conflict_busy", "period_closed"],
  audit: { entity: "form", action: "returned" },
});
