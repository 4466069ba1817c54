import type { Prisma } from "@/lib/generated/prisma/client";

// The initial data of a new database: form types, and the lists of a Pennsylvania domestic-violence program.
// Administrators own them from then on.

export const formTypes = [
  {
    name: "Phone",
    sortOrder: 10,
    phone: true,
    phoneEntry: true,
    clientDemographicalEntry: true,
    serviceEntry: true,
  },
  {
    name: "On-Call Advocacy",
    sortOrder: 20,
    onCallAdvocacyEntry: true,
    clientBiographicalEntry: true,
    clientDemographicalEntry: true,
    survivorEntry: true,
    serviceEntry: true,
  },
  {
    name: "Legal Advocacy",
    sortOrder: 30,
    legalAdvocacyEntry: true,
    clientBiographicalEntry: true,
    clientDemographicalEntry: true,
    survivorEntry: true,
    serviceEntry: true,
  },
  {
    name: "Survivor",
    sortOrder: 40,
    intakeOnly: true,
    survivorEntry: true,
    clientBiographicalEntry: true,
    clientDemographicalEntry: true,
  },
  { name: "Service", sortOrder: 50, serviceEntry: true },
] as const satisfies readonly Prisma.FormTypeCreateManyInput[];

export type FormTypeName = (typeof formTypes)[number]["name"];

export const ageBrackets = [
  { name: "0–12", rangeStart: 0 },
  { name: "13–17", rangeStart: 13 },
  { name: "18–24", rangeStart: 18 },
  { name: "25–34", rangeStart: 25 },
  { name: "35–44", rangeStart: 35 },
  { name: "45–59", rangeStart: 45 },
  { name: "60 and older", rangeStart: 60 },
];

export const incomeLevels = [
  { name: "Under $10,000", rangeStart: 0 },
  { name: "$10,000–$14,999", rangeStart: 10_000 },
  { name: "$15,000–$24,999", rangeStart: 15_000 },
  { name: "$25,000–$34,999", rangeStart: 25_000 },
  { name: "$35,000–$49,999", rangeStart: 35_000 },
  { name: "$50,000–$74,999", rangeStart: 50_000 },
  { name: "$75,000–$99,999", rangeStart: 75_000 },
  { name: "$100,000 and over", rangeStart: 100_000 },
];

/** Steps of ten leave space for a level in between. */
export const educationLevels = [
  { name: "Less than high school", sortOrder: 10 },
  { name: "Some high school", sortOrder: 20 },
  { name: "High school diploma or GED", sortOrder: 30 },
  { name: "Vocational or trade certificate", sortOrder: 40 },
  { name: "Some college", sortOrder: 50 },
  { name: "Associate degree", sortOrder: 60 },
  { name: "Bachelor's degree", sortOrder: 70 },
  { name: "Graduate or professional degree", sortOrder: 80 },
  { name: "Unknown", sortOrder: 90 },
];

export const ethnicities = [
  "American Indian or Alaska Native",
  "Asian",
  "Black or African American",
  "Hispanic or Latino",
  "Middle Eastern or North African",
  "Multiracial",
  "Native Hawaiian or Pacific Islander",
  "White",
  "Other",
  "Not reported",
];

export const offenderRelationships = [
  "Spouse",
  "Former spouse",
  "Intimate partner",
  "Former intimate partner",
  "Dating partner",
  "Co-parent",
  "Parent",
  "Step-parent",
  "Adult child",
  "Sibling",
  "Other family member",
  "Household member",
  "Caregiver",
  "Acquaintance",
  "Co-worker",
  "Neighbor",
  "Stranger",
  "Unknown",
];

export const custodyStatuses = [
  "No minor children",
  "No custody order",
  "Survivor has sole custody",
  "Survivor has primary custody",
  "Shared custody",
  "Offender has primary custody",
  "Offender has sole custody",
  "Supervised custody",
  "Kinship care",
  "Children and Youth Services placement",
  "Custody petition pending",
];

export const hateCrimeCategories = [
  "Disability",
  "Ethnicity or national origin",
  "Gender",
  "Gender identity",
  "Race",
  "Religion",
  "Sexual orientation",
];

export const secondaryVictimizations = [
  "Adult physical assault",
  "Adult sexual assault",
  "Adult survivor of child abuse",
  "Arson",
  "Bullying",
  "Burglary",
  "Child physical abuse or neglect",
  "Child sexual abuse",
  "Elder abuse or neglect",
  "Financial exploitation",
  "Harassment",
  "Human trafficking: labor",
  "Human trafficking: sex",
  "Identity theft",
  "Kidnapping or false imprisonment",
  "Robbery",
  "Stalking",
  "Strangulation",
  "Survivor of a homicide victim",
  "Technology-facilitated abuse",
  "Teen dating violence",
  "Violation of a PFA order",
];

