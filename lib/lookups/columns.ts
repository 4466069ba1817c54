import { FILE_TYPES, type FileFormat } from "@/lib/core/api/list-file";
import { byKey, keysOf } from "@/lib/core/fields/by-key";
import { type FileColumn, fieldColumns, ID_COLUMN } from "@/lib/core/fields/columns";
import { type LookupKey, lookupKeys, lookups } from "@/lib/lookups/registry";

/** The columns of the whole records of a settings list in a file. */
export const lookupColumns = (key: LookupKey): readonly FileColumn[] => [
  ID_COLUMN,
  ...fieldColumns(lookups[key].schema),
];

const fileNames = lookupKeys.flatMap((list) =>
  keysOf(FILE_TYPES).map((format): `${LookupKey}.${FileFormat}` => `${list}.${format}`),
);
/** `canines.csv` → the list and the format. */
export const lookupFiles = byKey(fileNames, (name) => {
  const [list, format] = name.split(".") as [LookupKey, FileFormat];
  return { list, format };
});
