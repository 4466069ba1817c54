import "server-only";
import { contactStore } from "@/lib/contacts/contacts";
import { byKey } from "@/lib/core/objects";
import { type RecordStore, recordStore } from "@/lib/declared-records/store";
import { eventStore } from "@/lib/events/events";
import { surveyStore } from "@/lib/outcomes/surveys";
import { plainRecordKeys, type RecordKey, records } from "@/lib/records/registry";

/** Those that do more than their declaration says. */
const own: Partial<Record<RecordKey, RecordStore>> = { events: eventStore, outcome_surveys: surveyStore };

/** The reads and writes of each declared record. */
export const recordStores: Record<RecordKey, RecordStore> = {
  contacts: contactStore,
  ...byKey(plainRecordKeys, (key) => own[key] ?? recordStore(records[key])),
};
