import { endpoint } from "@/lib/api/endpoint";
import { idParams } from "@/lib/api/list-query";
import { restrictionsAnswer, restrictionsBody } from "@/lib/restrictions/schema";

export const getRestrictions = endpoint("GET /api/clients/{id}/restrictions", {
  about: "The users for whom this client and their forms do not exist.",
  permission: "restrict-clients",
  also: "clients",
  params: idParams,
  answer: restrictionsAnswer,
  errors: ["not_found"],
  audit: { entity: "client", action: "viewed" },
});

export const setRestrictions = endpoint("PUT /api/clients/{id}/restrictions", {
  about:
    "The whole new list: who is not in it sees the client again. It counts from each person's next request on. Any user can be named but oneself, holders of Restrict Clients too. In reports these clients still count.",
  permission: "restrict-clients",
  also: "clients",
  params: idParams,
  body: restrictionsBody,
  answer: restrictionsAnswer,
  errors: ["not_found"],
  audit: { entity: "client", action: ["restricted", "viewed"] },
});
