import { GENDERS } from "@/lib/clients/words";
import { choice, count, day, flag, lookup, minutes, record, version } from "@/lib/core/fields/vocabulary";
import { declareRecord } from "@/lib/core/records/declaration";
import { today } from "@/lib/core/text/format";
import type { RecordOf } from "@/lib/declared-records/api-schema";

const harmless = { inErrorReports: true } as const;
/** Only a request for shelter has these fields. */
const ofRequest = { dependsOn: { boxes: ["shelterRequested"] }, ...harmless };

/**
 * A contact. It has no field for a name, a phone number, an address, or free text, and must never get one. No one can
 * find out who called.
 */
export const contactSchema = record("Contact", "contacts", {
  contactedOn: day("Date", { required: true, initial: today, sensitive: false, ...harmless }),
  contactKindId: lookup("contact_kinds", "Kind", { required: true, ...harmless }),
  number: count("How Many", { min: 1, max: 500, ...harmless }),
  minutes: minutes("Minutes", harmless),
  ageBracketId: lookup("age_brackets", "Age Bracket", harmless),
  gender: choice(GENDERS, "Gender", { blank: "Unknown", ...harmless }),
  referralSourceId: lookup("referral_sources", "Referral Source", harmless),
  shelterRequested: flag("Shelter Requested", harmless),
  adults: count("Adults", ofRequest),
  children: count("Children", ofRequest),
  turnedAwayReason: choice(
    [
      { value: "capacity", label: "No room" },
      { value: "not_appropriate", label: "Not appropriate" },
      { value: "other", label: "Other reason" },
    ],
    "Turned Away",
    { blank: "", ...ofRequest },
  ),
  lockVersion: version(),
});

/** A contact as returned. `formId` is null also if the form's client is hidden from the caller. */
export type Contact = RecordOf<typeof contactSchema> & { formId: number | null };

export const contacts = declareRecord({
  entity: "contact",
  plural: "contacts",
  schema: contactSchema,
  permission: "contacts",
  words: {
    title: "Contacts",
    record: "contact",
    notice: "No name, phone number, address, or text about a caller is stored.",
  },
  day: "contactedOn",
  seenBy: "owner",
  columns: ["contactedOn", "contactKindId", "number", "minutes"],
  filters: ["contactKindId"],
  searched: ["contactKindId"],
});
