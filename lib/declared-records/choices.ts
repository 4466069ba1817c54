import * as z from "zod/mini";
import type { NamedItem } from "@/lib/core/access/permissions";

/** Some records of lists have a code instead of a name. */
const choices = z.array(
  z.looseObject({ id: z.int(), name: z.optional(z.string()), code: z.optional(z.string()) }),
);

/** Returns the records of a list, as the API returns them, with their names. */
export const namedChoices = (items: unknown): NamedItem[] =>
  z.parse(choices, items ?? []).map((item) => ({ ...item, name: item.name ?? item.code ?? "" }));
