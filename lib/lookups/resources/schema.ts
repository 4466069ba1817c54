import * as z from "zod/mini";
import type { Access } from "@/lib/core/access/permissions";
import { namedItem, person } from "@/lib/core/api/response";
import { byKey, keysOf } from "@/lib/core/objects";
import { formType, lookupItem } from "@/lib/lookups/api-schema";
import { lookupKeys, lookups } from "@/lib/lookups/registry";

/** A list of choices: its key in the response, the schema of an item, and the permission to read it. */
type Resource = { plural: string; item: z.core.$ZodType; permission: Access };

/** The settings lists that forms or clients refer to, except form types, whose choices have only the flags. */
export const formListKeys = lookupKeys.filter(
  (key) => key !== "users" && key !== "roles" && key !== "service_codes" && key !== "form_types",
);
export type FormListKey = (typeof formListKeys)[number];

/** A user as a choice: only the name and `active`. */
export const userOption = z.extend(person, { name: z.string(), active: z.boolean() });
export type UserOption = z.output<typeof userOption>;

/** The lists of `GET /api/resource_lists/{list}`. Clients have their own endpoint, because there are many. */
export const resources = {
  ...byKey(
    formListKeys,
    (key): Resource => ({ plural: lookups[key].plural, item: lookupItem(key), permission: "signed-in" }),
  ),
  form_types: { plural: "formTypes", item: formType, permission: "signed-in" },
  users: {
    plural: "users",
    item: userOption,
    permission: ["clients", "all-forms", "users", "groups", "events"],
  },
  roles: { plural: "roles", item: namedItem, permission: ["users", "roles"] },
  permissions: { plural: "permissions", item: namedItem, permission: "roles" },
} satisfies Record<string, Resource>;

export type ResourceKey = keyof typeof resources;
export const isResourceKey = (list: string): list is ResourceKey => Object.hasOwn(resources, list);
export const resourceKeys = keysOf(resources);
