import { endpoint } from "@/lib/core/api/endpoint";
import { idParams } from "@/lib/core/api/list-query";
import { reconcileBody, reconcileManyBody, reconcileOutcomes, returnBody } from "@/lib/forms/review/schema";
import { oneForm } from "@/lib/forms/schema";

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
  about:
    "Forms are reconciled one by one: the refusal of one does not stop the others. `changed` are those of `done` that were not so before. Sent back with `undo` and the opposite `reconciled`, they get what the call took from them: their return with its comment, or who reconciled them and when. A form that somebody has changed or reviewed since is refused (`conflict_version`).",
  permission: "forms",
  body: reconcileManyBody,
  answer: reconcileOutcomes,
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
