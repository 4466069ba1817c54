import { holdBody, holdResponse } from "@/lib/clients/hold-schema";
import { endpoint } from "@/lib/core/api/endpoint";
import { listFile } from "@/lib/core/api/list-file";
import { idParams } from "@/lib/core/api/list-query";
import {
  purgeBody,
  purgeResponse,
  retainedClients,
  retainedClientsQuery,
  retentionBody,
  retentionResponse,
} from "@/lib/retention/schema";

export const getRetention = endpoint("GET /api/retention", {
  permission: "retention",
  response: retentionResponse,
});

export const setRetention = endpoint("PUT /api/retention", {
  about: "Requires a recent proof of identity, because this setting may purge clients every night.",
  permission: "retention",
  proof: true,
  body: retentionBody,
  response: retentionResponse,
  audit: { entity: "retention", action: ["updated", "viewed"] },
});

export const listRetainedClients = endpoint("GET /api/retention/clients", {
  permission: "retention",
  query: retainedClientsQuery,
  response: retainedClients,
  audit: { entity: "client", action: ["listed", "searched"] },
});

const retainedFiles = { permission: "retention", entity: "client", query: retainedClientsQuery } as const;
export const exportRetained = listFile("/api/retention/clients", "csv", retainedFiles);
export const exportRetainedXlsx = listFile("/api/retention/clients", "xlsx", retainedFiles);

export const purgeClients = endpoint("POST /api/retention/purge", {
  about: "Each client is purged on its own, so one refusal does not stop the others.",
  permission: "retention",
  proof: true,
  body: purgeBody,
  response: purgeResponse,
  audit: { entity: "client", action: "purged" },
});

const hold = {
  permission: "retention",
  params: idParams,
  errors: ["not_found"],
  audit: { entity: "client", action: ["updated", "viewed"] },
} as const;
export const holdClient = endpoint("PUT /api/clients/{id}/hold", {
  ...hold,
  body: holdBody,
  response: holdResponse,
});
export const liftHold = endpoint("DELETE /api/clients/{id}/hold", { ...hold, proof: true, response: null });
