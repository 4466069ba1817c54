import { choice, entry, flag, lookup, text } from "@/lib/core/fields/vocabulary";
import type { FormTypeFlags } from "@/lib/lookups/types";

/** The place where only codes that can be used before a magistrate count. */
export const MAGISTERIAL_COURT = "M";
export const PFA_COURT = "CT";

export const LEGAL_PLACES = [
  { value: MAGISTERIAL_COURT, label: "Magisterial Court" },
  { value: PFA_COURT, label: "PFA Court" },
  { value: "PF", label: "Police Facility" },
] as const;

const pfaCourt = entry("PFA Court", "pfa_court_entries", {
  pfaCourtContactTypeId: lookup("pfa_court_contact_types", "Contact Type", {
    required: true,
    inErrorReports: true,
    summary: "…",
  }),
  pfaGranted: flag("PFA Granted", { summary: "PFA granted", safety: true }),
  firstPfa: flag("First PFA"),
});

const magisterial = entry("Magisterial Court", "magisterial_entries", {
  magisterialCourtOutcomeId: lookup("magisterial_court_outcomes", "Outcome", {
    required: true,
    inErrorReports: true,
    summary: "outcome: …",
  }),
  magisterialCourtOutcomeOther: text("Outcome Other"),
  firstCriminalCourt: flag("First Criminal Court"),
});

const schema = entry("Legal Advocacy", "legal_advocacy_entries", {
  evaluationGiven: flag("Evaluation Given", { inErrorReports: true, summary: "evaluation given" }),
  placeOfService: choice(LEGAL_PLACES, "Place of Service", { inErrorReports: true, summary: "…" }),
  placeOfServiceName: text("Place of Service Name"),
  pfaCourtEntry: pfaCourt,
  magisterialEntry: magisterial,
});

export type Place = { placeOfService: string | null };

const isMagisterial = (entry: Place) => entry.placeOfService === MAGISTERIAL_COURT;
const isPfaCourt = (entry: Place) => entry.placeOfService === PFA_COURT;

/** Legal advocacy, with an entry for the magisterial court or the PFA court. */
export const legal = {
  shows: (type: FormTypeFlags) => type.legalAdvocacyEntry,
  schema,
  isMagisterial,
  isPfaCourt,
  /** Returns the path of the field that the place of service requires if its entry is missing, or null. */
  missing: (entry: Place & { pfaCourtEntry?: unknown; magisterialEntry?: unknown }): string | null => {
    if (isMagisterial(entry) && !entry.magisterialEntry) return "magisterialEntry.magisterialCourtOutcomeId";
    return isPfaCourt(entry) && !entry.pfaCourtEntry ? "pfaCourtEntry.pfaCourtContactTypeId" : null;
  },
  /**
   * Magisterial Court clears the PFA court entry, and PFA Court the magisterial entry. A police facility, or no place,
   * clears both.
   */
  clear: <Entry extends Place & { pfaCourtEntry?: unknown; magisterialEntry?: unknown }>(
    entry: Entry,
  ): Entry => ({
    ...entry,
    pfaCourtEntry: isPfaCourt(entry) ? entry.pfaCourtEntry : null,
    magisterialEntry: isMagisterial(entry) ? entry.magisterialEntry : null,
  }),
};
