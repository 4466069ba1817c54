import { activities } from "@/lib/activities/record";
import { byKey, keysOf } from "@/lib/core/fields/by-key";
import type { RecordDeclaration } from "@/lib/core/records/declaration";

// The declared records, by their plural names. To add one, see docs/develop/add-a-record.md.

const declared = { activities };

export type RecordKey = keyof typeof declared;
export const recordKeys = keysOf(declared);
export const records = byKey(recordKeys, (key): RecordDeclaration => declared[key]);
