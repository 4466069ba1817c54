import { FILE_TYPES, type FileFormat } from "@/lib/core/api/list-file";
import { type FileColumn, fieldColumns, ID_COLUMN } from "@/lib/core/fields/columns";
import { byKey, keysOf } from "@/lib/core/objects";
import { type LookupKey, lookupKeys, lookups } from "@/lib/lookups/registry";

/** Returns the columns of a settings list's whole records in an exported file. */
export const lookupColumns = (key: LookupKey): readonly FileColumn[] => [
  ID_COLUMN,
  ...fieldColumns(lookups[key].schema),
];

const fileNames = lookupKeys.flatMap((list) =>
  keysOf(FILE_TYPES).map((format): `${LookupKey}.${FileFormat}` => `${list}.${format}`),
);
/** The list and format of each file: `canines.csv`. */
export const lookupFiles = byKey(fileNames, (name) => {
  const [list, format] = name.split(".") as [LookupKey, FileFormat];
  return { list, format };
});
