import { ABOUT_HISTORY, history, historyQuery } from "@/lib/audit/schema";
import { endpoint } from "@/lib/core/api/endpoint";
import { fileQuery, listFile } from "@/lib/core/api/list-file";
import { idParams, listPage } from "@/lib/core/api/list-query";
import {
  groupBody,
  groupListQuery,
  groupResponse,
  newGroupBody,
  oneGroup,
  oneSession,
  sessionBody,
  sessionListQuery,
  sessionParams,
  sessionResponse,
  sheetBody,
} from "@/lib/groups/api-schema";

/** Every call needs all three. */
const needs = { permission: "groups", additionalPermissions: ["forms", "clients"] } as const;

export const listGroups = endpoint("GET /api/groups", {
  ...needs,
  about:
    "Without All Forms, callers see the groups that they lead. `filters[open]` chooses the groups that are not closed today, or are.",
  query: groupListQuery,
  response: listPage("groups", groupResponse),
  audit: { entity: "group", action: ["listed", "searched"] },
});

const groupFiles = {
  permission: ["groups", "forms", "clients"],
  entity: "group",
  query: fileQuery(groupListQuery),
} as const;
export const exportGroups = listFile("/api/groups", "csv", groupFiles);
export const exportGroupsXlsx = listFile("/api/groups", "xlsx", groupFiles);

export const getGroup = endpoint("GET /api/groups/{id}", {
  ...needs,
  about: "The people on the roster are recorded as shown.",
  params: idParams,
  response: oneGroup,
  errors: ["not_found"],
  audit: { entity: ["group", "client"], action: ["viewed", "listed"] },
});

export const createGroup = endpoint("POST /api/groups", {
  ...needs,
  about:
    "`formTypeId` is a type with services, not by phone, that offers the service code and requires no other value. `clientIds` is the roster.",
  keys: ["idempotencyKey"],
  body: newGroupBody,
  response: oneGroup,
  status: 201,
  errors: ["not_found"],
  audit: { entity: "group", action: ["created", "viewed"] },
});

export const updateGroup = endpoint("PUT /api/groups/{id}", {
  ...needs,
  about:
    "Omitted fields stay as they are. `clientIds` is the whole roster that the caller sees. Sessions that exist keep their service code and form type.",
  params: idParams,
  body: groupBody,
  response: oneGroup,
  errors: ["not_found", "conflict_version"],
  audit: { entity: "group", action: ["updated", "viewed"] },
});

export const removeGroup = endpoint("DELETE /api/groups/{id}", {
  ...needs,
  params: idParams,
  response: null,
  errors: ["not_found", "conflict_in_use"],
  audit: { entity: "group", action: "removed" },
});

export const getGroupHistory = endpoint("GET /api/groups/{id}/history", {
  ...needs,
  about: ABOUT_HISTORY,
  params: idParams,
  query: historyQuery,
  response: history,
  errors: ["not_found"],
  audit: { entity: "group", action: "viewed" },
});

export const signInSheetPrinted = endpoint("POST /api/groups/{id}/printed", {
  ...needs,
  about:
    "Records that the sign-in sheet was printed. `clientIds` are the people whose first names are on it; none if it has blank lines. They are recorded as printed, too.",
  params: idParams,
  body: sheetBody,
  response: null,
  errors: ["not_found"],
  audit: { entity: ["group", "client"], action: "printed" },
});

export const listGroupSessions = endpoint("GET /api/groups/{id}/sessions", {
  ...needs,
  about: "The people who came are recorded as shown.",
  params: idParams,
  query: sessionListQuery,
  response: listPage("groupSessions", sessionResponse),
  errors: ["not_found"],
  audit: { entity: ["groupSession", "client"], action: ["listed", "searched"] },
});

const sessionFiles = {
  permission: ["groups", "forms", "clients"],
  entity: "groupSession",
  query: fileQuery(sessionListQuery),
} as const;
export const exportGroupSessions = {
  ...listFile("/api/groups/{id}/sessions", "csv", sessionFiles),
  params: idParams,
  errors: ["not_found"],
} as const;
export const exportGroupSessionsXlsx = {
  ...listFile("/api/groups/{id}/sessions", "xlsx", sessionFiles),
  params: idParams,
  errors: ["not_found"],
} as const;

export const getGroupSession = endpoint("GET /api/groups/{id}/sessions/{sessionId}", {
  ...needs,
  params: sessionParams,
  response: oneSession,
  errors: ["not_found"],
  audit: { entity: ["groupSession", "client"], action: ["viewed", "listed"] },
});

export const createGroupSession = endpoint("POST /api/groups/{id}/sessions", {
  ...needs,
  about:
    "Writes a form for each attendance in the same transaction. `heldOn` defaults to today and `unnamed` to 0. Without All Forms, the caller is one of the leaders.",
  params: idParams,
  keys: ["idempotencyKey"],
  body: sessionBody,
  response: oneSession,
  status: 201,
  errors: ["not_found", "conflict_busy", "period_closed"],
  audit: { entity: "groupSession", action: ["created", "viewed"] },
});

export const updateGroupSession = endpoint("PUT /api/groups/{id}/sessions/{sessionId}", {
  ...needs,
  about:
    "Omitted fields stay as they are. `attendancesAttributes` are all people that the caller sees. The forms follow. The response is 409 `conflict_in_use` if a form that would change was reconciled, returned, commented on, or edited; `forms` has the ids of those that the caller may open.",
  params: sessionParams,
  body: sessionBody,
  response: oneSession,
  errors: ["not_found", "conflict_version", "conflict_busy", "conflict_in_use", "period_closed"],
  audit: { entity: "groupSession", action: ["updated", "viewed"] },
});

export const removeGroupSession = endpoint("DELETE /api/groups/{id}/sessions/{sessionId}", {
  ...needs,
  about: "Removes the forms of the people that the caller sees, too.",
  params: sessionParams,
  response: null,
  errors: ["not_found", "conflict_busy", "conflict_in_use", "period_closed"],
  audit: { entity: "groupSession", action: "removed" },
});

export const getGroupSessionHistory = endpoint("GET /api/groups/{id}/sessions/{sessionId}/history", {
  ...needs,
  about: ABOUT_HISTORY,
  params: sessionParams,
  query: historyQuery,
  response: history,
  errors: ["not_found"],
  audit: { entity: "groupSession", action: "viewed" },
});
