import { beforeAll, describe, expect, test } from "vitest";
import { db } from "@/lib/core/database/client";
import type { ReportKey } from "@/lib/reports/definitions";
import { SEEDED_CODES } from "@/lib/reports/mapping";
import type { Report } from "@/lib/reports/schema";
import type { FormTypeName } from "@/prisma/seed-data";
import { call } from "@/tests/call";
import { addClient, addForm, makeReporter, type Reporter, readRecordsBehind } from "./world";

// The fixed parts of a report: its lines in order, the line of each seeded service code, its notes.

let world: Reporter;
beforeAll(async () => {
  world = await makeReporter();
});

const readReport = async (report: ReportKey): Promise<Report> => {
  const url = `/api/reports/${report}?from=1960-10-01&to=1960-12-31`;
  return (await call(world.viewer.cookie, "GET", url)).body.report;
};

/** Sections with their lines: key, unit and label. Lines that only PCCD has begin with +. */
const LINES = `
  population: Individuals served
    individuals_served | individuals | Individuals served
    anonymous_contacts | times | Anonymous contacts
    individuals_new | new | New individuals
+   individuals_continuing | individuals | Continuing individuals
+   individuals_primary | individuals | Primary victims
+   individuals_significant_other | individuals | Significant others
  race: Race and ethnicity
    race_american_indian_alaska_native | new | American Indian/Alaska Native
    race_asian | new | Asian
    race_black_african_american | new | Black/African American
    race_hispanic_latino | new | Hispanic/Latino
    race_native_hawaiian_pacific_islander | new | Native Hawaiian/Pacific Islander
    race_white_non_latino | new | White, non-Latino
    race_some_other | new | Some other
    race_multiple | new | Multiple
    race_not_reported | new | Not reported
    race_not_tracked | new | Not tracked
  gender: Gender
    gender_male | new | Male
    gender_female | new | Female
    gender_other | new | Other
    gender_not_reported | new | Not reported
    gender_not_tracked | new | Not tracked
  age: Age
    age_0_12 | new | 0–12
    age_13_17 | new | 13–17
    age_18_24 | new | 18–24
    age_25_59 | new | 25–59
    age_60_plus | new | 60 plus
    age_not_reported | new | Not reported
    age_not_tracked | new | Not tracked
  victimization: Types of victimization
    victim_adult_physical_assault | individuals | Adult physical assault
    victim_adult_sexual_assault | individuals | Adult sexual assault
    victim_adult_abused_as_child | individuals | Adult abused as child (sexually)
    victim_arson | individuals | Arson
    victim_bullying | individuals | Bullying
    victim_burglary | individuals | Burglary
    victim_child_physical_abuse_neglect | individuals | Child physical abuse/neglect
    victim_child_pornography | individuals | Child pornography
    victim_child_sexual_abuse | individuals | Child sexual abuse
    victim_domestic_family_violence | individuals | Domestic/family violence
    victim_dui_dwi | individuals | DUI/DWI
    victim_elder_abuse_neglect | individuals | Elder abuse/neglect
    victim_hate_crime | individuals | Hate crime
    victim_trafficking_labor | individuals | Trafficking (labor)
    victim_trafficking_sex | individuals | Trafficking (sex)
    victim_identity_theft_fraud | individuals | Identity theft/fraud (and financial crime)
    victim_kidnapping_noncustodial | individuals | Kidnapping (noncustodial)
    victim_kidnapping_custodial | individuals | Kidnapping (custodial)
    victim_mass_violence | individuals | Mass violence
    victim_other_vehicular | individuals | Other vehicular
    victim_robbery | individuals | Robbery
    victim_stalking_harassment | individuals | Stalking/harassment
    victim_homicide_survivor | individuals | Homicide survivor
    victim_teen_dating | individuals | Teen dating
    victim_terrorism | individuals | Terrorism
    victim_other | individuals | Other
    victim_multiple | individuals | Multiple
  special: Special classifications
    special_deaf_hard_of_hearing | individuals | Deaf/hard of hearing
    special_homeless | individuals | Homeless
    special_immigrant_refugee_asylum | individuals | Immigrant/refugee/asylum
    special_lgbtq | individuals | LGBTQ
    special_veteran | individuals | Veteran
    special_disability | individuals | Disability
    special_limited_english | individuals | Limited English
    special_other | individuals | Other
  compensation: Victim compensation
    compensation_applications | individuals | Individuals assisted with a compensation application
  services_a: A. Information and referral
    a_individuals | individuals | Individuals who received these services
    a1_justice_process | times | Justice process
    a2_victim_rights | times | Victim rights
    a3_referral_victim_programs | times | Referral: victim programs
    a4_referral_other_services | times | Referral: other services
  services_b: B. Personal advocacy and accompaniment
    b_individuals | individuals | Individuals who received these services
    b1_emergency_medical | times | Emergency medical
    b2_forensic_exam_accompaniment | times | Forensic exam accompaniment
    b3_police_interview | times | Police interview
    b4_individual_advocacy | times | Individual advocacy
    b5_forensic_exam_performed | times | Forensic exam performed
    b6_immigration | times | Immigration
    b7_employer_landlord_school | times | Employer/landlord/school
    b8_child_dependent_care | times | Child/dependent care
    b9_transportation | times | Transportation
    b10_interpreter | times | Interpreter
  services_c: C. Emotional support and safety
    c_individuals | individuals | Individuals who received these services
    c1_crisis_intervention | times | Crisis intervention (in person, safety planning)
    c2_hotline | times | Hotline
    c3_on_scene_response | times | On-scene response
    c4_individual_counseling | times | Individual counseling
    c5_support_groups | times | Support groups
    c6_other_therapy | times | Other therapy
    c7_emergency_financial | times | Emergency financial
  services_d: D. Shelter and housing
    d_individuals | individuals | Individuals who received these services
    d1_emergency_shelter | times | Emergency shelter
    d2_transitional | times | Transitional
    d3_relocation | times | Relocation
  services_e: E. Criminal and civil justice assistance
    e_individuals | individuals | Individuals who received these services
    e1_event_notification | times | Event notification
    e2_impact_statement | times | Impact statement
    e3_restitution | times | Restitution
    e4_protection_order | times | Protection order
    e5_family_law | times | Family law
    e6_other_emergency_justice | times | Other emergency justice
    e7_immigration_legal | times | Immigration legal
    e8_prosecution_interview | times | Prosecution interview
    e9_police_interview | times | Police interview
    e10_criminal_advocacy | times | Criminal advocacy
    e11_other_legal | times | Other legal
+ effort: Effort
+   service_minutes | minutes | Service minutes
+ vawa: VAWA: victims served
+   vawa_served | individuals | Served
+   vawa_partially_served | individuals | Partially served
+   vawa_not_served | individuals | Not served
+ vawa_reasons: VAWA: reasons not served or partially served
+   reason_services_not_appropriate | individuals | Services not appropriate
+   reason_language | individuals | Language
+   reason_capacity | individuals | Capacity
+   reason_transportation | individuals | Transportation
+   reason_culturally_appropriate | individuals | Culturally appropriate
+   reason_disabilities | individuals | Disabilities
+   reason_other | individuals | Other
`;
/** The same of FVPSA, with the demographics of the others in the place of `…`. */
const FVPSA_LINES = `
  people: People served, new this year
    people_new | new | New people
    shelter_adults | new | Adults, in shelter
    shelter_children | new | Children, in shelter
    shelter_age_unknown | new | Age unknown, in shelter
    nonshelter_adults | new | Adults, not in shelter
    nonshelter_children | new | Children, not in shelter
    nonshelter_age_unknown | new | Age unknown, not in shelter
    along_adults | times | Adults who came along
    along_children | times | Children who came along
    moved_into_shelter | individuals | New earlier this year, in shelter for the first time
    people_other_crimes | individuals | Served for other crimes, not counted here
  …
  shelter: Shelter
    shelter_people | individuals | Clients in shelter
    shelter_nights | nights | Shelter nights
    stays_begun | times | Stays begun
  unmet: Unmet requests for shelter
    unmet_requests | times | Unmet requests
    unmet_adults | times | Adults in unmet requests
    unmet_children | times | Children in unmet requests
  hotline: Hotline
    hotline_contacts | times | Hotline contacts
  advocacy: Individual advocacy and counseling
    advocacy_adults_individuals | individuals | Adults who received these services
    advocacy_children_individuals | individuals | Children who received these services
    advocacy_adults_times | times | Services to adults
    advocacy_children_times | times | Services to children
  groups: Support groups
    groups_adults_individuals | individuals | Adults who received these services
    groups_children_individuals | individuals | Children who received these services
    groups_adults_times | times | Services to adults
    groups_children_times | times | Services to children
`;
const FVPSA_SEX = `  sex: Sex
    sex_male | new | Male
    sex_female | new | Female
    sex_not_reported | new | Not reported
    sex_not_tracked | new | Not tracked`;
