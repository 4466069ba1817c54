import type * as z from "zod/mini";
import { fieldsOf, type ListName } from "@/lib/core/fields/facts";
import { type LookupKey, lookups } from "@/lib/lookups/registry";

/** A list that screens offer as a whole. */
export type ChosenList = Exclude<LookupKey, "service_codes">;
const isChosen = (list: ListName): list is ChosenList =>
  list !== "service_codes" && Object.hasOwn(lookups, list);

/** Returns the lists that the fields are chosen from, also those of rows, each once. */
export function chosenLists(schema: z.core.$ZodType): ChosenList[] {
  const lists = fieldsOf(schema).flatMap(({ facts, schema: field }) => {
    if (facts.kind === "entries") return chosenLists(field);
    return "list" in facts && isChosen(facts.list) ? [facts.list] : [];
  });
  return [...new Set(lists)];
}
