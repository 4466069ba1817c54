import { type LookupKey, TRANSITIONAL } from "@/lib/lookups/registry";

// Three lists decide what counts in the FVPSA report. Each record has mappings with dates (lib/reports/mapping.ts), and a new
// one gets the first. Its rule is here, below the reports, because it is needed where a record is saved.

/** The line of a value that deliberately counts nowhere. Unlike an unmapped value, it is not a gap. */
export const NO_LINE = "none";
export const SHELTER_LINE = "shelter";
export const HOTLINE_LINE = "hotline";

type ReportedKind = "contact_kind" | "form_type" | "shelter";

/** Returns the line to which a new record is mapped, until Reports Setup changes it. */
export function newRowLine(kind: ReportedKind, record: Readonly<Record<string, unknown>>): string {
  if (kind === "shelter") return record.kind === TRANSITIONAL ? NO_LINE : SHELTER_LINE;
  return kind === "form_type" && record.phone ? HOTLINE_LINE : NO_LINE;
}

type Reported = {
  kind: ReportedKind;
  /** The rule of `newRowLine`, and what decides for a record that exists. */
  words: { new: string; edit: string };
};

/** The lists whose records are mapped. */
export const REPORTED_LISTS: Readonly<Partial<Record<LookupKey, Reported>>> = {
  contact_kinds: {
    kind: "contact_kind",
    words: {
      new: "In the FVPSA report, a new contact kind does not count as hotline.",
      edit: "Reports Setup decides if this kind counts as hotline in the FVPSA report.",
    },
  },
  form_types: {
    kind: "form_type",
    words: {
      new: "In the FVPSA report, forms of a new type count as hotline if the type has Phone, unless a hotline contact is linked to them.",
      edit: "Reports Setup decides if forms of this type count as hotline in the FVPSA report.",
    },
  },
  shelters: {
    kind: "shelter",
    words: {
      new: `In the FVPSA report, nights in a new shelter count, unless its kind is ${TRANSITIONAL}.`,
      edit: "Reports Setup decides if nights in this shelter count in the FVPSA report.",
    },
  },
};
