import * as z from "zod/mini";
import {
  involvementResponse,
  restrictionsBody,
  restrictionsResponse,
  setRestrictionsResponse,
} from "@/lib/clients/restrictions/schema";
import { endpoint } from "@/lib/core/api/endpoint";
import { idParam, idParams } from "@/lib/core/api/list-query";

const restrictions = {
  permission: "restrict-clients",
  additionalPermissions: "clients",
  params: idParams,
  response: restrictionsResponse,
  errors: ["not_found"],
} as const;

export const getRestrictions = endpoint("GET /api/clients/{id}/restrictions", {
  ...restrictions,
  about: "Lists the users who cannot see this client and the client's forms.",
  audit: { entity: "client", action: "viewed" },
});

export const setRestrictions = endpoint("PUT /api/clients/{id}/restrictions", {
  ...restrictions,
  about:
    "Replaces the list of users who cannot see the client. Users who are not in the list see the client again. With `formerUserIds`, the list the caller read, the response is 409 `conflict_version` if someone else changed it meanwhile. The list takes effect with each user's next request. Callers cannot name themselves. At least one other active user who can lift restrictions (Restrict Clients and Clients), and one with Audit Log, must still see the client, if there are any. Reports of these users leave the client out; a submission is stored whole. `handOver` gives the client to a colleague who is active and holds Forms, if `fromUserId` is the client's advocate. Callers with Forms and All Forms also transfer that user's drafts and returned forms about the client, except forms of closed periods. The transfer and the new list are saved together or not at all.",
  body: restrictionsBody,
  response: setRestrictionsResponse,
  errors: ["not_found", "conflict_version"],
  proof: true,
  audit: { entity: "client", action: ["restricted", "viewed"] },
});

export const getInvolvement = endpoint("GET /api/clients/{id}/restrictions/{userId}", {
  ...restrictions,
  about:
    "Returns a user's work for this client: `isAdvocate`, and the numbers of forms, returned forms, and drafts about the client. The numbers are null unless the caller holds Forms and All Forms.",
  params: z.extend(idParams, { userId: idParam }),
  response: involvementResponse,
  audit: { entity: "client", action: "viewed" },
});
