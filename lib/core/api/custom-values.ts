import "server-only";
import * as z from "zod/mini";
import { AppError, invalidFields } from "@/lib/core/errors";
import { type CustomValues, removedValues } from "@/lib/core/fields/custom";
import type { CustomRecord } from "@/lib/core/fields/definitions";
import { fieldErrors } from "@/lib/core/fields/problems";

/**
 * Validates the values of custom fields again, because the definitions may have changed since the request was read. Throws
 * 422, and 409 if a value was sent for a removed field. The message has the field and the value.
 */
export function assertCustomValues(
  record: CustomRecord,
  schema: z.ZodMiniObject<{ custom: z.core.$ZodType<CustomValues | undefined> }>,
  custom: CustomValues | undefined,
): void {
  if (custom === undefined) return;
  const removed = removedValues(custom).map(({ key, label, value }) => [
    `${record}.custom.${key}`,
    `${label} was removed from ${record}s. Its value was: ${[value].flat().join(", ")}`,
  ]);
  if (removed.length > 0)
    throw new AppError(
      "conflict_version",
      removed.map(([, message = ""]) => message),
      { fields: Object.fromEntries(removed) },
    );
  const { error } = z
    .object({ [record]: z.object({ custom: schema.shape.custom }) })
    .safeParse({ [record]: { custom } });
  if (error) throw invalidFields(fieldErrors(z.object({ [record]: schema }), error));
}
