import { endpoint } from "@/lib/core/api/endpoint";
import { idParams } from "@/lib/core/api/list-query";
import { oneForm } from "@/lib/forms/api-schema";
import {
  commentBody,
  oneComment,
  reconcileBody,
  reconcileManyBody,
  reconcileOutcomes,
  returnBody,
} from "@/lib/forms/review/schema";

export const reconcileForm = endpoint("POST /api/forms/{id}/reconcile", {
  permission: "forms",
  params: idParams,
  body: reconcileBody,
  response: oneForm,
  errors: ["not_found", "conflict_version", "conflict_busy", "period_closed"],
  // If the form already has that state, the call only returns it.
  audit: { entity: "form", action: ["reconciled", "unreconciled", "viewed"] },
});

export const reconcileForms = endpoint("POST /api/forms/reconcile", {
  about:
    "Each form is reconciled on its own, so one refusal does not stop the others. `changed` lists those of `done` whose state changed. To undo, send `changed` back with `undo` and the opposite `reconciled`: this restores the return with its comment, or the reviewer and the time. A form that was changed or reviewed since is refused (`conflict_version`). So is a form whose version is not the one in `lockVersions`, which has the versions that the caller has read by the form's id.",
  permission: "forms",
  body: reconcileManyBody,
  response: reconcileOutcomes,
  errors: ["conflict_busy"],
  audit: { entity: "form", action: ["reconciled", "unreconciled"] },
});

export const returnForm = endpoint("POST /api/forms/{id}/return", {
  permission: "forms",
  additionalPermissions: "all-forms",
  params: idParams,
  body: returnBody,
  response: oneForm,
  errors: ["not_found", "conflict_version", "conflict_busy", "period_closed"],
  audit: { entity: "form", action: "returned" },
});

export const addComment = endpoint("POST /api/forms/{id}/comments", {
  about:
    "Adds a comment to the conversation about a form. It changes neither the form's `lockVersion` nor its review. A comment of its advocate on a returned form makes the form answered for the reviewer who returned it (`filters[answered]`).",
  permission: "forms",
  params: idParams,
  keys: ["idempotencyKey"],
  body: commentBody,
  response: oneComment,
  status: 201,
  errors: ["not_found", "conflict_busy", "period_closed"],
  audit: { entity: "form", action: ["commented", "viewed"] },
});
