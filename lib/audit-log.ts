import type { z } from "zod/mini";
import { labelsOf } from "@/lib/audit/change-words";
import { recordWords } from "@/lib/audit/words";
import { clientSchema } from "@/lib/clients/schema";
import { contactSchema } from "@/lib/contacts/schema";
import { endpoints } from "@/lib/endpoints";
import { formSchema } from "@/lib/forms/schema";
import { lookupKeys, lookups } from "@/lib/lookups/registry";
import { recordKeys, records } from "@/lib/records/registry";
import { staySchema } from "@/lib/shelter/schema";

// The Audit Log's words for the records of all modules.

const SCHEMAS: ReadonlyMap<string, z.core.$ZodType> = new Map<string, z.core.$ZodType>([
  ["client", clientSchema],
  ["contact", contactSchema],
  ["form", formSchema],
  ["stay", staySchema],
  ...recordKeys.map((key) => [records[key].entity, records[key].schema] as const),
  ...lookupKeys.map((key) => [lookups[key].singular, lookups[key].schema] as const),
]);

/**
 * Returns the labels of an audit event's changed fields, such as `Client Name` and `Client Demographics: Ethnicity,
 * Military`.
 */
export const fieldLabels = (fields: readonly string[]): string[] =>
  labelsOf(SCHEMAS.get(fields[0]?.split(".")[0] ?? ""), fields);

const declaredEntities = endpoints.flatMap(({ audit }) => (audit ? [audit.entity].flat() : []));

/**
 * The options of the Audit Log's filter by record: all kinds in the audit trail. `auditMonth` events come from the
 * database.
 */
export const recordOptions = [...new Set([...declaredEntities, "auditMonth"])]
  .map((entity) => ({ value: entity, label: recordWords(entity, null) }))
  .sort((one, other) => one.label.localeCompare(other.label));
