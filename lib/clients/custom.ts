import { hasCustomValue } from "@/lib/core/fields/custom";
import { currentDefinitions } from "@/lib/core/fields/definitions";
import { requiresCustom } from "@/lib/core/fields/required";
import { REQUIRED } from "@/lib/core/fields/words";
import { isRecord } from "@/lib/core/objects";
import { today } from "@/lib/core/text/format";

/**
 * Returns the custom fields of a client that are required on a day and were sent without a value, as `{path: problem}`. A
 * field that was not sent, or that a stored client had no value for, is not required.
 */
export function missingCustomOfClient(
  stored: { custom?: unknown } | null,
  sent: { custom?: unknown },
  day: string | null = today(),
): Record<string, string> {
  const custom = isRecord(sent.custom) ? sent.custom : {};
  const before = isRecord(stored?.custom) ? stored.custom : {};
  const missing = currentDefinitions().fields.filter(
    (field) =>
      field.record === "client" &&
      requiresCustom(field, day) &&
      Object.hasOwn(custom, field.key) &&
      !hasCustomValue(custom[field.key]) &&
      (stored === null || hasCustomValue(before[field.key])),
  );
  return Object.fromEntries(missing.map(({ key }) => [`client.custom.${key}`, REQUIRED]));
}
