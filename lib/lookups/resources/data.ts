import "server-only";
import { z } from "zod";
import { namedItem } from "@/lib/api/answer";
import { auditRead } from "@/lib/audit/record";
import type { NamedItem, SessionUser } from "@/lib/auth/permissions";
import { assertAllowed, visibleFormsWhere } from "@/lib/auth/scope";
import { type Bind, binding } from "@/lib/database/bind";
import { columnsJson } from "@/lib/database/record-read";
import { recordRows } from "@/lib/database/statements";
import { byKey } from "@/lib/fields/by-key";
import { fieldsOf } from "@/lib/fields/facts";
import { lookupStores } from "@/lib/lookups/data";
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
import { formType, type ServiceCode, serviceCode } from "@/lib/lookups/types";

// The lists that screens offer as choices.

/** A whole list as one SQL expression; the row's alias is `c`. */
const listOf = (item: z.ZodObject, from: string, order: string) =>
  `(SELECT COALESCE(json_agg(${columnsJson(item, "c")} ORDER BY ${order}, c.id), '[]') FROM ${from})`;

const USERS = "(SELECT *, first_name || ' ' || last_name AS name FROM users) c";

const listSql: Record<ResourceKey, string> = {
  ...byKey(formListKeys, (key) => lookupStores[key].allSql),
  form_types: listOf(formType, "form_types c", "c.id"),
  users: listOf(userOption, USERS, "lower(c.name)"),
  roles: listOf(namedItem, "roles c", "lower(c.name)"),
  permissions: listOf(namedItem, "permissions c", "c.id"),
};

async function readLists<Lists = Record<string, unknown[]>>(
  actor: SessionUser,
  keys: readonly ResourceKey[],
): Promise<Lists> {
  for (const key of keys) assertAllowed(actor, resources[key].permission);
  const columns = keys.map((key) => `${listSql[key]} AS "${resources[key].plural}"`);
  const [lists] = await recordRows<Lists & { users?: UserOption[] }>(
    "choices",
    `SELECT ${columns.join(", ")}`,
    [],
  );
  if (!lists) throw new Error("A SELECT without FROM returns one row");
  // A list of people is recorded in the audit trail like any other (contract §8).
  const shown = lists.users?.map(({ id }) => id);
  if (shown) await auditRead(actor, { action: "listed", entity: "user", shown });
  return lists;
}

/** One resource list as the API returns it: `{"ageBrackets": […]}` (contract §1). */
export const resourceList = (actor: SessionUser, key: ResourceKey): Promise<Record<string, unknown[]>> =>
  readLists(actor, [key]);

/** All lists that the form and client screens offer, read by one statement. */
export const formLists = (actor: SessionUser): Promise<FormLists> =>
  readLists(actor, [...formListKeys, "form_types"]);

/** The choices on the form screen of a settings list. */
export async function choicesFor(actor: SessionUser, key: LookupKey): Promise<LookupChoices> {
  const lists = fieldsOf(lookups[key].schema)
    .flatMap(({ facts }) => ("list" in facts ? facts.list : []))
    .filter(isResourceKey);
  return Object.fromEntries(
    await Promise.all(lists.map(async (list) => [list, Object.values(await resourceList(actor, list))[0]])),
  );
}

/** All form types with nothing but their names. */
export async function formTypeOptions(actor: SessionUser): Promise<NamedItem[]> {
  const { formTypes = [] } = await readLists(actor, ["form_types"]);
  return z.array(namedItem).parse(formTypes);
}

/** All users as choices, by name (contract §2). */
export async function userOptions(actor: SessionUser): Promise<UserOption[]> {
  return (await readLists<{ users: UserOption[] }>(actor, ["users"])).users;
}

/** The service codes that the form type offers, sorted by code (spec §7); none for an unknown type. */
export const serviceCodesFor = (actor: SessionUser, formTypeId: number): Promise<ServiceCode[]> =>
  readServiceCodes(actor, (bind) => bind(formTypeId));

/** Those for the type of a form that the actor may see. */
export const serviceCodesOfForm = (actor: SessionUser, formId: number): Promise<ServiceCode[]> =>
  readServiceCodes(
    actor,
    (bind) =>
      `(SELECT f.form_type_id FROM forms f WHERE f.id = ${bind(formId)} AND ${visibleFormsWhere(actor, bind)})`,
  );

async function readServiceCodes(
  actor: SessionUser,
  formTypeId: (bind: Bind) => string,
): Promise<ServiceCode[]> {
  assertAllowed(actor, "signed-in");
  const { values, bind } = binding();
  const codes = await recordRows<{ code: ServiceCode }>(
    "service codes",
    `SELECT ${columnsJson(serviceCode, "c")} AS code
     FROM service_codes c JOIN service_code_form_types t ON t.service_code_id = c.id
     WHERE t.form_type_id = ${formTypeId(bind)} ORDER BY lower(c.code), c.id`,
    values,
  );
  return codes.map(({ code }) => code);
}
