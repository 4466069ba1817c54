"use client";

import { group, named, SectionFields, type SectionSpec, words } from "@/components/forms/fields";
import { Section } from "@/components/ui/field";
import { type Demographic, demographic, GENDERS, otherEthnicityId } from "@/lib/clients/schema";
import type { FormLists } from "@/lib/lookups/schema";

export const DEMOGRAPHIC_TITLE = "Client Demographics";

export const DEMOGRAPHIC: SectionSpec = {
  groups: [
    group<Demographic>({
      path: "",
      fields: [
        { name: "ageBracketId", label: "Age Bracket", kind: "select", options: (l) => named(l.ageBrackets) },
        { name: "gender", label: "Gender", kind: "select", options: () => words(GENDERS), noEmpty: true },
        {
          name: "ethnicityId",
          label: "Ethnicity",
          kind: "select",
          options: (l) => named(l.ethnicities),
          clears: true,
        },
        {
          name: "ethnicityOther",
          label: "Ethnicity Other",
          kind: "text",
          shows: (entry, l) =>
            demographic.showsEthnicityOther(entry.ethnicityId, otherEthnicityId(l.ethnicities)),
        },
      ],
    }),
    group<Demographic>({
      path: "",
      columns: 3,
      fields: [
        { name: "lgbt", label: "LGBT", kind: "check" },
        { name: "elderly", label: "Elderly", kind: "check" },
        { name: "remoteArea", label: "Remote Area", kind: "check" },
        { name: "limitedEnglish", label: "Limited English", kind: "check" },
        { name: "immigrant", label: "Immigrant", kind: "check" },
        { name: "homeless", label: "Homeless", kind: "check" },
        { name: "military", label: "Military", kind: "check" },
        { name: "disability", label: "Disability", kind: "check", clears: true },
      ],
    }),
    group<Demographic>({
      path: "",
      legend: "Kinds of Disability",
      columns: 3,
      shows: (entry) => entry.disability,
      fields: [
        { name: "disabilityPhysical", label: "Physical Disability", kind: "check", clears: true },
        {
          name: "disabilityDeaf",
          label: "Deaf",
          kind: "check",
          shows: (entry) => entry.disabilityPhysical,
        },
        { name: "disabilityCognitive", label: "Cognitive Disability", kind: "check" },
        { name: "disabilityMental", label: "Mental Disability", kind: "check" },
      ],
    }),
  ],
  clear: (entry: Demographic, lists) => demographic.clear(entry, otherEthnicityId(lists.ethnicities)),
};

/**
 * The demographic fields of a client (spec §3) with their clearing rules (spec §4) at `namePrefix`, such as
 * "client.clientDemographicEntry", as a card inside a FormProvider; values start from `demographic.defaults()`.
 */
export function DemographicSection({ namePrefix, lists }: { namePrefix: string; lists: FormLists }) {
  return (
    <Section title={DEMOGRAPHIC_TITLE}>
      <SectionFields spec={DEMOGRAPHIC} prefix={namePrefix} lists={lists} />
    </Section>
  );
}
