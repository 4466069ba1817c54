import {
  mergeBody,
  mergeResponse,
  mergesResponse,
  undoBody,
  undoResponse,
} from "@/lib/clients/merges/schema";
import { endpoint } from "@/lib/core/api/endpoint";
import { idParams } from "@/lib/core/api/list-query";

const merging = {
  permission: "clients",
  additionalPermissions: "all-forms",
  params: idParams,
  errors: ["not_found", "conflict_version", "conflict_in_use", "conflict_busy"],
} as const;

export const mergeClients = endpoint("POST /api/clients/{id}/merge", {
  ...merging,
  about:
    "Merges two records of one client: saves `client` as the remaining record, moves all forms of `other` to it, including those of closed periods, and removes `other`. Also requires Forms. Both versions must be the ones the caller read. Refused while either client is on legal hold. The remaining record is hidden from every user who could not see either record. If that adds users, `restricted` is recorded too. In the responses of a merge and its undo, a phone number is `(•••) •••-••••`: nobody requested it.",
  body: mergeBody,
  response: mergeResponse,
  audit: { entity: ["client", "client", "form"], action: "merged" },
});

export const listMerges = endpoint("GET /api/clients/{id}/merges", {
  about: "Also accepts the id of a merged record, which no other endpoint finds.",
  permission: ["clients", "forms"],
  params: idParams,
  response: mergesResponse,
  errors: ["not_found"],
  audit: { entity: "client", action: "viewed" },
});

export const undoMerge = endpoint("POST /api/merges/{id}/undo", {
  ...merging,
  about:
    "Possible for 30 days. Restores the removed record under its id, with its forms that are still with the other client, and restores the other client's previous values. If fields were changed since the merge, the response is 409 `conflict_version` with their names, unless `keepChanged` keeps their current values. A later merge of the same client must be undone first: 409 `conflict_in_use`.",
  body: undoBody,
  response: undoResponse,
  audit: { entity: ["client", "client", "form"], action: "unmerged" },
});
