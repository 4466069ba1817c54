import { z } from "zod";
import { flag, id, longText, optionalId } from "@/lib/fields/validation";
import type { FormTypeFlags } from "@/lib/forms/types";

export const PFA_ORDERS = ["None", "Temporary", "Final"] as const;

const incomeAndEducation = z.object({
  id: id().optional(),
  educationLevelId: optionalId(),
  incomeLevelId: optionalId(),
  tanf: flag(),
  ssiSsd: flag(),
});

const schema = z.object({
  id: id().optional(),
  survivorDrugsAlcohol: flag(),
  offenderDrugsAlcohol: flag(),
  survivorMentalHealth: flag(),
  offenderMentalHealth: flag(),
  currentPfaOrder: z.enum(PFA_ORDERS),
  previousPfas: flag(),
  previousPfasDescription: longText(),
  relatedArrests: flag(),
  relatedArrestsDescription: longText(),
  guns: flag(),
  otherWeapons: flag(),
  lethalityAssessed: flag(),
  incomeAndEducationEntry: incomeAndEducation.nullish(),
});

export type PhoneEntry = z.output<typeof schema>;

/** Phone contact, with income and education (spec §3, §4, §5). */
export const phone = {
  shows: (type: FormTypeFlags) => type.phoneEntry,
  schema,
  defaults: (): PhoneEntry => ({
    ...schema.parse({ currentPfaOrder: "None" }),
    incomeAndEducationEntry: incomeAndEducation.parse({}),
  }),
  /** The descriptions stand only while their boxes are ticked. */
  clear: (entry: PhoneEntry): PhoneEntry => ({
    ...entry,
    previousPfasDescription: entry.previousPfas ? entry.previousPfasDescription : "",
    relatedArrestsDescription: entry.relatedArrests ? entry.relatedArrestsDescription : "",
  }),
};
