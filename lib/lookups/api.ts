import * as z from "zod/mini";
import type { AuditAction } from "@/lib/core/api/audit-acts";
import { endpoint } from "@/lib/core/api/endpoint";
import { fileQuery, listFile } from "@/lib/core/api/list-file";
import { idParam, idParams, listPage, type Meta } from "@/lib/core/api/list-query";
import { byKey, keysOf } from "@/lib/core/objects";
import type { LookupItem } from "@/lib/core/records/lookup-item";
import { lookupBody, lookupItem, lookupQuery, serviceCode } from "@/lib/lookups/api-schema";
import { lookupFiles } from "@/lib/lookups/columns";
import { type LookupKey, lookupKeys, lookups } from "@/lib/lookups/registry";
import { type ResourceKey, resourceKeys, resources } from "@/lib/lookups/resources/schema";

const items = byKey(lookupKeys, lookupItem);
const one = (key: LookupKey): z.core.$ZodType<Record<string, LookupItem>> =>
  z.object({ [lookups[key].singular]: items[key] });
const many = (key: LookupKey): z.core.$ZodType<Record<string, LookupItem[] | Meta>> =>
  listPage(lookups[key].plural, items[key]);
const all = (key: ResourceKey): z.core.$ZodType<Record<string, unknown[]>> =>
  z.object({ [resources[key].plural]: z.array(resources[key].item) });

const audit = (key: LookupKey, ...action: AuditAction[]) => ({ entity: lookups[key].singular, action });

/** True if changing the list's records gives or removes permissions. */
const grantsPermissions = (key: LookupKey): boolean => key === "users" || key === "roles";

/** True if flags of the list's records give forms parts that can hold values. */
const hasParts = (key: LookupKey): boolean => key === "form_types" || key === "service_codes";
/** The list's records can be in use in ways that refuse a change. */
const refusesChanges = (key: LookupKey): boolean => hasParts(key) || key === "outcome_questions";
const ASKED =
  "A second active question of a measure, and other words or another measure of a question with answers, are 409 `conflict_in_use`.";
const TAKING =
  "Omitted flags stay as they are. If a flag is taken away although forms have values there, the response is 409 `conflict_in_use` with the number of these forms, and nothing changes. With `confirmed: true` the change is saved, and the forms keep their values.";

export const listLookup = byKey(lookupKeys, (key) =>
  endpoint(`GET /api/${key}`, {
    permission: lookups[key].permission,
    query: lookupQuery(key),
    response: many(key),
    audit: { entity: lookups[key].singular, action: ["listed", "searched"] },
  }),
);

export const exportLookup = byKey(keysOf(lookupFiles), (name) => {
  const { list, format } = lookupFiles[name];
  const { permission, singular: entity } = lookups[list];
  return listFile(`/api/${list}`, format, { permission, entity, query: fileQuery(lookupQuery(list)) });
});

export const getLookup = byKey(lookupKeys, (key) =>
  endpoint(`GET /api/${key}/{id}`, {
    permission: lookups[key].permission,
    params: idParams,
    response: one(key),
    errors: ["not_found"],
    audit: audit(key, "viewed"),
  }),
);

export const createLookup = byKey(lookupKeys, (key) =>
  endpoint(`POST /api/${key}`, {
    permission: lookups[key].permission,
    body: lookupBody(key),
    response: one(key),
    status: 201,
    errors: ["conflict_busy", ...(key === "outcome_questions" ? (["conflict_in_use"] as const) : [])],
    about: key === "outcome_questions" ? ASKED : undefined,
    proof: grantsPermissions(key),
    audit: audit(key, "created"),
  }),
);

export const updateLookup = byKey(lookupKeys, (key) =>
  endpoint(`PUT /api/${key}/{id}`, {
    permission: lookups[key].permission,
    params: idParams,
    body: lookupBody(key),
    response: one(key),
    about: hasParts(key) ? TAKING : key === "outcome_questions" ? ASKED : undefined,
    errors: ["not_found", "conflict_busy", ...(refusesChanges(key) ? (["conflict_in_use"] as const) : [])],
    proof: grantsPermissions(key),
    audit:
      key === "users"
        ? audit(key, "updated", "viewed", "deactivated", "reactivated")
        : audit(key, "updated", "viewed"),
  }),
);

export const removeLookup = byKey(lookupKeys, (key) =>
  endpoint(`DELETE /api/${key}/{id}`, {
    permission: lookups[key].permission,
    params: idParams,
    response: null,
    errors: ["not_found", "conflict_in_use", "invalid"],
    proof: grantsPermissions(key),
    audit: audit(key, "removed"),
  }),
);

const ofAccount = {
  permission: "users",
  params: idParams,
  response: null,
  errors: ["not_found"],
  proof: true,
  audit: { entity: "user", action: "updated" },
} as const;
export const endUserSessions = endpoint("DELETE /api/users/{id}/sessions", ofAccount);
export const resetUserTwoStep = endpoint("DELETE /api/users/{id}/two_step", ofAccount);

export const setUserActive = endpoint("PUT /api/users/{id}/active", {
  about:
    "Deactivates or reactivates an account and changes nothing else. `PUT /api/users/{id}` can also do this, together with other fields.",
  permission: "users",
  params: idParams,
  body: z.object({ active: z.boolean({ error: "must be true or false" }) }),
  response: one("users"),
  errors: ["not_found", "conflict_busy"],
  proof: true,
  audit: audit("users", "updated", "viewed", "deactivated", "reactivated"),
});

export const resetUserPassword = endpoint("POST /api/users/{id}/reset_password", {
  permission: "users",
  tokens: false,
  about:
    "Mails the user a link to set a new password. A user who has not activated the account yet gets a new invitation instead, and the earlier one stops working. At most 5 such mails go to an account in an hour.",
  params: idParams,
  response: null,
  errors: ["not_found", "too_many"],
  audit: { entity: "user", action: "reset-sent" },
});

export const listResource = byKey(resourceKeys, (key) =>
  endpoint(`GET /api/resource_lists/${key}`, {
    permission: resources[key].permission,
    response: all(key),
    audit: key === "users" ? { entity: "user", action: "listed" } : undefined,
  }),
);

export const listServiceCodesOfType = endpoint("GET /api/resource_lists/service_codes/{formTypeId}", {
  permission: "signed-in",
  params: z.object({ formTypeId: idParam }),
  response: z.object({ serviceCodes: z.array(serviceCode) }),
});
