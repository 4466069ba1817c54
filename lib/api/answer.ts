import { z } from "zod";
import { meta } from "@/lib/api/list-query";
import { id } from "@/lib/fields/validation";

// The parts that answers are made of (contract §1).

export const namedItem = z.object({ id: id(), name: z.string() });
/** A user as others may know them. */
export const person = z.object({ id: id(), firstName: z.string(), lastName: z.string() });
/** ISO 8601 in UTC. */
export const moment = z.iso.datetime();

/** `{"forms": [...], "meta": {...}}`, a page of a list. */
export const page = <Name extends string, Item extends z.ZodType>(name: Name, item: Item) =>
  z.object({ [name]: z.array(item), meta } as Record<Name, z.ZodArray<Item>> & { meta: typeof meta });
