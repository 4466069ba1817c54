import { z } from "zod";
import { endpoint } from "@/lib/api/endpoint";
import { idParams } from "@/lib/api/list-query";
import { auditEvents, auditListQuery, history } from "@/lib/history/schema";

export const listAuditEvents = endpoint("GET /api/audit_events", {
  permission: "audit-log",
  query: auditListQuery,
  answer: auditEvents,
  audit: { entity: "auditEvent", action: ["listed", "searched"] },
});

export const exportAuditEvents = endpoint("GET /api/audit_events.csv", {
  about: "The list as a file: `page` and `perPage` are ignored.",
  permission: "export",
  also: "audit-log",
  query: auditListQuery,
  answer: z.string(),
  audit: { entity: "auditEvent", action: "exported" },
});

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
