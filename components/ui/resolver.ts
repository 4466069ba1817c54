import { toNestErrors } from "@hookform/resolvers";
import type { FieldErrors, FieldValues, Resolver } from "react-hook-form";
import type { z } from "zod";
import { plainPath } from "@/lib/core/fields/plain";
import { fieldErrors } from "@/lib/core/fields/problems";

/** Returns a schema as react-hook-form's resolver, with the server's messages and the screen's own paths. */
export function schemaResolver<Values extends FieldValues, Output>(
  schema: z.ZodType<Output>,
): Resolver<Values, unknown, Output> {
  return async (values, _context, options) => {
    const parsed = schema.safeParse(values);
    if (parsed.success) return { values: parsed.data, errors: {} };
    const errors: FieldErrors = {};
    for (const [path, message] of Object.entries(fieldErrors(schema, parsed.error))) {
      errors[plainPath(path)] = { type: "invalid", message };
    }
    return { values: {}, errors: toNestErrors(errors, options) };
  };
}
