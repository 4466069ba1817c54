import { toNestErrors } from "@hookform/resolvers";
import type { FieldErrors, FieldValues, Resolver } from "react-hook-form";
import * as z from "zod/mini";
import { unfitTexts } from "@/lib/core/fields/masked";
import { fieldErrors, problemsOnWire } from "@/lib/core/fields/problems";
import { plainPath } from "@/lib/core/fields/wire-names";

/**
 * Returns a schema as react-hook-form's resolver, with the server's messages and the screen's own paths. `more` returns
 * further problems of valid values, and `stored` the record that is edited.
 */
export function schemaResolver<Values extends FieldValues, Output>(
  schema: z.core.$ZodType<Output>,
  more: (values: Output) => Record<string, string> = () => ({}),
  stored: () => object | null = () => null,
): Resolver<Values, unknown, Output> {
  return async (values, _context, options) => {
    const parsed = z.safeParse(schema, values);
    const problems = {
      ...problemsOnWire(schema, unfitTexts(schema, values, { path: "", stored: [stored()] })),
      ...(parsed.success ? more(parsed.data) : fieldErrors(schema, parsed.error)),
    };
    if (parsed.success && Object.keys(problems).length === 0) return { values: parsed.data, errors: {} };
    const errors: FieldErrors = {};
    for (const [path, message] of Object.entries(problems)) {
      errors[plainPath(path)] = { type: "invalid", message };
    }
    return { values: {}, errors: toNestErrors(errors, options) };
  };
}
