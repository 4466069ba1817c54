import { HOTLINE_LINE, SHELTER_LINE } from "@/lib/lookups/report-lines";
import { MEASURES, type Measure } from "@/lib/lookups/types";
import { SERVICE_KINDS, type ServiceKind } from "@/lib/outcomes/words";

// The funders' reports as data: their lines in order, each with a text that explains how it is counted. The SQL that
// counts is in blocks.ts; the mappings of list values to lines are in mapping.ts.

/**
 * `individuals` and `new` count clients, `times` counts service rows with minutes or other events, `minutes` adds up the
 * minutes of these rows, and `nights` are those of all people in shelter.
 */
export const UNITS = ["individuals", "new", "times", "minutes", "nights"] as const;
export type Unit = (typeof UNITS)[number];

/** True if lines of the unit count each client once, instead of rows, minutes, or nights. */
export const countsClients = (unit: Unit): boolean => unit === "individuals" || unit === "new";

type Line = {
  key: string;
  label: string;
  unit: Unit;
  help: string;
  /** The block that counts the line, if it is not the section's. */
  block?: BlockName;
  /** True if no record of the line has a form type: the line is not shown where one is chosen. */
  withoutFormType?: true;
  /** True if values cannot be mapped to the line, although they can to others of its section. */
  isDerived?: true;
};

/** The SQL that counts the lines of one or several sections. */
export type BlockName =
  | "people"
  | "victimization"
  | "services"
  | "contacts"
  | "victims"
  | "shelter"
  | "advocacy"
  | "events"
  | "surveys";

type Section = {
  key: string;
  title: string;
  block: BlockName;
  lines: readonly Line[];
  /** The lines that values can be mapped to, if they are not `lines`. */
  mappedTo?: readonly Pick<Line, "key" | "label" | "isDerived">[];
};

type ReportDefinition = {
  title: string;
  /** The month in which an individual can be new again, until Settings changes it. */
  yearStart: number;
  /** True if the funder gets whole fiscal years, which are then shared instead of quarters. */
  isYearly: boolean;
  /** The version of the counting rules. Submissions keep the one by which they were counted. */
  rules: number;
  sections: readonly Section[];
  /** An instruction to the reader, shown above the numbers. */
  advice: string | null;
  notes: readonly string[];
};

/**
 * Labels that cannot be derived from the line's key, because of punctuation, capitals or prescribed wording.
 */
const LABELS: Readonly<Record<string, string>> = {
  race_american_indian_alaska_native: "American Indian/Alaska Native",
  race_black_african_american: "Black/African American",
  race_hispanic_latino: "Hispanic/Latino",
  race_native_hawaiian_pacific_islander: "Native Hawaiian/Pacific Islander",
  race_white_non_latino: "White, non-Latino",
  victim_adult_abused_as_child: "Adult abused as child (sexually)",
  victim_child_physical_abuse_neglect: "Child physical abuse/neglect",
  victim_domestic_family_violence: "Domestic/family violence",
  victim_dui_dwi: "DUI/DWI",
  victim_elder_abuse_neglect: "Elder abuse/neglect",
  victim_identity_theft_fraud: "Identity theft/fraud (and financial crime)",
  victim_stalking_harassment: "Stalking/harassment",
  victim_trafficking_labor: "Trafficking (labor)",
  victim_trafficking_sex: "Trafficking (sex)",
  victim_kidnapping_noncustodial: "Kidnapping (noncustodial)",
  victim_kidnapping_custodial: "Kidnapping (custodial)",
  special_deaf_hard_of_hearing: "Deaf/hard of hearing",
  special_immigrant_refugee_asylum: "Immigrant/refugee/asylum",
  special_lgbtq: "LGBTQ",
  special_limited_english: "Limited English",
  a3_referral_victim_programs: "Referral: victim programs",
  a4_referral_other_services: "Referral: other services",
  b7_employer_landlord_school: "Employer/landlord/school",
  b8_child_dependent_care: "Child/dependent care",
  c1_crisis_intervention: "Crisis intervention (in person, safety planning)",
  c3_on_scene_response: "On-scene response",
};