export const magisterialCourtOutcomes = [
  "Bail conditions: no contact",
  "Bench warrant issued",
  "Charges dismissed",
  "Charges held for court",
  "Charges waived to court",
  "Charges withdrawn",
  "Emergency PFA denied",
  "Emergency PFA granted",
  "Found guilty",
  "Found not guilty",
  "Guilty plea",
  "Hearing continued",
  "Other",
];

export const pfaCourtContactTypes = [
  "Contempt hearing",
  "Continuance",
  "Extension or modification hearing",
  "Final hearing",
  "Petition withdrawn",
  "Settled by agreement",
  "Temporary PFA hearing",
  "Temporary PFA petition",
];

/**
 * Kinds of contacts. Text and chat lines count as hotline: federal reports count every contact with a crisis line, however
 * it is made.
 */
export const activityKinds = [
  "Staff meeting",
  "Supervision",
  "Training received",
  "Travel",
  "Documentation",
  "Administration",
  "Volunteer support",
  "Paid leave",
  "Other",
];

/** The kinds of events that the field's programs report. */
export const eventKinds = [
  "School presentation",
  "Community presentation",
  "Faith community",
  "Health care training",
  "Law enforcement training",
  "Court and legal training",
  "School staff training",
  "Social service training",
  "Workplace presentation",
  "Fair or information table",
  "Vigil or awareness event",
  "Media or social media",
];

/** The questions on outcome cards that FVPSA requires. */
export const outcomeQuestions = [
  {
    name: "Because of these services, I know more ways to plan for my safety.",
    spanish: "Gracias a estos servicios, conozco más maneras de planear mi seguridad.",
    measure: "safety",
  },
  {
    name: "Because of these services, I know more about community resources.",
    spanish: "Gracias a estos servicios, conozco mejor los recursos de la comunidad.",
    measure: "resources",
  },
];

export const contactKinds = [
  { name: "Hotline call" },
  { name: "Text or chat" },
  { name: "Walk-in" },
  { name: "Third party" },
  { name: "Shelter request" },
  { name: "Information only" },
];

/** The destinations of people who leave a shelter. */
export const exitDestinations = [
  "Own home",
  "Family or friends",
  "Rental with a subsidy",
  "Rental without a subsidy",
  "Transitional housing",
  "Another shelter",
  "Hotel or motel",
  "Hospital or treatment",
  "Returned to the abuser",
  "Somewhere else",
  "Unknown",
];

/** "None" is the canine of phone forms. */
export const canines = ["None", "Biscuit", "Clover", "Juniper", "Otis"];

export const referralSources = [
  { code: "CHURCH", description: "**Faith community**: clergy or a congregation." },
  { code: "COURT", description: "**Court**: magisterial district, Common Pleas, or the PFA office." },
  { code: "CYS", description: "**Children and Youth Services**: the county agency." },
  { code: "DA", description: "**District Attorney**: victim/witness office or a prosecutor." },
  { code: "DVP", description: "**Another domestic violence program**, in or outside Pennsylvania." },
  { code: "EMPLOYER", description: "**Employer**: a manager, human resources, or a union." },
  { code: "FRIEND", description: "**Friend or family member**." },
  {
    code: "HEALTH",
    description:
      "**Health care**: hospital, clinic, or private practice.\n\nNames go in *Referral Source Name*.",
  },
  { code: "HOTLINE", description: "**Hotline**: 211, 988, or the national hotline." },
  { code: "LAP", description: "**Lethality Assessment Program**: an officer called from the scene." },
  { code: "LEGAL", description: "**Legal services**: legal aid or a private attorney." },
  { code: "MEDIA", description: "**Media**: web search, poster, radio, or social media." },
  { code: "POLICE", description: "**Law enforcement**: municipal or state police, or the sheriff." },
  { code: "SCHOOL", description: "**School**: a teacher, counselor, or campus office." },
  { code: "SELF", description: "**Self-referred**, including former clients." },
  { code: "SHELTER", description: "**Shelter or housing agency**." },
];

const anyForm = ["Phone", "On-Call Advocacy", "Legal Advocacy", "Service"] as const;
const inPerson = ["On-Call Advocacy", "Legal Advocacy", "Service"] as const;
const court = ["Legal Advocacy", "Service"] as const;