const between = (first: string, next: string) =>
  LINES.slice(LINES.indexOf(first), LINES.indexOf(`\n${next}`));
const DEMOGRAPHICS = [between("  race:", "  gender:"), FVPSA_SEX, between("  age:", "  victimization:")].join(
  "\n",
);

const linesOf = (report: ReportKey) =>
  (report === "fvpsa" ? FVPSA_LINES.replace("  …", DEMOGRAPHICS) : LINES)
    .split("\n")
    .flatMap((line) => (line === "" || (report === "pmt" && line.startsWith("+")) ? [] : [line.slice(2)]));

test.each(["pmt", "pccd", "fvpsa"] as const)(
  "%s has its lines in order, all of them even if nothing was counted",
  async (report) => {
    const { sections } = await readReport(report);
    expect(
      sections.flatMap(({ key, title, lines }) => [
        `${key}: ${title}`,
        ...lines.map((line) => `  ${line.key} | ${line.unit} | ${line.label}`),
      ]),
    ).toEqual(linesOf(report));
    expect(sections.flatMap(({ lines }) => lines).filter(({ count }) => count !== 0)).toEqual([]);
  },
);

/** The line of each seeded code, and its line on Phone forms if that differs. */
const CODES: Record<string, { line: string; onPhone?: string }> = {
  ACCOMPANY: { line: "e10_criminal_advocacy" },
  CRIMINAL: { line: "e10_criminal_advocacy" },
  "CASE-MGMT": { line: "b4_individual_advocacy" },
  CHILD: { line: "b4_individual_advocacy" },
  COMP: { line: "compensation_applications" },
  "COUNSEL-GRP": { line: "c5_support_groups" },
  "COUNSEL-IND": { line: "c4_individual_counseling" },
  ASSESS: { line: "c1_crisis_intervention", onPhone: "c2_hotline" },
  CRISIS: { line: "c1_crisis_intervention", onPhone: "c2_hotline" },
  SAFETY: { line: "c1_crisis_intervention", onPhone: "c2_hotline" },
  CUSTODY: { line: "e5_family_law" },
  "EMERG-AID": { line: "c7_emergency_financial" },
  HOSPITAL: { line: "b1_emergency_medical" },
  HOTEL: { line: "d1_emergency_shelter" },
  SHELTER: { line: "d1_emergency_shelter" },
  HOUSING: { line: "d3_relocation" },
  IMMIGRATION: { line: "b6_immigration" },
  INTERPRET: { line: "b10_interpreter" },
  "LAW-ENF": { line: "b3_police_interview" },
  "LEGAL-INFO": { line: "a1_justice_process" },
  "PFA-PREP": { line: "e4_protection_order" },
  "PFA-VIDEO": { line: "e4_protection_order" },
  REFERRAL: { line: "a4_referral_other_services" },
  TRANSPORT: { line: "b9_transportation" },
};

