"use client";

import { group, named, SectionFields, type SectionSpec, words } from "@/components/forms/fields";
import { Section } from "@/components/ui/field";
import { type Biographical, STATES } from "@/lib/clients/schema";
import type { FormLists } from "@/lib/lookups/schema";

export const BIOGRAPHICAL_TITLE = "Client Biographical";

export const BIOGRAPHICAL: SectionSpec = {
  groups: [
    group<Biographical>({
      path: "",
      fields: [
        { name: "dateOfBirth", label: "Date of Birth", kind: "date" },
        { name: "ageBracketId", label: "Age Bracket", kind: "select", options: (l) => named(l.ageBrackets) },
        { name: "address", label: "Address", kind: "text" },
        { name: "address2", label: "Address 2", kind: "text" },
        { name: "city", label: "City", kind: "text" },
        { name: "state", label: "State", kind: "select", options: () => words(STATES) },
        { name: "postalCode", label: "Postal Code", kind: "text" },
        { name: "phoneNumber", label: "Phone Number", kind: "text", mask: "phone" },
        { name: "safeToCall", label: "Safe to Call", kind: "check" },
        { name: "fictitiousName", label: "Fictitious Name", kind: "check" },
      ],
    }),
  ],
};

/**
 * The biographical fields of a client (spec §3) at `namePrefix`, such as "client.clientBiographicalEntry", as a
 * card inside a FormProvider; values start from `biographical.defaults()`.
 */
export function BiographicalSection({ namePrefix, lists }: { namePrefix: string; lists: FormLists }) {
  return (
    <Section title={BIOGRAPHICAL_TITLE}>
      <SectionFields spec={BIOGRAPHICAL} prefix={namePrefix} lists={lists} />
    </Section>
  );
}
