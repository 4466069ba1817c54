import { z } from "zod/mini";
import { GENDERS } from "@/lib/clients/words";
import { CONTACT_LABELS, NUMBER_MAX, TURNED_AWAY_REASONS } from "@/lib/contacts/words";
import { today } from "@/lib/core/fields/format";
import { id } from "@/lib/core/fields/validation";
import {
  choice,
  count,
  day,
  flag,
  lookup,
  minutes,
  optionalInPut,
  record,
  version,
} from "@/lib/core/fields/vocabulary";

const harmless = { inErrorReports: true } as const;

/**
 * A contact. It has no field for a name, a phone number, an address, or free text, and must never get one. No one can
 * find out who called. Fields missing from an update keep their values.
 */
export const contactSchema = record("Contact", "contacts", {
  contactedOn: day(CONTACT_LABELS.contactedOn, {
    required: true,
    initial: today,
    sensitive: false,
    ...harmless,
  }),
  contactKindId: lookup("contact_kinds", CONTACT_LABELS.contactKind, { required: true, ...harmless }),
  number: optionalInPut(count(CONTACT_LABELS.number, { min: 1, max: NUMBER_MAX, ...harmless })),
  minutes: optionalInPut(minutes(CONTACT_LABELS.minutes, harmless)),
  ageBracketId: optionalInPut(lookup("age_brackets", CONTACT_LABELS.ageBracket, harmless)),
  gender: optionalInPut(choice(GENDERS, CONTACT_LABELS.gender, { blank: "Unknown", ...harmless })),
  referralSourceId: optionalInPut(lookup("referral_sources", CONTACT_LABELS.referralSource, harmless)),
  shelterRequested: optionalInPut(flag(CONTACT_LABELS.shelterRequested, harmless)),
  adults: optionalInPut(count(CONTACT_LABELS.adults, harmless)),
  children: optionalInPut(count(CONTACT_LABELS.children, harmless)),
  turnedAwayReason: optionalInPut(
    choice(TURNED_AWAY_REASONS, CONTACT_LABELS.turnedAwayReason, { blank: "", ...harmless }),
  ),
  lockVersion: version(),
});
export type ContactInput = z.output<typeof contactSchema>;

type ShelterFields = Pick<ContactInput, "shelterRequested" | "adults" | "children" | "turnedAwayReason">;

/** Clears what only a request for shelter has. */
export const clearShelter = <Contact extends ShelterFields>(contact: Contact): Contact =>
  contact.shelterRequested ? contact : { ...contact, adults: 0, children: 0, turnedAwayReason: "" };

/** Returns the fields that are filled in although no shelter was requested, as `{path: problem}`. */
export function withoutRequest(sent: ShelterFields): Record<string, string> {
  const filled = (["adults", "children", "turnedAwayReason"] as const).filter((name) => sent[name]);
  return Object.fromEntries(
    filled.map((name) => [`contact.${name}`, "is allowed only if shelter was requested"]),
  );
}

const named = z.object({ id: id(), name: z.string() });

/** The choices of a contact's fields. */
export const contactChoices = z.object({
  contactKinds: z.array(named),
  ageBrackets: z.array(named),
  referralSources: z.array(z.object({ id: id(), code: z.string() })),
});
export type ContactChoices = z.output<typeof contactChoices>;
