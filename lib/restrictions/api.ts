import { endpoint } from "@/lib/api/endpoint";
import { idParams } from "@/lib/api/list-query";
import { restrictionsAnswer, restrictionsBody } from "@/lib/restrictions/schema";

const restrictions = {
  permission: "restrict-clients",
  also: "clients",
  params: idParams,
  answer: restrictionsAnswer,
  errors: ["not_found"],
} as const;

export const getRestrictions = endpoint("GET /api/clients/{id}/restrictions", {
  ...restrictions,
  about: "The users for whom this client and their forms do not exist.",
  audit: { entity: "client", action: "viewed" },
});

export const setRestrictions = endpoint("PUT /api/clients/{id}/restrictions", {
  ...restrictions,
  about:
    "The whole new list: who is not in it sees the client again. With `formerUserIds`, the list that was read, it is 409 `conflict_version` where somebody else has changed that meanwhile. It counts from each person's next request on. Any user can be named but oneself. Of the active users who can lift restrictions (Restrict Clients and Clients), and of those with Audit Log, one besides the caller must go on seeing the client, if there is any: hiding the client from the last of them is refused. In reports these clients still count.",
  body: restrictionsBody,
  errors: ["not_found", "conflict_version"],
  proof: true,
  audit: { entity: "client", action: ["restricted", "viewed"] },
});
