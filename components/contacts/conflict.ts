import { z } from "zod/mini";
import { contactBody, contactValues, type TypedContact } from "@/components/contacts/values";
import type { Choices } from "@/components/record/choices";
import { describeIn } from "@/components/record/field-at";
import { type Conflict, readConflict } from "@/components/record/use-conflict";
import type { Contact } from "@/lib/contacts/api-schema";
import { type ContactChoices, contactSchema } from "@/lib/contacts/schema";
import { call } from "@/lib/core/api/client";

/** The schema of the compared values, for naming fields. */
const RECORD = z.object({ contact: contactSchema });

const choicesIn = ({ contactKinds, ageBrackets, referralSources }: ContactChoices): Choices => ({
  contact_kinds: contactKinds,
  age_brackets: ageBrackets,
  referral_sources: referralSources.map(({ id, code }) => ({ id, name: code })),
});

/** Reads the stored contact and compares it with what was loaded and with what is to be sent. */
export const readContactConflict = (
  base: Contact,
  mine: TypedContact,
  choices: ContactChoices,
  use: (values: TypedContact, stored: Contact) => void,
): Promise<Conflict> => {
  const sent = (contact: Contact): TypedContact => {
    const body = contactBody(contactValues(contact));
    return "contact" in body ? body.contact : mine;
  };
  return readConflict({
    prefix: "contact",
    describe: describeIn(RECORD),
    choices: choicesIn(choices),
    read: async () => (await call("GET /api/contacts/{id}", { params: { id: base.id } })).contact,
    versions: (stored) => ({ base: sent(base), theirs: sent(stored), mine }),
    use,
  });
};
