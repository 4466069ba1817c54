import * as z from "zod/mini";
import { ERROR_STATUS } from "@/lib/core/errors";
import { id } from "@/lib/core/fields/validation";
import { keysOf } from "@/lib/core/objects";

// Schemas shared by the responses of several endpoints.

export const namedItem = z.object({ id: id(), name: z.string() });
/** The part of a user that every signed-in user may see. */
export const person = z.object({ id: id(), firstName: z.string(), lastName: z.string() });
/** ISO 8601 in UTC. */
export const moment = z.iso.datetime();

/** The result for several records: the ids that now have the requested state, and the errors of the others. */
export const outcomes = z.object({
  done: z.array(id()),
  failed: z.array(z.object({ id: id(), error: z.string(), code: z.enum(keysOf(ERROR_STATUS)) })),
});

/** The content types of responses that are files. */
export const fileTypes = z.registry<{ type: string }>();

/** A response that is a file of this content type instead of JSON. */
export function file(type: string): z.ZodMiniString {
  const schema = z.string();
  fileTypes.add(schema, { type });
  return schema;
}