type ServiceCodeSeed = Omit<Prisma.ServiceCodeCreateManyInput, "formTypes"> & {
  formTypes: readonly FormTypeName[];
};

export const serviceCodes: readonly ServiceCodeSeed[] = [
  {
    code: "ACCOMPANY",
    description: "**Court accompaniment**: at the survivor's side before, during, and after a hearing.",
    canBeMagistrate: true,
    formTypes: court,
  },
  {
    code: "ASSESS",
    description: "**Danger assessment** with the survivor.",
    onCallMainType: true,
    formTypes: anyForm,
  },
  {
    code: "CASE-MGMT",
    description: "**Case management**: goals, appointments, paperwork.",
    formTypes: ["Phone", "Service"],
  },
  {
    code: "CHILD",
    description: "**Children's advocacy**: play, support, school contacts.",
    formTypes: inPerson,
  },
  {
    code: "COMP",
    description: "**Victims Compensation Assistance Program**: claim filed or followed up.",
    hasReferral: true,
    formTypes: ["Phone", "Legal Advocacy", "Service"],
  },
  { code: "COUNSEL-GRP", description: "**Support group** session.", formTypes: ["Service"] },
  {
    code: "COUNSEL-IND",
    description: "**Individual counseling**, empowerment based.",
    formTypes: ["Phone", "Service"],
  },
  {
    code: "CRIMINAL",
    description: "**Criminal justice advocacy**: charges, bail, plea, victim impact statement.",
    canBeMagistrate: true,
    formTypes: court,
  },
  {
    code: "CRISIS",
    description: "**Crisis intervention**: the first response to someone in acute distress.",
    onCallMainType: true,
    formTypes: anyForm,
  },
  {
    code: "CUSTODY",
    description: "**Custody and family law information**; no legal advice.",
    hasReferral: true,
    formTypes: ["Phone", "Legal Advocacy", "Service"],
  },
  {
    code: "EMERG-AID",
    description: "**Emergency financial aid**: food, clothing, phone, medication.",
    formTypes: ["On-Call Advocacy", "Service"],
  },
  {
    code: "HOSPITAL",
    description: "**Hospital accompaniment**, forensic exam included.",
    onCallMainType: true,
    formTypes: ["On-Call Advocacy", "Service"],
  },
  {
    code: "HOTEL",
    description: "**Hotel shelter**: a safe room while the shelter is full or out of reach.",
    hotelShelter: true,
    onCallMainType: true,
    formTypes: ["Phone", "On-Call Advocacy", "Service"],
  },
  {
    code: "HOUSING",
    description: "**Housing advocacy**: relocation, leases, VAWA protections.",
    hasReferral: true,
    formTypes: ["Phone", "Service"],
  },
  {
    code: "IMMIGRATION",
    description: "**Immigration advocacy**: U and T visas, VAWA self-petitions.",
    hasReferral: true,
    formTypes: ["Phone", "Legal Advocacy", "Service"],
  },
  { code: "INTERPRET", description: "**Interpreter** arranged or present.", formTypes: anyForm },
  {
    code: "LAW-ENF",
    description: "**Law enforcement advocacy**: reports, follow-up, property retrieval.",
    canBeMagistrate: true,
    onCallMainType: true,
    formTypes: inPerson,
  },
  {
    code: "LEGAL-INFO",
    description: "**Legal information and options**, civil and criminal.",
    canBeMagistrate: true,
    hasReferral: true,
    formTypes: anyForm,
  },
  {
    code: "PFA-PREP",
    description: "**PFA preparation**: petition, evidence, what to expect.",
    canBeMagistrate: true,
    formTypes: ["Phone", "Legal Advocacy", "Service"],
  },
  {
    code: "PFA-VIDEO",
    description: "**Emergency PFA by videoconference** with the on-call magisterial district judge.",
    videoconferencing: true,
    canBeMagistrate: true,
    onCallMainType: true,
    formTypes: inPerson,
  },
  {
    code: "REFERRAL",
    description: "**Information and referral** to another agency.",
    hasReferral: true,
    formTypes: anyForm,
  },
  {
    code: "SAFETY",
    description: "**Safety planning**: home, work, school, phone, pets.",
    canBeMagistrate: true,
    onCallMainType: true,
    formTypes: anyForm,
  },
  {
    code: "SHELTER",
    description: "**Emergency shelter**: intake, bed nights, advocacy on site.",
    hotelShelter: true,
    hasReferral: true,
    formTypes: ["On-Call Advocacy", "Service"],
  },
  {
    code: "TRANSPORT",
    description: "**Transportation**: rides, bus passes, gas cards.",
    formTypes: anyForm,
  },
];
