import { group, named, type SectionSpec, words } from "@/components/forms/fields";
import { PFA_ORDERS, type PhoneEntry, phone } from "@/lib/forms/sections/phone";

type Income = NonNullable<PhoneEntry["incomeAndEducationEntry"]>;

export const PHONE: SectionSpec = {
  groups: [
    group<PhoneEntry>({
      path: "",
      fields: [
        {
          name: "currentPfaOrder",
          label: "Current PFA Order",
          kind: "select",
          options: () => words(PFA_ORDERS),
          noEmpty: true,
          required: true,
        },
      ],
    }),
    group<PhoneEntry>({
      path: "",
      fields: [
        { name: "previousPfas", label: "Previous PFAs", kind: "check", clears: true },
        {
          name: "previousPfasDescription",
          label: "Previous PFAs Description",
          kind: "area",
          shows: (entry) => entry.previousPfas,
        },
        { name: "relatedArrests", label: "Related Arrests", kind: "check", clears: true },
        {
          name: "relatedArrestsDescription",
          label: "Related Arrests Description",
          kind: "area",
          shows: (entry) => entry.relatedArrests,
        },
      ],
    }),
    group<PhoneEntry>({
      path: "",
      fields: [
        { name: "survivorDrugsAlcohol", label: "Survivor Drugs/Alcohol", kind: "check" },
        { name: "offenderDrugsAlcohol", label: "Offender Drugs/Alcohol", kind: "check" },
        { name: "survivorMentalHealth", label: "Survivor Mental Health", kind: "check" },
        { name: "offenderMentalHealth", label: "Offender Mental Health", kind: "check" },
        { name: "guns", label: "Guns", kind: "check" },
        { name: "otherWeapons", label: "Other Weapons", kind: "check" },
        { name: "lethalityAssessed", label: "Lethality Assessed", kind: "check" },
      ],
    }),
    group<PhoneEntry, Income>({
      path: "incomeAndEducationEntry",
      legend: "Income and Education",
      fields: [
        {
          name: "educationLevelId",
          label: "Education Level",
          kind: "select",
          options: (l) => named(l.educationLevels),
        },
        {
          name: "incomeLevelId",
          label: "Income Level",
          kind: "select",
          options: (l) => named(l.incomeLevels),
        },
        { name: "tanf", label: "TANF", kind: "check" },
        { name: "ssiSsd", label: "SSI/SSD", kind: "check" },
      ],
    }),
  ],
  clear: (entry: PhoneEntry) => phone.clear(entry),
};
