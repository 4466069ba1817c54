import type { Demographic } from "@/lib/clients/schema";
import { keysOf } from "@/lib/core/objects";
import { date, EARLIEST_DAY } from "@/lib/core/text/format";
import { NO_LINE } from "@/lib/lookups/report-lines";
import { type ReportKey, reports } from "@/lib/reports/definitions";

// Mappings of list values to lines of a report, each valid between two dates.

/** The kinds of values that can be mapped. */
export const MAPPING_KINDS = [
  "service_code",
  "fvpsa_service",
  "victimization",
  "victimization_other",
  "hate_crime",
  "offender_relationship",
  "ethnicity",
  "gender",
  "sex",
  "age_bracket",
  "flag",
  "own_client",
  "own_form",
  "shelter",
  "contact_kind",
  "form_type",
] as const;
export type MappingKind = (typeof MAPPING_KINDS)[number];

/** A value that can be mapped. */
export type Source = { kind: MappingKind; source: string; label: string };

/** The source of kinds that do not distinguish their values: any text that is not blank, any category. */
export const ANY_VALUE = "any";

export type Mapping = {
  kind: MappingKind;
  /**
   * The mapped value: the id of a record of the list, a gender, the name of a checkbox, `ANY_VALUE`, or a value of a
   * custom field (`customSource`).
   */
  source: string;
  /**
   * Only for `KINDS_BY_FORM_TYPE`: the one form type the mapping is for. It takes precedence over a mapping without a form type.
   */
  formTypeId: number | null;
  /** A line's key, or `NO_LINE`. */
  line: string;
  validFrom: string;
  /** The last day; null if there is no end. */
  validThrough: string | null;
};

/** Each kind's name, its sections, and whether a value may count on several lines. */
export const KINDS: Record<MappingKind, { label: string; sections: readonly string[]; several: boolean }> = {
  service_code: {
    label: "Service codes",
    sections: ["compensation", "services_a", "services_b", "services_c", "services_d", "services_e"],
    several: true,
  },
  victimization: { label: "Secondary victimizations", sections: ["victimization"], several: true },
  victimization_other: { label: "Secondary Victimization Other", sections: ["victimization"], several: true },
  hate_crime: { label: "Hate crime categories", sections: ["victimization"], several: true },
  offender_relationship: { label: "Offender relationships", sections: ["victimization"], several: true },
  // One line each, because these sections must add up to the new individuals.
  ethnicity: { label: "Ethnicities", sections: ["race"], several: false },
  gender: { label: "Genders", sections: ["gender"], several: false },
  age_bracket: { label: "Age brackets", sections: ["age"], several: false },
  flag: { label: "Special classifications", sections: ["special"], several: true },
  own_client: { label: "Custom fields of clients", sections: ["special"], several: true },
  own_form: { label: "Custom fields of forms", sections: ["victimization", "special"], several: true },
  fvpsa_service: { label: "Service codes", sections: ["advocacy", "groups"], several: false },
  sex: { label: "Genders", sections: ["sex"], several: false },
  shelter: { label: "Shelters", sections: ["shelter"], several: false },
  contact_kind: { label: "Contact kinds", sections: ["hotline"], several: false },
  form_type: { label: "Form types", sections: ["hotline"], several: false },
};

/** The kinds of values whose mappings may be for one form type. */
export const KINDS_BY_FORM_TYPE: readonly MappingKind[] = ["service_code", "fvpsa_service"];

/** The mappings of another report that a report also uses, by kind. Each kind belongs to only one of the two. */
export const BORROWED: Record<ReportKey, { from: ReportKey; kinds: readonly MappingKind[] }> = {
  pmt: { from: "fvpsa", kinds: ["shelter"] },
  pccd: { from: "fvpsa", kinds: ["shelter"] },
  fvpsa: {
    from: "pmt",
    kinds: [
      "service_code",
      "victimization",
      "victimization_other",
      "hate_crime",
      "offender_relationship",
      "own_form",
    ],
  },
};

/** Returns the source of a value of a custom field: its key for a ticked box, and `key:id` for a choice. */
export const customSource = (key: string, choiceId?: number): string =>
  choiceId === undefined ? key : `${key}:${choiceId}`;

/** Returns the key of the custom field that a source belongs to. */
const customKey = (source: string): string => source.split(":")[0] ?? source;

/**
 * True if the value needs a line: always, except for custom fields. Few of them are for funders, so one needs lines only if
 * another of its values has one.
 */
const needsLine = (
  { kind, source }: Pick<Mapping, "kind" | "source">,
  mappings: readonly Mapping[],
): boolean =>
  (kind !== "own_client" && kind !== "own_form") ||
  mappings.some((mapping) => mapping.kind === kind && customKey(mapping.source) === customKey(source));

