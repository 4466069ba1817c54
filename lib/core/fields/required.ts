import { currentDefinitions, type OwnField } from "@/lib/core/fields/definitions";
import { today } from "@/lib/core/fields/format";
import { hasOwnValue } from "@/lib/core/fields/own";
import { isRecord } from "@/lib/core/fields/plain";
import { REQUIRED } from "@/lib/core/fields/words";

// The rules of fields that the organization requires or retires, for the screens and the server.

/** True if a field that is required from that day on is required on `day`. */
export const isRequiredOn = (requiredFrom: string | null, day: string | null): boolean =>
  requiredFrom !== null && day !== null && day >= requiredFrom;

/** True if a field or a choice is no longer asked. */
export const isRetired = ({ retiredFrom }: { retiredFrom?: string | null }): boolean =>
  typeof retiredFrom === "string" && retiredFrom <= today();

/** True if the own field must have a value on `day`. A box always has one. */
export const requiresOwn = (field: OwnField, day: string | null): boolean =>
  field.kind !== "flag" && !isRetired(field) && isRequiredOn(field.requiredFrom, day);

/** Returns the required own fields that a form lacks, as `{path: problem}`. `asks` decides which the form has. */
export function missingOwnOfForm(
  form: { serviceOn: string | null; custom?: unknown },
  asks: (field: OwnField) => boolean,
): Record<string, string> {
  const custom = isRecord(form.custom) ? form.custom : {};
  const missing = currentDefinitions().fields.filter(
    (field) =>
      field.record === "form" &&
      requiresOwn(field, form.serviceOn) &&
      asks(field) &&
      !hasOwnValue(custom[field.key]),
  );
  return Object.fromEntries(missing.map(({ key }) => [`form.custom.${key}`, REQUIRED]));
}

/**
 * Returns the required own fields of a client that were sent without a value, as `{path: problem}`. A field that was not
 * sent, or that had no value before, is not required.
 */
export function missingOwnOfClient(
  stored: { custom?: unknown } | null,
  sent: { custom?: unknown },
): Record<string, string> {
  const custom = isRecord(sent.custom) ? sent.custom : {};
  const before = isRecord(stored?.custom) ? stored.custom : {};
  const missing = currentDefinitions().fields.filter(
    (field) =>
      field.record === "client" &&
      requiresOwn(field, today()) &&
      Object.hasOwn(custom, field.key) &&
      !hasOwnValue(custom[field.key]) &&
      (stored === null || hasOwnValue(before[field.key])),
  );
  return Object.fromEntries(missing.map(({ key }) => [`client.custom.${key}`, REQUIRED]));
}
