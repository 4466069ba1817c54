import {
  involvementAnswer,
  restrictionsAnswer,
  restrictionsBody,
  setRestrictionsAnswer,
} from "@/lib/clients/restrictions/schema";
import { endpoint } from "@/lib/core/api/endpoint";
import { idParam, idParams } from "@/lib/core/api/list-query";

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
    "The whole new list: who is not in it sees the client again. With `formerUserIds`, the list that was read, it is 409 `conflict_version` where somebody else has changed that meanwhile. It counts from each person's next request on. Any user can be named but oneself. Of the active users who can lift restrictions (Restrict Clients and Clients), and of those with Audit Log, one besides the caller must go on seeing the client, if there is any: hiding the client from the last of them is refused. Reports of these users leave the client out; a submission is stored whole. `handOver` gives the client to a colleague who is active and holds Forms, if `fromUserId` is the client's advocate; callers with Forms and All Forms also give that user's drafts and returned forms about the client, except forms of closed periods. The hand-over and the new list are saved together or not at all.",
  body: restrictionsBody,
  answer: setRestrictionsAnswer,
  errors: ["not_found", "conflict_version"],
  proof: true,
  audit: { entity: "client", action: ["restricted", "viewed"] },
});

export const getInvolvement = endpoint("GET /api/clients/{id}/restrictions/{userId}", {
  ...restrictions,
  about:
    "What a user does for this client: whether they are the client's advocate, and how many forms, returned forms and drafts they have about the client. The numbers are null unless the caller holds Forms and All Forms.",
  params: idParams.extend({ userId: idParam }),
  answer: involvementAnswer,
  audit: { entity: "client", action: "viewed" },
});
