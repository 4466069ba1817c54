import { mergeAnswer, mergeBody, mergesAnswer, undoAnswer, undoBody } from "@/lib/clients/merges/schema";
import { endpoint } from "@/lib/core/api/endpoint";
import { idParams } from "@/lib/core/api/list-query";

const merging = {
  permission: "clients",
  also: "all-forms",
  params: idParams,
  errors: ["not_found", "conflict_version", "conflict_in_use", "conflict_busy"],
} as const;

export const mergeClients = endpoint("POST /api/clients/{id}/merge", {
  ...merging,
  about:
    "For a client who was recorded twice: saves `client` as the one record that remains, moves all forms of `other` to it, also those of closed periods, and removes `other`. Needs Forms besides. Both versions must be those that were read. Refused while a legal hold stands on either. Who must not know of either must not know of the one that remains; where that hides it from more users, `restricted` is recorded besides.",
  body: mergeBody,
  answer: mergeAnswer,
  audit: { entity: ["client", "client", "form"], action: "merged" },
});

export const listMerges = endpoint("GET /api/clients/{id}/merges", {
  about: "Answers also for the id of a record that was merged, which is otherwise no longer there.",
  permission: ["clients", "forms"],
  params: idParams,
  answer: mergesAnswer,
  errors: ["not_found"],
  audit: { entity: "client", action: "viewed" },
});

export const undoMerge = endpoint("POST /api/merges/{id}/undo", {
  ...merging,
  about:
    "Within 30 days: the removed record is back under its id, with the forms that came with it and still stand at the other client. That one has its former values again; where they were changed since the merge, it is 409 `conflict_version` naming the fields, unless `keepChanged` keeps these as they are now. A later merge of the same client must be undone first: 409 `conflict_in_use`.",
  body: undoBody,
  answer: undoAnswer,
  audit: { entity: ["client", "client", "form"], action: "unmerged" },
});