/** Returns the lines to which values of a kind can be mapped. */
export const linesFor = (report: ReportKey, kind: MappingKind) =>
  sectionsFor(report, kind).flatMap(({ lines }) => lines);

/** Returns the same by section, because two sections may have lines with the same label. */
export const sectionsFor = (report: ReportKey, kind: MappingKind) =>
  reports[report].sections
    .filter(({ key }) => KINDS[kind].sections.includes(key))
    .map(({ key, title, lines, mappedTo = lines }) => ({
      key,
      title,
      lines: mappedTo.filter(({ isDerived }) => !isDerived),
    }));

/** The words for `NO_LINE`. */
export const NOT_ON_ANY_LINE = "Not on any line";

/**
 * Returns a line's label, with its section if two lines for values of the kind have the same label, because a closed select shows
 * no section. A line that the report no longer has is shown by its key.
 */
export function lineName(report: ReportKey, kind: MappingKind, line: string): string {
  if (line === NO_LINE) return NOT_ON_ANY_LINE;
  const sections = sectionsFor(report, kind);
  const section = sections.find(({ lines }) => lines.some(({ key }) => key === line));
  const label = section?.lines.find(({ key }) => key === line)?.label ?? line;
  const sameLabel = sections.flatMap(({ lines }) => lines).filter((other) => other.label === label);
  return section && sameLabel.length > 1 ? `${label} (${section.title})` : label;
}

/** True if the mapping does not count on all days. */
export const hasDays = ({ validFrom, validThrough }: Mapping): boolean =>
  validFrom !== EARLIEST_DAY || validThrough !== null;

/** Returns the days on which a mapping counts, such as `from 10/01/2026 through 12/31/2026`; "" for all days. */
export const validWords = ({ validFrom, validThrough }: Mapping): string =>
  [
    validFrom === EARLIEST_DAY ? "" : `from ${date(validFrom)}`,
    validThrough === null ? "" : `through ${date(validThrough)}`,
  ]
    .filter(Boolean)
    .join(" ");

/** Returns the kinds of values that count on lines of the report. */
export const kindsIn = (report: ReportKey) =>
  MAPPING_KINDS.filter((kind) => sectionsFor(report, kind).length > 0);

/** True if the mapping is valid on the day. */
export const isValidOn = ({ validFrom, validThrough }: Mapping, day: string): boolean =>
  validFrom <= day && (validThrough === null || day <= validThrough);

// ---- The mappings of a new database, by the names of the seeded lists ----

/** The line of each service code, and the one it has on Phone forms if that differs. */
export const SEEDED_CODES: Record<string, { line: string; onPhone?: string }> = {
  ACCOMPANY: { line: "e10_criminal_advocacy" },
  ASSESS: { line: "c1_crisis_intervention", onPhone: "c2_hotline" },
  "CASE-MGMT": { line: "b4_individual_advocacy" },
  CHILD: { line: "b4_individual_advocacy" },
  COMP: { line: "compensation_applications" },
  "COUNSEL-GRP": { line: "c5_support_groups" },
  "COUNSEL-IND": { line: "c4_individual_counseling" },
  CRIMINAL: { line: "e10_criminal_advocacy" },
  CRISIS: { line: "c1_crisis_intervention", onPhone: "c2_hotline" },
  CUSTODY: { line: "e5_family_law" },
  "EMERG-AID": { line: "c7_emergency_financial" },
  HOSPITAL: { line: "b1_emergency_medical" },
  HOTEL: { line: "d1_emergency_shelter" },
  HOUSING: { line: "d3_relocation" },
  IMMIGRATION: { line: "b6_immigration" },
  INTERPRET: { line: "b10_interpreter" },
  "LAW-ENF": { line: "b3_police_interview" },
  "LEGAL-INFO": { line: "a1_justice_process" },
  "PFA-PREP": { line: "e4_protection_order" },
  "PFA-VIDEO": { line: "e4_protection_order" },
  REFERRAL: { line: "a4_referral_other_services" },
  SAFETY: { line: "c1_crisis_intervention", onPhone: "c2_hotline" },
  SHELTER: { line: "d1_emergency_shelter" },
  TRANSPORT: { line: "b9_transportation" },
};

/** The seeded codes that are neither individual advocacy nor a support group in the FVPSA report. */
export const SEEDED_NO_ADVOCACY = ["HOTEL", "SHELTER", "INTERPRET", "COMP", "EMERG-AID"];
/** The seeded code of support groups. */
export const SEEDED_GROUP = "COUNSEL-GRP";
/** The seeded kinds of contacts that are hotline contacts. */
export const SEEDED_HOTLINE = ["Hotline call", "Text or chat"];

