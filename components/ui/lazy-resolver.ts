import type { FieldValues, Resolver } from "react-hook-form";
import type * as z from "zod/mini";
import { whenUsed } from "./when-used";

/** Returns the resolver of `schemaResolver`, but loads the schema when the page is first used. */
export function lazyResolver<Values extends FieldValues, Output>(
  load: () => Promise<z.core.$ZodType<Output>>,
): Resolver<Values, unknown, Output> {
  const loadBoth = () => Promise.all([import("./resolver"), load()]);
  whenUsed(loadBoth);
  return async (...values) => {
    const [{ schemaResolver }, schema] = await loadBoth();
    return schemaResolver<Values, Output>(schema)(...values);
  };
}
