import { section } from "@/components/record/section";
import { blanksOf } from "@/lib/core/fields/shapes";
import { legal } from "@/lib/forms/sections/legal";

export const LEGAL = section(
  "form.intakeForm.legalAdvocacyEntry",
  legal.schema,
  ({ fields, entry }) => [
    fields(["placeOfService", "placeOfServiceName", "evaluationGiven"]),
    entry("pfaCourtEntry", ["pfaCourtContactTypeId", "pfaGranted", "firstPfa"], { shows: legal.isPfaCourt }),
    entry(
      "magisterialEntry",
      ["magisterialCourtOutcomeId", "magisterialCourtOutcomeOther", "firstCriminalCourt"],
      { shows: legal.isMagisterial },
    ),
  ],
  {
    // A cleared sub-section is blank rather than absent, so that its fields have values when it is shown again.
    clear: (entry) => {
      const cleared = legal.clear(entry);
      const blank = blanksOf(legal.schema);
      return {
        ...cleared,
        pfaCourtEntry: cleared.pfaCourtEntry ?? blank.pfaCourtEntry,
        magisterialEntry: cleared.magisterialEntry ?? blank.magisterialEntry,
      };
    },
  },
);
