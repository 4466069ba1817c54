import { z } from "zod";
import { listPage, namedItem } from "@/lib/api/answer";
import { endpoint } from "@/lib/api/endpoint";
import { idParams } from "@/lib/api/list-query";
import {
  clientAnswer,
  clientBody,
  clientHit,
  clientListItem,
  clientListQuery,
  clientSearchBody,
  clientSimilarBody,
} from "@/lib/clients/schema";

const client = z.object({ client: clientAnswer });
const hits = z.object({ clients: z.array(clientHit) });

export const listClients = endpoint({
  method: "GET",
  path: "/api/clients",
  permission: "clients",
  query: clientListQuery,
  answer: listPage("clients", clientListItem),
  audit: { entity: "client", action: ["listed", "searched"] },
});

/** The list as a file: `page` and `perPage` are ignored (contract §11). */
export const exportClients = endpoint({
  method: "GET",
  path: "/api/clients.csv",
  permission: "export",
  also: "clients",
  query: clientListQuery,
  answer: z.string(),
  audit: { entity: "client", action: "exported" },
});

/** Also open to Forms, because the form screen reads and saves the client. */
export const getClient = endpoint({
  method: "GET",
  path: "/api/clients/{id}",
  permission: ["clients", "forms"],
  params: idParams,
  answer: client,
  errors: ["not_found"],
  audit: { entity: "client", action: "viewed" },
});

/** Says that the client's phone number was shown; the number itself is part of `GET /api/clients/{id}`. */
export const revealClient = endpoint({
  method: "POST",
  path: "/api/clients/{id}/revealed",
  permission: ["clients", "forms"],
  params: idParams,
  answer: null,
  errors: ["not_found"],
  audit: { entity: "client", action: "revealed" },
});

export const createClient = endpoint({
  method: "POST",
  path: "/api/clients",
  permission: ["clients", "forms"],
  keys: ["idempotencyKey"],
  body: clientBody,
  answer: client,
  status: 201,
  errors: ["not_found", "conflict_busy"],
  audit: { entity: "client", action: ["created", "viewed"] },
});

export const updateClient = endpoint({
  method: "PUT",
  path: "/api/clients/{id}",
  permission: ["clients", "forms"],
  params: idParams,
  body: clientBody,
  answer: client,
  errors: ["not_found", "conflict_version", "conflict_busy"],
  audit: { entity: "client", action: "updated" },
});

export const removeClient = endpoint({
  method: "DELETE",
  path: "/api/clients/{id}",
  permission: "clients",
  params: idParams,
  answer: null,
  errors: ["not_found", "conflict_in_use"],
  audit: { entity: "client", action: "removed" },
});

/** POST although it changes nothing: in a query string, a survivor's name would appear in the logs of every proxy. */
export const searchClients = endpoint({
  method: "POST",
  path: "/api/clients/search",
  permission: ["clients", "forms"],
  body: clientSearchBody,
  answer: hits,
  audit: { entity: "client", action: "searched" },
});

/** POST although it changes nothing, for the same reason. */
export const similarClients = endpoint({
  method: "POST",
  path: "/api/clients/similar",
  permission: ["clients", "forms"],
  body: clientSimilarBody,
  answer: hits,
  audit: { entity: "client", action: "searched" },
});

/** The first clients by name. To find one among many, use the search. */
export const listClientChoices = endpoint({
  method: "GET",
  path: "/api/resource_lists/clients",
  permission: ["clients", "forms"],
  answer: z.object({ clients: z.array(namedItem), meta: z.object({ truncated: z.boolean() }) }),
  audit: { entity: "client", action: "listed" },
});
