import { GENDERS } from "@/lib/clients/words";
import type { Contact } from "@/lib/contacts/api-schema";
import type { ContactChoices } from "@/lib/contacts/schema";
import { CONTACT_LABELS, TURNED_AWAY_REASONS } from "@/lib/contacts/words";
import { parseDate, parseMinutes, today } from "@/lib/core/fields/format";
import { NOT_A_DATE, REQUIRED } from "@/lib/core/fields/words";

/** A contact as its controls hold it: everything that is typed or chosen is text. */
export type ContactValues = {
  contactedOn: string;
  contactKindId: string;
  number: string;
  minutes: string;
  ageBracketId: string;
  gender: string;
  referralSourceId: string;
  shelterRequested: boolean;
  adults: string;
  children: string;
  turnedAwayReason: string;
};
export type ContactField = keyof ContactValues;
/** Problems by field. */
export type ContactProblems = Partial<Record<ContactField, string>>;

/** Returns a call of today, of the kind that comes first. */
export const newContact = ({ contactKinds }: ContactChoices): ContactValues => ({
  contactedOn: today(),
  contactKindId: String(contactKinds[0]?.id ?? ""),
  number: "1",
  minutes: "",
  ageBracketId: "",
  gender: "Unknown",
  referralSourceId: "",
  shelterRequested: false,
  adults: "",
  children: "",
  turnedAwayReason: "",
});

/** Returns the values for the next contact: the day and the kind stay. */
export const nextContact = (
  choices: ContactChoices,
  { contactedOn, contactKindId }: ContactValues,
): ContactValues => ({ ...newContact(choices), contactedOn, contactKindId });

const text = (value: number | null) => (value === null ? "" : String(value));

/** Returns a stored contact as values of its controls. */
export const contactValues = (contact: Contact): ContactValues => ({
  contactedOn: contact.contactedOn,
  contactKindId: text(contact.contactKindId),
  number: text(contact.number),
  minutes: text(contact.minutes),
  ageBracketId: text(contact.ageBracketId),
  gender: contact.gender,
  referralSourceId: text(contact.referralSourceId),
  shelterRequested: contact.shelterRequested,
  adults: text(contact.adults),
  children: text(contact.children),
  turnedAwayReason: contact.turnedAwayReason,
});

/** A contact as it is sent. */
export type TypedContact = Omit<Contact, "id" | "contactKind" | "formId" | "lockVersion" | "userId" | "user">;

/** Returns the contact to send, or the problems of what cannot be sent. The server checks everything else. */
export function contactBody(
  values: ContactValues,
): { contact: TypedContact } | { problems: ContactProblems } {
  const problems: ContactProblems = {};
  const whole = (name: "number" | "minutes" | "adults" | "children", blank: number) => {
    const typed = values[name].trim();
    const read = name === "minutes" ? parseMinutes(typed) : /^\d*$/.test(typed) ? Number(typed) : Number.NaN;
    if (Number.isNaN(read)) problems[name] = `${CONTACT_LABELS[name]} must be a whole number`;
    return typed === "" ? blank : Number(read);
  };
  const chosen = (id: string) => (id === "" ? null : Number(id));
  const contactedOn = parseDate(values.contactedOn);
  if (contactedOn === null)
    problems.contactedOn = `${CONTACT_LABELS.contactedOn} ${values.contactedOn === "" ? REQUIRED : NOT_A_DATE}`;
  const { shelterRequested } = values;
  const contact: TypedContact = {
    contactedOn: contactedOn ?? "",
    contactKindId: Number(values.contactKindId),
    number: whole("number", 1),
    minutes: whole("minutes", 0),
    ageBracketId: chosen(values.ageBracketId),
    gender: GENDERS.find((gender) => gender === values.gender) ?? "Unknown",
    referralSourceId: chosen(values.referralSourceId),
    shelterRequested,
    adults: shelterRequested ? whole("adults", 0) : 0,
    children: shelterRequested ? whole("children", 0) : 0,
    turnedAwayReason:
      (shelterRequested &&
        TURNED_AWAY_REASONS.find(({ value }) => value === values.turnedAwayReason)?.value) ||
      "",
  };
  return Object.keys(problems).length > 0 ? { problems } : { contact };
}
