import { type FileColumn, fieldColumns, ID_COLUMN } from "@/lib/fields/columns";
import { type LookupKey, lookups } from "@/lib/lookups/registry";

/** The columns of the whole records of a settings list in a file. */
export const lookupColumns = (key: LookupKey): readonly FileColumn[] => [
  ID_COLUMN,
  ...fieldColumns(lookups[key].schema),
];
