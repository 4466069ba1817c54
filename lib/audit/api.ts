import { ABOUT_HISTORY, auditEvents, auditListQuery, history, historyQuery } from "@/lib/audit/schema";
import { endpoint } from "@/lib/core/api/endpoint";
import { listFile } from "@/lib/core/api/list-file";
import { idParams } from "@/lib/core/api/list-query";

export const listAuditEvents = endpoint("GET /api/audit_events", {
  about:
    "`filters[views]=false` leaves out views: records that were opened, listed, searched, or printed, and phone numbers and names that were shown. It does not apply together with `filters[action]`.",
  permission: "audit-log",
  query: auditListQuery,
  response: auditEvents,
  audit: { entity: "auditEvent", action: ["listed", "searched"] },
});

const auditFiles = { permission: "audit-log", entity: "auditEvent", query: auditListQuery } as const;
export const exportAuditEvents = listFile("/api/audit_events", "csv", auditFiles);
export const exportAuditEventsXlsx = listFile("/api/audit_events", "xlsx", auditFiles);

export const getFormHistory = endpoint("GET /api/forms/{id}/history", {
  about: ABOUT_HISTORY,
  permission: "forms",
  params: idParams,
  query: historyQuery,
  response: history,
  errors: ["not_found"],
  audit: { entity: "form", action: "viewed" },
});

export const getClientHistory = endpoint("GET /api/clients/{id}/history", {
  about: ABOUT_HISTORY,
  permission: ["clients", "forms"],
  params: idParams,
  query: historyQuery,
  response: history,
  errors: ["not_found"],
  audit: { entity: "client", action: "viewed" },
});

export const formPrinted = endpoint("POST /api/forms/{id}/printed", {
  permission: "forms",
  params: idParams,
  response: null,
  errors: ["not_found"],
  audit: { entity: "form", action: "printed" },
});

export const clientPrinted = endpoint("POST /api/clients/{id}/printed", {
  permission: ["clients", "forms"],
  params: idParams,
  response: null,
  errors: ["not_found"],
  audit: { entity: "client", action: "printed" },
});
