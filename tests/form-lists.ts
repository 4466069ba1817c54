import { lookups } from "@/lib/lookups/registry";
import { formListKeys } from "@/lib/lookups/resources/schema";
import type { FormLists } from "@/lib/lookups/schema";

const NAMES = [...formListKeys.map((key) => lookups[key].plural), "formTypes"];

/** The lists that the form screen offers, empty except for the given ones. */
export const formListsOf = (given: Partial<FormLists>): FormLists =>
  ({ ...Object.fromEntries(NAMES.map((name) => [name, []])), ...given }) as FormLists;
