import { z } from "zod";
import { meta } from "@/lib/api/list-query";
import { id } from "@/lib/fields/validation";

// Schemas shared by the answers of several endpoints (contract §1).

export const namedItem = z.object({ id: id(), name: z.string() });
/** The part of a user that every signed-in user may see. */
export const person = z.object({ id: id(), firstName: z.string(), lastName: z.string() });
/** ISO 8601 in UTC. */
export const moment = z.iso.datetime();

/** `{"forms": [...], "meta": {...}}`, a page of a list. */
export const listPage = <Name extends string, Item extends z.ZodType>(name: Name, item: Item) =>
  z.object({ [name]: z.array(item), meta } as Record<Name, z.ZodArray<Item>> & { meta: typeof meta });