export const SEEDED_SEXES: Record<string, string> = {
  Unknown: "sex_not_reported",
  Male: "sex_male",
  Female: "sex_female",
  Transgender: "sex_not_reported",
  Other: "sex_not_reported",
};

export const SEEDED_ETHNICITIES: Record<string, string> = {
  "American Indian or Alaska Native": "race_american_indian_alaska_native",
  Asian: "race_asian",
  "Black or African American": "race_black_african_american",
  "Hispanic or Latino": "race_hispanic_latino",
  "Middle Eastern or North African": "race_some_other",
  Multiracial: "race_multiple",
  "Native Hawaiian or Pacific Islander": "race_native_hawaiian_pacific_islander",
  White: "race_white_non_latino",
  Other: "race_some_other",
  "Not reported": "race_not_reported",
};

export const SEEDED_GENDERS: Record<string, string> = {
  Unknown: "gender_not_reported",
  Male: "gender_male",
  Female: "gender_female",
  Transgender: "gender_other",
  Other: "gender_other",
};

export const SEEDED_VICTIMIZATIONS: Record<string, string> = {
  "Adult physical assault": "victim_adult_physical_assault",
  "Adult sexual assault": "victim_adult_sexual_assault",
  "Adult survivor of child abuse": "victim_adult_abused_as_child",
  Arson: "victim_arson",
  Bullying: "victim_bullying",
  Burglary: "victim_burglary",
  "Child physical abuse or neglect": "victim_child_physical_abuse_neglect",
  "Child sexual abuse": "victim_child_sexual_abuse",
  "Elder abuse or neglect": "victim_elder_abuse_neglect",
  "Financial exploitation": "victim_identity_theft_fraud",
  Harassment: "victim_stalking_harassment",
  "Human trafficking: labor": "victim_trafficking_labor",
  "Human trafficking: sex": "victim_trafficking_sex",
  "Identity theft": "victim_identity_theft_fraud",
  "Kidnapping or false imprisonment": "victim_kidnapping_noncustodial",
  Robbery: "victim_robbery",
  Stalking: "victim_stalking_harassment",
  Strangulation: "victim_adult_physical_assault",
  "Survivor of a homicide victim": "victim_homicide_survivor",
  "Technology-facilitated abuse": "victim_stalking_harassment",
  "Teen dating violence": "victim_teen_dating",
  "Violation of a PFA order": "victim_domestic_family_violence",
};

const FAMILY = "victim_domestic_family_violence";
export const SEEDED_RELATIONSHIPS: Record<string, string> = {
  Spouse: FAMILY,
  "Former spouse": FAMILY,
  "Intimate partner": FAMILY,
  "Former intimate partner": FAMILY,
  "Dating partner": FAMILY,
  "Co-parent": FAMILY,
  Parent: FAMILY,
  "Step-parent": FAMILY,
  "Adult child": FAMILY,
  Sibling: FAMILY,
  "Other family member": FAMILY,
  "Household member": FAMILY,
  Caregiver: NO_LINE,
  Acquaintance: NO_LINE,
  "Co-worker": NO_LINE,
  Neighbor: NO_LINE,
  Stranger: NO_LINE,
  Unknown: NO_LINE,
};

export const SEEDED_FLAGS = {
  disabilityDeaf: "special_deaf_hard_of_hearing",
  homeless: "special_homeless",
  immigrant: "special_immigrant_refugee_asylum",
  lgbt: "special_lgbtq",
  military: "special_veteran",
  disability: "special_disability",
  limitedEnglish: "special_limited_english",
  elderly: NO_LINE,
  remoteArea: NO_LINE,
} as const satisfies Partial<Record<keyof Demographic, string>>;

/** The checkboxes of a client that can be mapped to special classifications. */
export const FLAGS = keysOf(SEEDED_FLAGS);

/** A value without a mapping. `partly` means that only some form types have one. */
export type Unmapped = Source & { partly: boolean };

/**
 * Returns the values that no mapping covers on the day for forms of every type. A record with such a value has a gap.
 */
export const findUnmapped = (
  sources: readonly Source[],
  mappings: readonly Mapping[],
  day: string,
): Unmapped[] =>
  sources.flatMap((value) => {
    const own = mappings.filter(
      (mapping) => mapping.kind === value.kind && mapping.source === value.source && isValidOn(mapping, day),
    );
    const covered = own.some(({ formTypeId }) => formTypeId === null) || !needsLine(value, mappings);
    return covered ? [] : [{ ...value, partly: own.length > 0 }];
  });
