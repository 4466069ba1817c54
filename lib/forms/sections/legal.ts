import { z } from "zod";
import { flag, id, text } from "@/lib/fields/validation";
import type { FormTypeFlags } from "@/lib/forms/types";

export const LEGAL_PLACES = [
  { value: "M", label: "Magisterial Court" },
  { value: "CT", label: "PFA Court" },
  { value: "PF", label: "Police Facility" },
] as const;

const pfaCourt = z.object({
  id: id().optional(),
  pfaCourtContactTypeId: id(),
  pfaGranted: flag(),
  firstPfa: flag(),
});

const magisterial = z.object({
  id: id().optional(),
  magisterialCourtOutcomeId: id(),
  magisterialCourtOutcomeOther: text(),
  firstCriminalCourt: flag(),
});

const schema = z.object({
  id: id().optional(),
  evaluationGiven: flag(),
  placeOfService: z.enum(["M", "CT", "PF"]),
  placeOfServiceName: text(),
  pfaCourtEntry: pfaCourt.nullish(),
  magisterialEntry: magisterial.nullish(),
});

export type LegalEntry = z.output<typeof schema>;
type Place = { placeOfService: string | null };

const isMagisterial = (entry: Place) => entry.placeOfService === "M";
const isPfaCourt = (entry: Place) => entry.placeOfService === "CT";

/** Legal advocacy with its court-outcome or PFA-court sub-section (spec §3, §4, §5, §9). */
export const legal = {
  shows: (type: FormTypeFlags) => type.legalAdvocacyEntry,
  schema,
  isMagisterial,
  isPfaCourt,
  defaults: () => ({
    evaluationGiven: false,
    placeOfService: null,
    placeOfServiceName: "",
    pfaCourtEntry: null,
    magisterialEntry: null,
  }),
  pfaCourtDefaults: () => ({ pfaCourtContactTypeId: null, pfaGranted: false, firstPfa: false }),
  magisterialDefaults: () => ({
    magisterialCourtOutcomeId: null,
    magisterialCourtOutcomeOther: "",
    firstCriminalCourt: false,
  }),
  /** The path of the field that the place of service asks for while there is no entry that holds it; else null. */
  missing: (entry: Place & { pfaCourtEntry?: unknown; magisterialEntry?: unknown }): string | null => {
    if (isMagisterial(entry) && !entry.magisterialEntry) return "magisterialEntry.magisterialCourtOutcomeId";
    return isPfaCourt(entry) && !entry.pfaCourtEntry ? "pfaCourtEntry.pfaCourtContactTypeId" : null;
  },
  /** Magisterial Court clears the PFA court entry, any other place the magisterial one; a police facility has neither. */
  clear: <Entry extends Place & { pfaCourtEntry?: unknown; magisterialEntry?: unknown }>(
    entry: Entry,
  ): Entry => ({
    ...entry,
    pfaCourtEntry: isPfaCourt(entry) ? entry.pfaCourtEntry : null,
    magisterialEntry: isMagisterial(entry) ? entry.magisterialEntry : null,
  }),
};
