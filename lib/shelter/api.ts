import { z } from "zod/mini";
import { clientResponse } from "@/lib/clients/api-schema";
import { endpoint } from "@/lib/core/api/endpoint";
import { fileQuery, listFile } from "@/lib/core/api/list-file";
import { idParams, listPage } from "@/lib/core/api/list-query";
import { formResponse } from "@/lib/forms/api-schema";
import { printQuery } from "@/lib/forms/by-client/schema";
import {
  board,
  newStayBody,
  oneStay,
  revealedName,
  stayBody,
  stayListQuery,
  stayResponse,
} from "@/lib/shelter/api-schema";
import { moveBody } from "@/lib/shelter/schema";

export const getBoard = endpoint("GET /api/shelter", {
  about:
    "Each shelter with the stays that are open today, under the initials of their clients. `bedsTaken` counts the people of all of them, including those of clients who are hidden from the caller.",
  permission: "shelter",
  response: board,
  audit: { entity: "stay", action: "listed" },
});

export const listStays = endpoint("GET /api/stays", {
  about:
    "`filters[from]` and `filters[to]` choose the stays that were open on a day between them, `filters[open]` those that have not ended or have. `search` looks in the names of the shelters.",
  permission: "shelter",
  query: stayListQuery,
  response: listPage("stays", stayResponse),
  audit: { entity: "stay", action: ["listed", "searched"] },
});

const files = { permission: "shelter", entity: "stay", query: fileQuery(stayListQuery) } as const;
export const exportStays = listFile("/api/stays", "csv", files);
export const exportStaysXlsx = listFile("/api/stays", "xlsx", files);

export const getStay = endpoint("GET /api/stays/{id}", {
  permission: "shelter",
  params: idParams,
  response: oneStay,
  errors: ["not_found"],
  audit: { entity: "stay", action: "viewed" },
});

export const revealStay = endpoint("POST /api/stays/{id}/revealed", {
  about: "Returns the name of the stay's client, and records that the caller was shown it.",
  permission: "shelter",
  params: idParams,
  response: revealedName,
  errors: ["not_found"],
  audit: { entity: "stay", action: "revealed" },
});

export const createStay = endpoint("POST /api/stays", {
  about:
    "Moves a client in. The numbers are those of the people who came along, without the client. A client is in one shelter at a time; the day of a move belongs to both.",
  permission: "shelter",
  keys: ["idempotencyKey"],
  body: newStayBody,
  response: oneStay,
  status: 201,
  errors: ["not_found", "conflict_busy", "period_closed"],
  audit: { entity: "stay", action: ["created", "viewed"] },
});

export const updateStay = endpoint("PUT /api/stays/{id}", {
  about:
    "Fields that are left out stay as they are. `leftOn` ends the stay, and null opens it again. In a closed period, only changes that leave its nights and counts as they are are possible.",
  permission: "shelter",
  params: idParams,
  body: stayBody,
  response: oneStay,
  errors: ["not_found", "conflict_version", "conflict_busy", "period_closed"],
  audit: { entity: "stay", action: ["updated", "viewed"] },
});

export const moveStay = endpoint("POST /api/stays/{id}/move", {
  about:
    "Ends the stay and begins another one on the same day, in another shelter and with the same people. Returns the new stay.",
  permission: "shelter",
  params: idParams,
  keys: ["idempotencyKey"],
  body: moveBody,
  response: oneStay,
  status: 201,
  errors: ["not_found", "conflict_version", "conflict_busy", "period_closed"],
  audit: { entity: ["stay", "stay"], action: ["updated", "created", "viewed"] },
});

export const removeStay = endpoint("DELETE /api/stays/{id}", {
  permission: "shelter",
  params: idParams,
  response: null,
  errors: ["not_found", "conflict_busy", "conflict_in_use", "period_closed"],
  audit: { entity: "stay", action: "removed" },
});

export const exportClientRecord = endpoint("GET /api/clients/{id}/record.json", {
  about:
    "Returns a client's whole record, to answer an access request: the client; for callers with Forms, every form they may see, in order of service; for callers with Shelter, the client's stays. `from` and `to` are inclusive days.",
  permission: "export",
  additionalPermissions: "clients",
  params: idParams,
  query: printQuery,
  response: z.object({ client: clientResponse, forms: z.array(formResponse), stays: z.array(stayResponse) }),
  errors: ["not_found"],
  audit: { entity: ["client", "form", "stay"], action: "exported" },
});
