import { activities } from "@/lib/activities/record";
import { contacts } from "@/lib/contacts/record";
import { byKey, keysOf } from "@/lib/core/objects";
import type { RecordDeclaration } from "@/lib/core/records/declaration";
import { events } from "@/lib/events/record";
import { outcomeSurveys } from "@/lib/outcomes/record";

// The declared records, by their plural names. To add one, see docs/develop/add-a-record.md.

/** Those whose calls and screens are what their declaration says. */
const plain = { activities, events, outcome_surveys: outcomeSurveys };
const declared = { contacts, ...plain };

export type RecordKey = keyof typeof declared;
export const recordKeys = keysOf(declared);
export const plainRecordKeys = keysOf(plain);
export const records = byKey(recordKeys, (key): RecordDeclaration => declared[key]);
