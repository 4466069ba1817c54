import type { FieldValues, Path, UseFormReturn } from "react-hook-form";
import { ApiError, messagesOf } from "@/lib/core/api/client";

/**
 * Shows the errors of a failed call at their fields and focuses the first. Returns all messages for an `ErrorAlert`.
 * With `prefix` "form", the server's `form.serviceOn` is the field `serviceOn`.
 */
export function applyServerErrors<Values extends FieldValues, Output>(
  form: UseFormReturn<Values, unknown, Output>,
  error: unknown,
  prefix?: string,
): string[] {
  const fields = error instanceof ApiError ? Object.entries(error.fields) : [];
  fields.forEach(([path, message], index) => {
    const name = prefix && path.startsWith(`${prefix}.`) ? path.slice(prefix.length + 1) : path;
    form.setError(name as Path<Values>, { type: "server", message }, { shouldFocus: index === 0 });
  });
  return messagesOf(error);
}
