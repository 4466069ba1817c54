import { choice, entry, flag, longText, lookup } from "@/lib/core/fields/vocabulary";
import type { FormTypeFlags } from "@/lib/lookups/types";

export const PFA_ORDERS = ["None", "Temporary", "Final"] as const;

const incomeAndEducation = entry("Income and Education", "income_and_education_entries", {
  educationLevelId: lookup("education_levels", "Education Level"),
  incomeLevelId: lookup("income_levels", "Income Level"),
  tanf: flag("TANF"),
  ssiSsd: flag("SSI/SSD"),
});

const schema = entry("Phone", "phone_entries", {
  survivorDrugsAlcohol: flag("Survivor Drugs/Alcohol"),
  offenderDrugsAlcohol: flag("Offender Drugs/Alcohol"),
  survivorMentalHealth: flag("Survivor Mental Health"),
  offenderMentalHealth: flag("Offender Mental Health"),
  currentPfaOrder: choice(PFA_ORDERS, "Current PFA Order", {
    initial: "None",
    inErrorReports: true,
    summary: "PFA order: …",
    safety: true,
  }),
  previousPfas: flag("Previous PFAs", { summary: "previous PFAs" }),
  previousPfasDescription: longText("Previous PFAs Description", { dependsOn: { boxes: ["previousPfas"] } }),
  relatedArrests: flag("Related Arrests", { summary: "related arrests", safety: true }),
  relatedArrestsDescription: longText("Related Arrests Description", {
    dependsOn: { boxes: ["relatedArrests"] },
  }),
  guns: flag("Guns", { summary: "guns", safety: true }),
  otherWeapons: flag("Other Weapons", { summary: "other weapons", safety: true }),
  lethalityAssessed: flag("Lethality Assessed", { summary: "lethality assessed" }),
  incomeAndEducationEntry: incomeAndEducation,
});

/** Phone contact, with income and education. */
export const phone = {
  shows: (type: FormTypeFlags) => type.phoneEntry,
  schema,
};
