import { endpoint } from "@/lib/core/api/endpoint";
import { listFile } from "@/lib/core/api/list-file";
import { idParams, listPage } from "@/lib/core/api/list-query";
import { recordCalls } from "@/lib/declared-records/calls";
import {
  board,
  newStayBody,
  oneStay,
  revealedName,
  stayBody,
  stayListQuery,
  stayResponse,
} from "@/lib/shelter/api-schema";
import { stays } from "@/lib/shelter/record";
import { moveBody } from "@/lib/shelter/schema";

export const getBoard = endpoint("GET /api/shelter", {
  about:
    "Each shelter with the stays that are open today, under the initials of their clients. `bedsTaken` counts the people of all of them, including those of clients who are hidden from the caller.",
  permission: "shelter",
  response: board,
  audit: { entity: "stay", action: "listed" },
});

const calls = recordCalls(stays, {
  query: stayListQuery,
  about: {
    list: "`filters[from]` and `filters[to]` choose the stays that were open on a day between them, `filters[open]` those that have not ended or have. `search` looks in the names of the shelters.",
    create:
      "Moves a client in. The numbers are those of the people who came along, without the client. A client is in one shelter at a time; the day of a move belongs to both.",
    update:
      "Fields that are left out stay as they are. `leftOn` ends the stay, and null opens it again. In a closed period, only changes that leave its nights and counts as they are are possible.",
  },
  errors: {
    create: ["conflict_busy"],
    update: ["conflict_busy"],
    remove: ["conflict_busy", "conflict_in_use"],
  },
});

export const listStays = endpoint("GET /api/stays", {
  ...calls.list,
  response: listPage("stays", stayResponse),
});
export const exportStays = listFile("/api/stays", "csv", calls.files);
export const exportStaysXlsx = listFile("/api/stays", "xlsx", calls.files);
export const getStay = endpoint("GET /api/stays/{id}", { ...calls.get, response: oneStay });
export const createStay = endpoint("POST /api/stays", {
  ...calls.create,
  body: newStayBody,
  response: oneStay,
});
export const updateStay = endpoint("PUT /api/stays/{id}", {
  ...calls.update,
  body: stayBody,
  response: oneStay,
});
export const removeStay = endpoint("DELETE /api/stays/{id}", calls.remove);
export const getStayHistory = endpoint("GET /api/stays/{id}/history", calls.history);

export const revealStay = endpoint("POST /api/stays/{id}/revealed", {
  about: "Returns the name of the stay's client, and records that the caller was shown it.",
  permission: "shelter",
  params: idParams,
  response: revealedName,
  errors: ["not_found"],
  audit: { entity: "stay", action: "revealed" },
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
