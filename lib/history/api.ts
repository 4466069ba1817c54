import { endpoint } from "@/lib/api/endpoint";
import { listFile } from "@/lib/api/list-file";
import { idParams } from "@/lib/api/list-query";
import { auditEvents, auditListQuery, history } from "@/lib/history/schema";

export const listAuditEvents = endpoint("GET /api/audit_events", {
  permission: "audit-log",
  query: auditListQuery,
  answer: auditEvents,
  audit: { entity: "auditEvent", action: ["listed", "searched"] },
});

const auditFiles = { permission: "audit-log", entity: "auditEvent", query: auditListQuery } as const;
export const exportAuditEvents = listFile("/api/audit_events", "csv", auditFiles);
export const exportAuditEventsXlsx = listFile("/api/audit_events", "xlsx", auditFiles);

export const getFormHistory = endpoint("GET /api/forms/{id}/history", {
  permission: "forms",
  params: idParams,
  answer: history,
  errors: ["not_found"],
  audit: { entity: "form", action: "viewed" },
});

export const getClientHistory = endpoint("GET /api/clients/{id}/history", {
  permission: ["clients", "forms"],
  params: idParams,
  answer: history,
  errors: ["not_found"],
  audit: { entity: "client", action: "viewed" },
});

export const formPrinted = endpoint("POST /api/forms/{id}/printed", {
  permission: "forms",
  params: idParams,
  answer: null,
  errors: ["not_found"],
  audit: { entity: "form", action: "printed" },
});

export const clientPrinted = endpoint("POST /api/clients/{id}/printed", {
  permission: ["clients", "forms"],
  params: idParams,
  answer: null,
  errors: ["not_found"],
  audit: { entity: "client", action: "printed" },
});