test("each seeded service code counts only on its line in both reports, in person and on the phone", async () => {
  const { owner, viewer } = world;
  const ann = await addClient(owner);
  const expected = new Map<string, number[]>();
  const write = async (type: FormTypeName, serviceOn: string) => {
    for (const [code, { line, onPhone = line }] of Object.entries(CODES)) {
      const offered = { serviceCode: { code }, formType: { name: type } };
      if ((await db().serviceCodeFormType.count({ where: offered })) === 0) continue;
      const made = await addForm(owner, ann, serviceOn, [[code, 15]], { type });
      const counts = type === "Phone" ? onPhone : line;
      expected.set(counts, [...(expected.get(counts) ?? []), made]);
    }
  };
  await write("Service", "1961-10-05");
  await write("Phone", "1961-11-05");
  expect(Object.keys(SEEDED_CODES).sort()).toEqual(Object.keys(CODES).sort());
  for (const report of ["pmt", "pccd"] as const) {
    for (const { key } of (await readReport(report)).sections.flatMap(({ lines }) => lines)) {
      if (!/^([a-e]\d+|compensation)_/.test(key)) continue;
      const { forms } = await readRecordsBehind(viewer, report, key, "1961-10-01", "1961-12-31");
      expect(forms, `${report} ${key}`).toEqual(expected.get(key) ?? []);
    }
  }
});

describe("a report states its limitations", () => {
  const LACKS = [
    /^This report counts what its reader may see\.$/,
    /^Funding source: .*nothing is prorated/,
    /^County: no county of residence or of the crime/,
    /^Anonymous contacts are calls and visits from people who gave no name/,
    /“Asked and declined” cannot be distinguished from “never asked”/,
    /^Compensation: .*filed or followed up/,
    /^Client data has no history/,
    /^Nothing is presumed/,
    /^Kidnapping is recorded without custody/,
    /Nights are not counted/,
    /narratives of the PMT, and “all are new” in a grant's first report/,
  ];
  const ELIGIBILITY = /^VAWA: eligibility, program rules, conflict of interest, hours, and child care/;

  const FVPSA_LACKS = [
    /^Compare the lines with your state's current form before you submit\.$/,
    /^The year is not the sum of its quarters: a person counts in shelter for the year if any quarter says so\.$/,
    /^This report counts victims of domestic and dating violence: [^.]*\.$/,
    /^This report counts what its reader may see\.$/,
    /^Funding source: .*nothing is prorated/,
    /^People who came along .*not people served/,
    /^Hotline contacts and unmet requests name no one/,
    /“Asked and declined” cannot be distinguished from “never asked”/,
    /^Client data has no history/,
    /are not part of this report\.$/,
  ];

  test.each([
    ["fvpsa" as const, FVPSA_LACKS],
    ["pmt" as const, LACKS],
    ["pccd" as const, [...LACKS, ELIGIBILITY]],
  ])("in the response and in the file of %s", async (report, lacks) => {
    const { notes } = await readReport(report);
    expect(notes).toEqual(lacks.map((words) => expect.stringMatching(words)));
    const url = `/api/reports/${report}/csv?from=1960-10-01&to=1960-12-31`;
    const { bytes } = await call(world.viewer.cookie, "GET", url);
    const file = new TextDecoder().decode(bytes).replaceAll('""', '"');
    for (const note of notes) expect(file).toContain(note);
  });
});
