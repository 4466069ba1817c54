import * as z from "zod/mini";
import {
  clientBody,
  clientComparedBody,
  clientHit,
  clientListItem,
  clientListQuery,
  clientResponse,
  clientSearchBody,
  clientSimilarBody,
} from "@/lib/clients/api-schema";
import { endpoint } from "@/lib/core/api/endpoint";
import { fileQuery, listFile } from "@/lib/core/api/list-file";
import { idParams, listPage } from "@/lib/core/api/list-query";
import { namedItem } from "@/lib/core/api/response";

const client = z.object({ client: clientResponse });

export const listClients = endpoint("GET /api/clients", {
  permission: "clients",
  query: clientListQuery,
  response: listPage("clients", clientListItem),
  audit: { entity: "client", action: ["listed", "searched"] },
});

const clientFiles = { permission: "clients", entity: "client", query: fileQuery(clientListQuery) } as const;
export const exportClients = listFile("/api/clients", "csv", clientFiles);
export const exportClientsXlsx = listFile("/api/clients", "xlsx", clientFiles);

export const getClient = endpoint("GET /api/clients/{id}", {
  about: "Also open to Forms, because the form screen reads and saves the client.",
  permission: ["clients", "forms"],
  params: idParams,
  response: client,
  errors: ["not_found"],
  audit: { entity: "client", action: "viewed" },
});

export const revealClient = endpoint("POST /api/clients/{id}/revealed", {
  about:
    "Records that the caller was shown the client's phone number. The number itself is part of `GET /api/clients/{id}`.",
  permission: ["clients", "forms"],
  params: idParams,
  response: null,
  errors: ["not_found"],
  audit: { entity: "client", action: "revealed" },
});

export const compareClient = endpoint("POST /api/clients/{id}/compared", {
  about:
    "Returns the client for a comparison with what is typed. `phoneNumbers` are those that the caller has; another one is returned as `(•••) •••-••••`, until the user requests it. A POST although it changes no data: a number in a query string would appear in logs.",
  permission: ["clients", "forms"],
  params: idParams,
  body: clientComparedBody,
  response: client,
  errors: ["not_found"],
  audit: { entity: "client", action: "viewed" },
});

export const createClient = endpoint("POST /api/clients", {
  permission: ["clients", "forms"],
  keys: ["idempotencyKey"],
  body: clientBody,
  response: client,
  status: 201,
  errors: ["not_found", "conflict_busy", "conflict_version"],
  audit: { entity: "client", action: ["created", "viewed"] },
});

export const updateClient = endpoint("PUT /api/clients/{id}", {
  permission: ["clients", "forms"],
  params: idParams,
  body: clientBody,
  response: client,
  errors: ["not_found", "conflict_version", "conflict_busy"],
  audit: { entity: "client", action: ["updated", "viewed"] },
});

export const removeClient = endpoint("DELETE /api/clients/{id}", {
  permission: "clients",
  params: idParams,
  response: null,
  errors: ["not_found", "conflict_in_use"],
  audit: { entity: "client", action: "removed" },
});

const finding = {
  about:
    "A POST although it changes no data: a name in a query string would appear in the logs of every proxy.",
  permission: ["clients", "forms"],
  response: z.object({ clients: z.array(clientHit) }),
  audit: { entity: "client", action: "searched" },
} as const;
export const searchClients = endpoint("POST /api/clients/search", { ...finding, body: clientSearchBody });
export const similarClients = endpoint("POST /api/clients/similar", { ...finding, body: clientSimilarBody });

export const listClientChoices = endpoint("GET /api/resource_lists/clients", {
  about: "The first clients by name. To find one among many, use the search.",
  permission: ["clients", "forms"],
  response: z.object({ clients: z.array(namedItem), meta: z.object({ truncated: z.boolean() }) }),
  audit: { entity: "client", action: "listed" },
});
