import "server-only";
import { AppError } from "@/lib/core/api/errors";
import { removedValues } from "@/lib/core/fields/own";

/** Throws 409 if a value was sent for an own field that has been removed since. The message has the field and the value. */
export function assertNoRemovedFields(record: "client" | "form", custom: unknown): void {
  const removed = removedValues(custom);
  if (removed.length === 0) return;
  const fields = removed.map(({ key, label, value }) => [
    `${record}.custom.${key}`,
    `${label} was removed from ${record}s. Its value was: ${[value].flat().join(", ")}`,
  ]);
  throw new AppError(
    "conflict_version",
    fields.map(([, message = ""]) => message),
    { fields: Object.fromEntries(fields) },
  );
}
