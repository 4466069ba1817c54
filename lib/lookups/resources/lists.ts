import "server-only";
import * as z from "zod/mini";
import { auditRead } from "@/lib/audit/record";
import type { NamedItem, SessionUser } from "@/lib/core/access/permissions";
import { assertAllowed, selectForms, visibleFormsWhere } from "@/lib/core/access/scope";
import { namedItem } from "@/lib/core/api/response";
import { textKey } from "@/lib/core/database/folded";
import { columnsJson } from "@/lib/core/database/record-read";
import { recordRows } from "@/lib/core/database/statements";
import { fieldsOf } from "@/lib/core/fields/facts";
import { byKey } from "@/lib/core/objects";
import { jsonObject, type Sql, sql } from "@/lib/core/sql";
import type { ServiceCode } from "@/lib/lookups/api-schema";
import { formType, serviceCode } from "@/lib/lookups/api-schema";
import { type LookupKey, lookups } from "@/lib/lookups/registry";
import {
  formListKeys,
  isResourceKey,
  type ResourceKey,
  resources,
  type UserOption,
  userOption,
} from "@/lib/lookups/resources/schema";
import type { FormLists, LookupChoices } from "@/lib/lookups/schema";
import { lookupStores } from "@/lib/lookups/store";

// The lists that screens offer as choices.

/** SQL for a whole list as one expression; the row's alias is `c`. */
const listOf = (item: { shape: object }, from: Sql, order: Sql): Sql =>
  sql`(SELECT COALESCE(json_agg(${columnsJson(item, "c")} ORDER BY ${order}, c.id), '[]') FROM ${from})`;

const USERS = sql`(SELECT *, first_name || ' ' || last_name AS name FROM users) c`;

const listSql: Record<ResourceKey, Sql> = {
  ...byKey(formListKeys, (key) => lookupStores[key].allSql),
  form_types: listOf(formType, sql`form_types c`, sql`c.sort_order`),
  users: listOf(userOption, USERS, textKey(sql`c.name`)),
  roles: listOf(namedItem, sql`roles c`, textKey(sql`c.name`)),
  permissions: listOf(namedItem, sql`permissions c`, sql`c.id`),
};

/** Returns several resource lists by their plural names, read in one statement. */
export async function resourceLists<Lists = Record<string, unknown[]>>(
  actor: SessionUser,
  keys: readonly ResourceKey[],
): Promise<Lists> {
  for (const key of keys) assertAllowed(actor, resources[key].permission);
  const columns = Object.fromEntries(keys.map((key) => [resources[key].plural, listSql[key]]));
  const [row] = await recordRows<{ lists: Lists & { users?: UserOption[] } }>(
    "choices",
    sql`SELECT ${jsonObject(columns)} AS lists`,
  );
  if (!row) throw new Error("A SELECT without FROM returned no row");
  // A list of users is recorded in the audit trail like any other.
  const { lists } = row;
  const userIds = lists.users?.map(({ id }) => id);
  if (userIds) await auditRead(actor, { action: "listed", entity: "user", shown: userIds });
  return lists;
}

/** Returns one resource list as the API does: `{"ageBrackets": […]}`. */
export const resourceList = (actor: SessionUser, key: ResourceKey): Promise<Record<string, unknown[]>> =>
  resourceLists(actor, [key]);

/** Returns all lists that the form and client screens offer, read in one statement. */
export const formLists = (actor: SessionUser): Promise<FormLists> =>
  resourceLists(actor, [...formListKeys, "form_types"]);

/** Returns the choices on the form screen of a settings list. */
export async function choicesFor(actor: SessionUser, key: LookupKey): Promise<LookupChoices> {
  const lists = fieldsOf(lookups[key].schema)
    .flatMap(({ facts }) => ("list" in facts ? facts.list : []))
    .filter(isResourceKey);
  return Object.fromEntries(
    await Promise.all(lists.map(async (list) => [list, Object.values(await resourceList(actor, list))[0]])),
  );
}

/** Returns all form types with only their names. */
export async function formTypeOptions(actor: SessionUser): Promise<NamedItem[]> {
  const { formTypes = [] } = await resourceLists(actor, ["form_types"]);
  return z.array(namedItem).parse(formTypes);
}

/** Returns all users as choices, by name. */
export async function userOptions(actor: SessionUser): Promise<UserOption[]> {
  return (await resourceLists<{ users: UserOption[] }>(actor, ["users"])).users;
}

/** Returns the service codes that the form type offers, sorted by code; none for an unknown type. */
export const serviceCodesFor = (actor: SessionUser, formTypeId: number): Promise<ServiceCode[]> =>
  readServiceCodes(actor, sql`${formTypeId}`);

/** Returns the same for the type of a form that the actor may see. */
export const serviceCodesOfForm = (actor: SessionUser, formId: number): Promise<ServiceCode[]> =>
  readServiceCodes(
    actor,
    sql`(${selectForms(sql`f.form_type_id`, visibleFormsWhere(actor), sql`f.id = ${formId}`)})`,
  );

async function readServiceCodes(actor: SessionUser, formTypeId: Sql): Promise<ServiceCode[]> {
  assertAllowed(actor, "signed-in");
  const codes = await recordRows<{ code: ServiceCode }>(
    "service codes",
    sql`SELECT ${columnsJson(serviceCode, "c")} AS code
     FROM service_codes c JOIN service_code_form_types t ON t.service_code_id = c.id
     WHERE t.form_type_id = ${formTypeId} ORDER BY ${textKey(sql`c.code`)}, c.id`,
  );
  return codes.map(({ code }) => code);
}