/** Returns the label of a line: its key in words, without `prefix`. */
function labelOf(key: string, prefix: string): string {
  const words = key
    .slice(prefix.length)
    .replace(/^[a-e]\d+_/, "")
    .replaceAll("_", " ");
  return LABELS[key] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns lines whose keys share a prefix. */
const lines = (prefix: string, unit: Unit, help: string, keys: readonly string[]): Line[] =>
  keys.map((key) => ({ key: prefix + key, label: labelOf(prefix + key, prefix), unit, help }));

const SERVED =
  "Each client once, survivor or significant other, with at least one Served or Partially Served form dated in the period that has minutes of a service code.";
const NEW_ONLY =
  "New individuals only, each on exactly one line of this block, so that the block adds up to the new individuals.";
const AS_TODAY = "Based on the client's current record.";
const NOT_REPORTED = `${NEW_ONLY} Asked but not given, left blank, or a value that is not mapped yet.`;
const NOT_TRACKED = `${NEW_ONLY} A value that is mapped here, or no answer where the field was hidden on the day that made the client new: from the day it was hidden to the day before it is shown again.`;
const TIMES =
  "One time for each service row with minutes on a Served or Partially Served form dated in the period, on the line that its code is mapped to on that day.";

function demographicLines(prefix: string, help: string, keys: readonly string[]): Line[] {
  return [
    ...lines(prefix, "new", `${NEW_ONLY} ${help}`, keys),
    ...lines(prefix, "new", NOT_REPORTED, ["not_reported"]),
    ...lines(prefix, "new", NOT_TRACKED, ["not_tracked"]),
  ];
}

/** The age lines and the age in years from which each counts. */
export const AGE_LINES = [
  { key: "age_0_12", label: "0–12", from: 0 },
  { key: "age_13_17", label: "13–17", from: 13 },
  { key: "age_18_24", label: "18–24", from: 18 },
  { key: "age_25_59", label: "25–59", from: 25 },
  { key: "age_60_plus", label: "60 plus", from: 60 },
] as const;
/** The age from which a client is an adult. */
export const ADULT_FROM = 18;
const AGE_HELP =
  "The age on the day that made the client new: by the date of birth, else the demographic age bracket, else the biographical age bracket.";

const VICTIM_HELP =
  "Each served client once per line, on any number of lines. All survivor sections dated in the period count, or else the latest earlier one.";
const SPECIAL_HELP = `Each served client with the box checked, once per line. ${AS_TODAY}`;

const services = (letter: string, title: string, keys: readonly string[]): Section => ({
  key: `services_${letter}`,
  title: `${letter.toUpperCase()}. ${title}`,
  block: "services",
  lines: [
    {
      key: `${letter}_individuals`,
      label: "Individuals who received these services",
      unit: "individuals",
      help: "Each client once with at least one service row on a line of this section.",
      isDerived: true,
    },
    ...lines("", "times", TIMES, keys),
  ],
});

const POPULATION: readonly Line[] = [
  { key: "individuals_served", label: "Individuals served", unit: "individuals", help: SERVED },
  {
    key: "anonymous_contacts",
    label: "Anonymous contacts",
    unit: "times",
    help: "The number of all contacts dated in the period that are linked to no form. None if a form type is chosen, because contacts have none.",
    block: "contacts",
  },
  {
    key: "individuals_new",
    label: "New individuals",
    unit: "new",
    help: "Individuals served whose first counted form of the reporting year is dated in the period. For this, the forms of all advocates count.",
  },
];

const RACE: Section = {
  key: "race",
  title: "Race and ethnicity",
  block: "people",
  lines: demographicLines("race_", AS_TODAY, [
    "american_indian_alaska_native",
    "asian",
    "black_african_american",
    "hispanic_latino",
    "native_hawaiian_pacific_islander",
    "white_non_latino",
    "some_other",
    "multiple",
  ]),
};
const GENDER: Section = {
  key: "gender",
  title: "Gender",
  block: "people",
  lines: demographicLines("gender_", AS_TODAY, ["male", "female", "other"]),
};
const AGE: Section = {
  key: "age",
  title: "Age",
  block: "people",
  lines: [
    ...AGE_LINES.map(
      ({ key, label }): Line => ({ key, label, unit: "new", help: `${NEW_ONLY} ${AGE_HELP}` }),
    ),
    ...demographicLines("age_", AGE_HELP, []),
  ],
};

const PMT_SECTIONS: readonly Section[] = [
  { key: "population", title: "Individuals served", block: "people", lines: POPULATION },
  RACE,
  GENDER,
  AGE,
  {
    key: "victimization",
    title: "Types of victimization",
    block: "victimization",
    lines: [
      ...lines("victim_", "individuals", VICTIM_HELP, [
        "adult_physical_assault",
        "adult_sexual_assault",
        "adult_abused_as_child",
        "arson",
        "bullying",
        "burglary",
        "child_physical_abuse_neglect",
        "child_pornography",
        "child_sexual_abuse",
        "domestic_family_violence",
        "dui_dwi",
        "elder_abuse_neglect",
        "hate_crime",
        "trafficking_labor",
        "trafficking_sex",
        "identity_theft_fraud",
        "kidnapping_noncustodial",
        "kidnapping_custodial",
        "mass_violence",
        "other_vehicular",
        "robbery",
        "stalking_harassment",
        "homicide_survivor",
        "teen_dating",
        "terrorism",
        "other",
      ]),
      {
        key: "victim_multiple",
        label: "Multiple",
        unit: "individuals",
        help: "Each served client who is on two or more of the lines above.",
        isDerived: true,
      },
    ],
  },
  {
    key: "special",
    title: "Special classifications",
    block: "people",
    lines: lines("special_", "individuals", SPECIAL_HELP, [
      "deaf_hard_of_hearing",
      "homeless",
      "immigrant_refugee_asylum",
      "lgbtq",
      "veteran",
      "disability",
      "limited_english",
      "other",
    ]),
  },
  {
    key: "compensation",
    title: "Victim compensation",
    block: "services",
    lines: [
      {
        key: "compensation_applications",
        label: "Individuals assisted with a compensation application",
        unit: "individuals",
        help: "Each client once with a service row of a code that is mapped here.",
      },
    ],
  },
  services("a", "Information and referral", [
    "a1_justice_process",
    "a2_victim_rights",
    "a3_referral_victim_programs",
    "a4_referral_other_services",
  ]),
  services("b", "Personal advocacy and accompaniment", [
    "b1_emergency_medical",
    "b2_forensic_exam_accompaniment",
    "b3_police_interview",
    "b4_individual_advocacy",
    "b5_forensic_exam_performed",
    "b6_immigration",
    "b7_employer_landlord_school",
    "b8_child_dependent_care",
    "b9_transportation",
    "b10_interpreter",
  ]),
  services("c", "Emotional support and safety", [
    "c1_crisis_intervention",
    "c2_hotline",
    "c3_on_scene_response",
    "c4_individual_counseling",
    "c5_support_groups",
    "c6_other_therapy",
    "c7_emergency_financial",
  ]),
  services("d", "Shelter and housing", ["d1_emergency_shelter", "d2_transitional", "d3_relocation"]),
  services("e", "Criminal and civil justice assistance", [
    "e1_event_notification",
    "e2_impact_statement",
    "e3_restitution",
    "e4_protection_order",
    "e5_family_law",
    "e6_other_emergency_justice",
    "e7_immigration_legal",
    "e8_prosecution_interview",
    "e9_police_interview",
    "e10_criminal_advocacy",
    "e11_other_legal",
  ]),
];

const PCCD_POPULATION: readonly Line[] = [
  {
    key: "individuals_continuing",
    label: "Continuing individuals",
    unit: "individuals",
    help: "Individuals served who are not new in the period.",
  },
  {
    key: "individuals_primary",
    label: "Primary victims",
    unit: "individuals",
    help: "Individuals served who are not significant others.",
  },
  {
    key: "individuals_significant_other",
    label: "Significant others",
    unit: "individuals",
    help: "Individuals served who are marked Significant Other.",
  },
];

const VAWA_HELP =
  "Primary victims only, one status each. It depends on their counted forms and all their Not Served forms of the period, even if an advocate or a form type is chosen. Here";
const REASON_HELP =
  "Each primary victim once per reason, over the forms that decide the VAWA status. Reasons without a box here are checked as Other.";

/** The VAWA line of each checkbox of the service status section. */
export const REASON_LINES = {
  appropriateServices: "reason_services_not_appropriate",
  languageCapacities: "reason_language",
  agencyCapacity: "reason_capacity",
  transportationOrAccess: "reason_transportation",
  culturallyAppropriate: "reason_culturally_appropriate",
  disabilities: "reason_disabilities",
  other: "reason_other",
} as const;

/** A line of records that have no form type. */
const typeless = (line: Line): Line => ({ ...line, withoutFormType: true });
const lineFrom = (key: string, label: string, unit: Unit, help: string): Line => ({ key, label, unit, help });

const PEOPLE_OF_EVENTS =
  "People who attended. A series counts its different people once, on the day of the session that has their number, and no one on its other days.";

const PRESENTATIONS: Section = {
  key: "presentations",
  title: "Public presentations",
  block: "events",
  lines: [
    lineFrom(
      "presentations",
      "Presentations",
      "times",
      "Events of the period, for any audience, that explained victimization and referred victims to services. Each session of a series is one.",
    ),
    lineFrom(
      "presentations_people",
      "People at presentations",
      "times",
      `${PEOPLE_OF_EVENTS} At these events.`,
    ),
  ].map(typeless),
};

const PCCD_SECTIONS: readonly Section[] = [
  ...PMT_SECTIONS.map((section) =>
    section.key === "population" ? { ...section, lines: [...POPULATION, ...PCCD_POPULATION] } : section,
  ),
  PRESENTATIONS,
  {
    key: "effort",
    title: "Effort",
    block: "services",
    lines: [
      {
        key: "service_minutes",
        label: "Service minutes",
        unit: "minutes",
        help: "The minutes of all service rows on Served and Partially Served forms; Other Service minutes are not part of it.",
      },
    ],
  },
  {
    key: "vawa",
    title: "VAWA: victims served",
    block: "services",
    lines: [
      { key: "vawa_served", label: "Served", unit: "individuals", help: `${VAWA_HELP} all are Served.` },
      {
        key: "vawa_partially_served",
        label: "Partially served",
        unit: "individuals",
        help: `${VAWA_HELP} neither all Served nor all Not Served.`,
      },
      {
        key: "vawa_not_served",
        label: "Not served",
        unit: "individuals",
        help: `${VAWA_HELP} all are Not Served.`,
      },
    ],
  },
  {
    key: "vawa_reasons",
    title: "VAWA: reasons not served or partially served",
    block: "services",
    lines: Object.values(REASON_LINES).map(
      (key): Line => ({
        key,
        label: labelOf(key, "reason_"),
        unit: "individuals",
        help: REASON_HELP,
      }),
    ),
  },
];

const IN_SCOPE =
  "This report counts victims of domestic and dating violence: clients with domestic or family violence or teen dating violence among their types of victimization, clients with a night in shelter in the period, and clients whose victimization is not recorded.";
const FRESH_HELP =
  "Each client once who has a service or a night in shelter in the period, is in scope, and was not so before in the fiscal year. Adults are 18 or older on the first such day of the period.";
const IN_SHELTER = "with at least one night in the period, wherever else they were served.";
const NIGHTS_EXIST =
  "Nights through today in shelters that are mapped to Shelter. Each night of a client counts once. A stay that ends on the day it began is one night.";
const NIGHTS_HELP = `Nights times people: the client and those who came along. ${NIGHTS_EXIST}`;
const ALONG =
  "People without a client record of their own. They count once for a client and fiscal year: those of the first stay of the year in which someone came along, on the first night of that stay in the year.";
const UNMET = "contacts of the period with a request for shelter that was turned away for lack of beds";
const ADVOCACY =
  "Service rows with minutes of codes that are mapped to these services, on Served or Partially Served forms of the period, of clients in scope. One row is one time.";
const CHILDREN = "Children are under 18 on the day of their first service or night of the year.";
const UNKNOWN_AGES = "Clients of unknown age count as adults.";

/** The lines of new clients by their being in shelter and by age: each of them is on exactly one. */
export const PLACE_LINES = ["shelter", "nonshelter"].flatMap((place) =>
  ["adults", "children", "age_unknown"].map((age) => `${place}_${age}`),
);

const freshLines = (prefix: string, words: string, help: string): Line[] =>
  [
    { key: "adults", label: "Adults" },
    { key: "children", label: "Children" },
    { key: "age_unknown", label: "Age unknown" },
  ].map(({ key, label }) =>
    lineFrom(`${prefix}_${key}`, `${label}, ${words}`, "new", `${FRESH_HELP} ${help}`),
  );

/** Service codes are mapped to these in place of lines, because lines also depend on the age. */
export const INDIVIDUAL_LINE = "individual";
export const GROUP_LINE = "group";

/** The lines of services to clients in scope, by age. */
const serviceLines = (prefix: "advocacy" | "groups"): Line[] => [
  lineFrom(
    `${prefix}_adults_individuals`,
    "Adults who received these services",
    "individuals",
    `Each client once. ${ADVOCACY} ${UNKNOWN_AGES}`,
  ),
  lineFrom(
    `${prefix}_children_individuals`,
    "Children who received these services",
    "individuals",
    `Each client once. ${ADVOCACY} ${CHILDREN}`,
  ),
  lineFrom(`${prefix}_adults_times`, "Services to adults", "times", `${ADVOCACY} ${UNKNOWN_AGES}`),
  lineFrom(`${prefix}_children_times`, "Services to children", "times", `${ADVOCACY} ${CHILDREN}`),
];

/** The lines of events with one audience: how many, and their people. */
const educationLines = (events: string, people: string, audience: string): Line[] => [
  lineFrom(
    events,
    labelOf(events, "education_"),
    "times",
    `Events of the period for ${audience}. Each session of a series is one.`,
  ),
  lineFrom(people, labelOf(people, "education_"), "times", `${PEOPLE_OF_EVENTS} At events for ${audience}.`),
];

/** Returns the line of completed cards of a kind of service, or of their yes answers by measure. */
export const surveyLine = (kind: ServiceKind, what: "completed" | Measure): string =>
  `outcome_${kind}_${what === "completed" ? what : `${what}_yes`}`;

const FVPSA_SECTIONS: readonly Section[] = [
  {
    key: "people",
    title: "People served, new this year",
    block: "victims",
    lines: [
      lineFrom("people_new", "New people", "new", FRESH_HELP),
      ...freshLines("shelter", "in shelter", `Clients ${IN_SHELTER}`),
      ...freshLines("nonshelter", "not in shelter", "Clients without a night in the period."),
      ...[
        lineFrom("along_adults", "Adults who came along", "times", ALONG),
        lineFrom("along_children", "Children who came along", "times", ALONG),
      ].map((line): Line => typeless({ ...line, block: "shelter" })),
      typeless(
        lineFrom(
          "moved_into_shelter",
          "New earlier this year, in shelter for the first time",
          "individuals",
          "Each client once who became new earlier in this fiscal year, had no night in it before the period, and has one in the period.",
        ),
      ),
      lineFrom(
        "people_other_crimes",
        "Served for other crimes, not counted here",
        "individuals",
        `Each client once with a service in the period who is not in scope. ${IN_SCOPE} Clients on this line are on no other line of clients.`,
      ),
    ],
  },
  { ...RACE, block: "victims" },
  {
    key: "sex",
    title: "Sex",
    block: "victims",
    lines: demographicLines("sex_", AS_TODAY, ["male", "female"]),
  },
  { ...AGE, block: "victims" },
  {
    key: "shelter",
    title: "Shelter",
    block: "shelter",
    lines: [
      lineFrom("shelter_people", "Clients in shelter", "individuals", `Each client once ${IN_SHELTER}`),
      lineFrom("shelter_nights", "Shelter nights", "nights", NIGHTS_HELP),
      lineFrom(
        "stays_begun",
        "Stays begun",
        "times",
        `Nights in the period on which a stay begins: the client has no night directly before. A move to another shelter begins none. ${NIGHTS_EXIST}`,
      ),
    ].map(typeless),
    mappedTo: [{ key: SHELTER_LINE, label: "Shelter" }],
  },
  {
    key: "unmet",
    title: "Unmet requests for shelter",
    block: "contacts",
    lines: [
      lineFrom("unmet_requests", "Unmet requests", "times", `The number of all ${UNMET}.`),
      lineFrom(
        "unmet_adults",
        "Adults in unmet requests",
        "times",
        `The adults of all ${UNMET}. They count once a contact, whatever its number.`,
      ),
      lineFrom(
        "unmet_children",
        "Children in unmet requests",
        "times",
        `The children of all ${UNMET}. They count once a contact, whatever its number.`,
      ),
    ].map(typeless),
  },
  {
    key: "hotline",
    title: "Hotline",
    block: "contacts",
    lines: [
      lineFrom(
        "hotline_contacts",
        "Hotline contacts",
        "times",
        "The number of all contacts of the period whose kind is mapped to Hotline, plus one for each form of the period whose type is mapped to Hotline, unless such a contact is linked to it. Forms count with any service status, and calls whatever the crime.",
      ),
    ],
    mappedTo: [{ key: HOTLINE_LINE, label: "Hotline" }],
  },
  {
    key: "advocacy",
    title: "Individual advocacy and counseling",
    block: "advocacy",
    lines: serviceLines("advocacy"),
    mappedTo: [{ key: INDIVIDUAL_LINE, label: "Individual advocacy and counseling" }],
  },
  {
    key: "groups",
    title: "Support groups",
    block: "advocacy",
    lines: serviceLines("groups"),
    mappedTo: [{ key: GROUP_LINE, label: "Support groups" }],
  },
  {
    key: "education",
    title: "Community education",
    block: "events",
    lines: [
      ...educationLines("education_presentations", "education_people", "the general public"),
      ...educationLines("education_youth_presentations", "education_youth_people", "youth"),
      ...educationLines("education_trainings", "education_professionals", "professionals"),
      lineFrom(
        "education_materials",
        labelOf("education_materials", "education_"),
        "times",
        "Pieces handed out at all events of the period.",
      ),
    ].map(typeless),
  },
  {
    key: "outcomes",
    title: "Outcome surveys",
    block: "surveys",
    lines: SERVICE_KINDS.flatMap(({ value, label }) => [
      lineFrom(
        surveyLine(value, "completed"),
        `${label} completed`,
        "times",
        `The cards of all outcome surveys of the period about ${label.toLowerCase()}.`,
      ),
      ...MEASURES.map((measure) =>
        lineFrom(
          surveyLine(value, measure.value),
          `${label} ${measure.value} yes`,
          "times",
          `The yes answers on these cards to the questions that measure ${measure.label.toLowerCase()}, also to those that are no longer asked.`,
        ),
      ),
    ]).map(typeless),
  },
];

/** Limits of the report and of the recorded data. Printed on every report. */
const COUNTS_WHAT_ITS_READER_SEES = "This report counts what its reader may see.";
const NOT_PRORATED =
  "Funding source: forms do not say which grant paid for a service. The report counts all work; nothing is prorated.";
const NEVER_ASKED =
  "“Asked and declined” cannot be distinguished from “never asked”. Both are Not reported. Not tracked stays 0 unless the field is hidden or a value is mapped to it.";
const NOTES: readonly string[] = [
  COUNTS_WHAT_ITS_READER_SEES,
  NOT_PRORATED,
  "County: no county of residence or of the crime is recorded. The recorded city is not used as a county.",
  "Anonymous contacts are calls and visits from people who gave no name. The same person may have called several times. A contact that is linked to a form counts as that form's client instead.",
  NEVER_ASKED,
  "Compensation: the code does not say whether a claim was filed or followed up. Clients of both are counted.",
  "Client data has no history: race, gender, age, and special classifications are today's values. Keep a copy of the figures that you send.",
  "Nothing is presumed: a client without a survivor section is on no line of victimization, and is listed as a gap.",
  "Kidnapping is recorded without custody: it counts as noncustodial unless it is mapped otherwise.",
  "Children and other people in shelter details are not individuals served; each needs a separate client record. Nights are not counted.",
  "The program-wide questions and narratives of the PMT, and “all are new” in a grant's first report, are not part of this report.",
];

const VAWA_NOTE =
  "VAWA: eligibility, program rules, conflict of interest, hours, and child care have no box as reasons here; they are part of Other.";

const COMPARE = "Compare the lines with your state's current form before you submit.";
const FVPSA_NOTES: readonly string[] = [
  COMPARE,
  "The year is not the sum of its quarters: a person counts in shelter for the year if any quarter says so.",
  IN_SCOPE,
  COUNTS_WHAT_ITS_READER_SEES,
  NOT_PRORATED,
  "People who came along to a shelter count in its nights and on their own lines. They are not people served; each needs a separate client record.",
  "Hotline contacts and unmet requests name no one. The same person may have called several times.",
  NEVER_ASKED,
  "Client data has no history: race, sex, and age are today's values. Keep a copy of the figures that you send.",
  "Volunteers and narratives are not part of this report.",
];

export const reports = {
  pmt: {
    title: "OVC PMT (VOCA)",
    yearStart: 10,
    isYearly: false,
    rules: 1,
    sections: PMT_SECTIONS,
    advice: null,
    notes: NOTES,
  },
  pccd: {
    title: "PCCD (Pennsylvania)",
    yearStart: 7,
    isYearly: false,
    rules: 1,
    sections: PCCD_SECTIONS,
    advice: null,
    notes: [...NOTES, VAWA_NOTE],
  },
  fvpsa: {
    title: "FVPSA (shelter and services)",
    yearStart: 10,
    isYearly: true,
    rules: 2,
    sections: FVPSA_SECTIONS,
    advice: COMPARE,
    notes: FVPSA_NOTES,
  },
} as const satisfies Record<string, ReportDefinition>;

export type ReportKey = keyof typeof reports;
export const REPORT_KEYS = ["pmt", "pccd", "fvpsa"] as const satisfies readonly ReportKey[];

/** Returns the blocks of a report, each once. */
export const blocksOf = (report: ReportKey): BlockName[] => [
  ...new Set(
    reports[report].sections.flatMap((section) => section.lines.map(({ block = section.block }) => block)),
  ),
];

/** Returns all lines of a report in order, or only those that a block counts. */
export const linesOf = (report: ReportKey, block?: BlockName): Line[] =>
  reports[report].sections.flatMap((section) =>
    section.lines.filter((line) => block === undefined || (line.block ?? section.block) === block),
  );

/** Returns the sections that a report shows: under a form type, without lines of records that have none. */
export const sectionsIn = (report: ReportKey, formTypeId: number | null): Section[] =>
  reports[report].sections
    .map((section) => ({
      ...section,
      lines: section.lines.filter((line) => formTypeId === null || !line.withoutFormType),
    }))
    .filter(({ lines }) => lines.length > 0);

/** Returns a line of a report with its section and block; undefined if the report has no such line. */
export function lineOf(
  report: ReportKey,
  key: string,
): (Line & { section: Section; block: BlockName }) | undefined {
  for (const section of reports[report].sections) {
    const line = section.lines.find((candidate) => candidate.key === key);
    if (line) return { ...line, section, block: line.block ?? section.block };
  }
  return undefined;
}

/**
 * True if the report counts stays in shelter. Its clients are those with a service or a night, and the lists behind its
 * lines have stays.
 */
export const countsStays = (report: ReportKey): boolean => blocksOf(report).includes("shelter");

/** Returns the word for one of the records behind the lines of a block. Victims and the hotline may have two kinds. */
export function recordName(
  report: ReportKey,
  block: BlockName = "people",
): "form" | "stay" | "contact" | "event" | "survey" | "record" {
  if (block === "events") return "event";
  if (block === "surveys") return "survey";
  if (block === "contacts") return countsStays(report) ? "record" : "contact";
  if (block === "shelter") return "stay";
  return block === "victims" ? "record" : "form";
}

type GapDefinition = {
  field: string;
  label: string;
  /** Completes "the records …". */
  records: string;
  block: BlockName;
  /** The gap is in reports with one of these sections. */
  sections: readonly string[];
  /** Its records are stays instead of those of its block. */
  lists?: "stay";
  /** True if no record of the gap has a form type. */
  withoutFormType?: true;
  /** `{nights}` is replaced with the number of nights after which Home lists an open stay. */
  help: string;
};

const RACE_GAP = {
  field: "race",
  label: "Race and ethnicity",
  records: "with no race or ethnicity",
  sections: ["race"],
  help: "New individuals without an ethnicity, or with one that is not mapped. “Not reported” is an answer.",
} as const;
const AGE_GAP = {
  field: "age",
  label: "Age",
  records: "with no age",
  sections: ["age"],
  help: "New individuals with neither a date of birth on or before the day nor an age bracket that is mapped.",
} as const;
const CODE_GAP = {
  field: "serviceCode",
  label: "Service code",
  records: "with an unmapped service code",
  help: "Forms with minutes of a service code that is not mapped.",
} as const;
const VICTIMIZATION_GAP = {
  field: "victimization",
  label: "Victimization",
  records: "with no victimization",
} as const;

/**
 * Data that clients or forms may lack, and the block that detects it. gap-places.ts has the fields that fill each gap. A
 * report lists those of its blocks.
 */
export const GAPS = [
  { ...RACE_GAP, block: "people" },
  { ...RACE_GAP, block: "victims" },
  {
    field: "gender",
    label: "Gender",
    records: "with no gender",
    block: "people",
    sections: ["gender"],
    help: "New individuals whose gender is Unknown or blank, or not mapped.",
  },
  {
    field: "sex",
    label: "Sex",
    records: "with no sex",
    block: "victims",
    sections: ["sex"],
    help: "New individuals whose gender is Unknown or blank, or not mapped. Transgender and Other are answers.",
  },
  { ...AGE_GAP, block: "people" },
  { ...AGE_GAP, block: "victims" },
  {
    ...VICTIMIZATION_GAP,
    block: "victimization",
    sections: ["victimization"],
    help: "People without a type of victimization: no survivor form, or an answer that has no line.",
  },
  {
    ...VICTIMIZATION_GAP,
    block: "victims",
    sections: ["people"],
    help: "People who count here only because no type of victimization is recorded: no survivor form, or an answer that has no line.",
  },
  {
    field: "ownField",
    label: "Custom field",
    records: "with an unmapped value of a custom field",
    block: "people",
    sections: ["special"],
    help: "Individuals served with a value of a custom field that is not mapped, although other values of the field are.",
  },
  {
    ...CODE_GAP,
    block: "services",
    sections: ["services_a", "services_b", "services_c", "services_d", "services_e"],
  },
  { ...CODE_GAP, block: "advocacy", sections: ["advocacy", "groups"] },
  {
    field: "otherService",
    label: "Other Service",
    records: "with only Other Service minutes",
    block: "services",
    sections: ["population"],
    help: "Served or Partially Served forms with only Other Service minutes, which no line counts.",
  },
  {
    field: "minutes",
    label: "Minutes",
    records: "with no minutes",
    block: "services",
    sections: ["population"],
    help: "Served or Partially Served forms without any minutes, which do not count as a service.",
  },
  {
    field: "shelterService",
    label: "Shelter without a service",
    records: "of stays without a shelter service",
    block: "services",
    sections: ["services_d"],
    lists: "stay",
    withoutFormType: true,
    help: "Clients with a night in shelter in the period and no service on the line Emergency shelter in it.",
  },
  {
    field: "shelterStay",
    label: "Shelter service without a stay",
    records: "without a stay",
    block: "advocacy",
    sections: ["shelter"],
    help: "Forms with a service that OVC PMT counts as emergency shelter, of clients without a night in any shelter on that day or the day before.",
  },
  {
    field: "openSeries",
    label: "Open series",
    records: "of series without the number of people",
    block: "events",
    sections: ["education"],
    withoutFormType: true,
    help: "Events of a series whose latest session was 60 days ago or more, and of which no session says how many different people all of them reached.",
  },
  {
    field: "openStay",
    label: "Open stay",
    records: "of long open stays",
    block: "shelter",
    sections: ["shelter"],
    withoutFormType: true,
    help: "Open for more than {nights}. Have these people left?",
  },
] as const satisfies readonly GapDefinition[];
export type GapField = (typeof GAPS)[number]["field"];
export type Gap = GapDefinition & { field: GapField };
/** Returns the block whose kind of records a gap lists. */
export const listedBlock = ({ block, lists }: Pick<GapDefinition, "block" | "lists">): BlockName =>
  lists === "stay" ? "shelter" : block;
/** Returns the line of `hits` on which a block counts a gap. */
export const gapLine = (field: GapField): string => `gap_${field}`;

/** Returns the gaps that a report lists: those of its sections that its blocks detect. Without those of other form types. */
export const gapsIn = (report: ReportKey, formTypeId: number | null = null): Gap[] =>
  GAPS.filter(
    (gap: Gap) =>
      blocksOf(report).includes(gap.block) &&
      gap.sections.some((section) => reports[report].sections.some(({ key }) => key === section)) &&
      (formTypeId === null || !gap.withoutFormType),
  );
