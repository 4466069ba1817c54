import * as z from "zod/mini";
import { FILE_TYPES } from "@/lib/core/api/list-file";
import { byKey, keysOf } from "@/lib/core/objects";
import { plainRecordKeys, recordKeys } from "@/lib/records/registry";

/** The path parameter that names a kind of record. */
export const recordParams = z.object({ records: z.enum(recordKeys) });

/** The list and format of each file: `activities.csv`. */
export const recordFiles = byKey(
  plainRecordKeys.flatMap((list) => keysOf(FILE_TYPES).map((format) => `${list}.${format}` as const)),
  (name) => ({ list: keyIn(plainRecordKeys, name), format: keyIn(keysOf(FILE_TYPES), name) }),
);

function keyIn<Key extends string>(keys: readonly Key[], name: string): Key {
  const key = keys.find((key) => name.split(".").includes(key));
  if (!key) throw new Error(`${name} is no file of a list`);
  return key;
}
