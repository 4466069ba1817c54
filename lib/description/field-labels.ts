import type { z } from "zod/mini";
import { clientSchema } from "@/lib/clients/schema";
import { contactSchema } from "@/lib/contacts/schema";
import { labelsOf } from "@/lib/core/fields/change-words";
import { formSchema } from "@/lib/forms/schema";
import { lookupKeys, lookups } from "@/lib/lookups/registry";
import { staySchema } from "@/lib/shelter/schema";

const SCHEMAS: ReadonlyMap<string, z.core.$ZodType> = new Map<string, z.core.$ZodType>([
  ["client", clientSchema],
  ["contact", contactSchema],
  ["form", formSchema],
  ["stay", staySchema],
  ...lookupKeys.map((key) => [lookups[key].singular, lookups[key].schema] as const),
]);

/**
 * Returns the labels of an audit event's changed fields, such as `Client Name` and `Client Demographics: Ethnicity,
 * Military`.
 */
export const fieldLabels = (fields: readonly string[]): string[] =>
  labelsOf(SCHEMAS.get(fields[0]?.split(".")[0] ?? ""), fields);
