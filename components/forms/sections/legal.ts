import { group, named, type SectionSpec } from "@/components/forms/fields";
import { LEGAL_PLACES, type LegalEntry, legal } from "@/lib/forms/sections/legal";

type PfaCourt = NonNullable<LegalEntry["pfaCourtEntry"]>;
type Magisterial = NonNullable<LegalEntry["magisterialEntry"]>;

export const LEGAL: SectionSpec = {
  groups: [
    group<LegalEntry>({
      path: "",
      fields: [
        {
          name: "placeOfService",
          label: "Place of Service",
          kind: "select",
          options: () => [...LEGAL_PLACES],
          required: true,
          clears: true,
        },
        { name: "placeOfServiceName", label: "Place of Service Name", kind: "text" },
        { name: "evaluationGiven", label: "Evaluation Given", kind: "check" },
      ],
    }),
    group<LegalEntry, PfaCourt>({
      path: "pfaCourtEntry",
      legend: "PFA Court",
      shows: legal.isPfaCourt,
      fields: [
        {
          name: "pfaCourtContactTypeId",
          label: "Contact Type",
          kind: "select",
          options: (l) => named(l.pfaCourtContactTypes),
          required: true,
        },
        { name: "pfaGranted", label: "PFA Granted", kind: "check" },
        { name: "firstPfa", label: "First PFA", kind: "check" },
      ],
    }),
    group<LegalEntry, Magisterial>({
      path: "magisterialEntry",
      legend: "Magisterial Court",
      shows: legal.isMagisterial,
      fields: [
        {
          name: "magisterialCourtOutcomeId",
          label: "Outcome",
          kind: "select",
          options: (l) => named(l.magisterialCourtOutcomes),
          required: true,
        },
        { name: "magisterialCourtOutcomeOther", label: "Outcome Other", kind: "text" },
        { name: "firstCriminalCourt", label: "First Criminal Court", kind: "check" },
      ],
    }),
  ],
  // A cleared sub-section is blank rather than absent, so that its fields have values when it comes back.
  clear: (entry: LegalEntry) => {
    const cleared = legal.clear(entry);
    return {
      ...cleared,
      pfaCourtEntry: cleared.pfaCourtEntry ?? legal.pfaCourtDefaults(),
      magisterialEntry: cleared.magisterialEntry ?? legal.magisterialDefaults(),
    };
  },
};
