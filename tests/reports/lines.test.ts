import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { db } from "@/lib/core/database/client";
import type { ReportKey } from "@/lib/reports/definitions";
import { SEEDED_CODES } from "@/lib/reports/mapping";
import type { Report } from "@/lib/reports/schema";
import type { SetupResponse } from "@/lib/reports/setup/schema";
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

/** Returns the sections and lines of a report in docs/reference/report-lines.md: key, label, and unit. */
function listedIn(report: ReportKey): string[][] {
  const [, pmt = "", fvpsa = ""] = readFileSync("docs/reference/report-lines.md", "utf8").split("\n## ");
  return (report === "fvpsa" ? fvpsa : pmt)
    .split("\n")
    .filter((row) => /^\| [`*]/.test(row))
    .map((row) =>
      row
        .replace(/[`*]/g, "")
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
    .filter(([, , , only = ""]) => only === "" || only === report)
    .map((cells) => cells.slice(0, 3));
}

test.each(["pmt", "pccd", "fvpsa"] as const)(
  "%s has the lines of the reference in order, all of them even if nothing was counted",
  async (report) => {
    const { sections } = await readReport(report);
    expect(
      sections.flatMap(({ key, title, lines }) => [
        [key, title, ""],
        ...lines.map((line) => [line.key, line.label, line.unit]),
      ]),
    ).toEqual(listedIn(report));
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

/** The lines of the values of a new database, by kind, as docs/reference/reports.md has them. */
const SEEDED = {
  ethnicity: `American Indian or Alaska Native: race_american_indian_alaska_native
    Asian: race_asian
    Black or African American: race_black_african_american
    Hispanic or Latino: race_hispanic_latino
    Middle Eastern or North African: race_some_other
    Multiracial: race_multiple
    Native Hawaiian or Pacific Islander: race_native_hawaiian_pacific_islander
    White: race_white_non_latino
    Other: race_some_other
    Not reported: race_not_reported`,
  gender: `Unknown: gender_not_reported
    Male: gender_male
    Female: gender_female
    Transgender: gender_other
    Other: gender_other`,
  age_bracket: `0–12: age_0_12
    13–17: age_13_17
    18–24: age_18_24
    25–34: age_25_59
    35–44: age_25_59
    45–59: age_25_59
    60 and older: age_60_plus`,
  victimization: `Adult physical assault: victim_adult_physical_assault
    Adult sexual assault: victim_adult_sexual_assault
    Adult survivor of child abuse: victim_adult_abused_as_child
    Arson: victim_arson
    Bullying: victim_bullying
    Burglary: victim_burglary
    Child physical abuse or neglect: victim_child_physical_abuse_neglect
    Child sexual abuse: victim_child_sexual_abuse
    Elder abuse or neglect: victim_elder_abuse_neglect
    Financial exploitation: victim_identity_theft_fraud
    Harassment: victim_stalking_harassment
    Human trafficking: labor: victim_trafficking_labor
    Human trafficking: sex: victim_trafficking_sex
    Identity theft: victim_identity_theft_fraud
    Kidnapping or false imprisonment: victim_kidnapping_noncustodial
    Robbery: victim_robbery
    Stalking: victim_stalking_harassment
    Strangulation: victim_adult_physical_assault
    Survivor of a homicide victim: victim_homicide_survivor
    Technology-facilitated abuse: victim_stalking_harassment
    Teen dating violence: victim_teen_dating
    Violation of a PFA order: victim_domestic_family_violence`,
  offender_relationship: `Spouse: victim_domestic_family_violence
    Former spouse: victim_domestic_family_violence
    Intimate partner: victim_domestic_family_violence
    Former intimate partner: victim_domestic_family_violence
    Dating partner: victim_domestic_family_violence
    Co-parent: victim_domestic_family_violence
    Parent: victim_domestic_family_violence
    Step-parent: victim_domestic_family_violence
    Adult child: victim_domestic_family_violence
    Sibling: victim_domestic_family_violence
    Other family member: victim_domestic_family_violence
    Household member: victim_domestic_family_violence
    Caregiver: none
    Acquaintance: none
    Co-worker: none
    Neighbor: none
    Stranger: none
    Unknown: none`,
};

test.each(["pmt", "pccd"] as const)(
  "the values of a new database are mapped by name in %s",
  async (report) => {
    const { setup } = (await call(world.viewer.cookie, "GET", `/api/reports/${report}/setup`)).body;
    const { sources, mappings }: SetupResponse = setup;
    for (const [kind, table] of Object.entries(SEEDED)) {
      const expected = table.split("\n").map((row) =>
        row
          .trim()

          .split(/: (?=\w+$)/),
      );
      const mapped = sources
        .filter((source) => source.kind === kind)
        .map(({ label, source }) => [
          label,
          ...mappings.flatMap((one) => (one.kind === kind && one.source === source ? one.line : [])),
        ]);
      expect(mapped.sort(), kind).toEqual(expected.sort());
    }
    const linesOf = (kind: string) =>
      mappings.flatMap((one) => (one.kind === kind ? `${one.source}: ${one.line}` : [])).sort();
    expect(linesOf("victimization_other")).toEqual(["any: victim_other"]);
    expect(linesOf("hate_crime")).toEqual(["any: victim_hate_crime"]);
    expect(linesOf("flag")).toEqual([
      ...["disability: special_disability", "disabilityDeaf: special_deaf_hard_of_hearing", "elderly: none"],
      ...["homeless: special_homeless", "immigrant: special_immigrant_refugee_asylum", "lgbt: special_lgbtq"],
      ...["limitedEnglish: special_limited_english", "military: special_veteran", "remoteArea: none"],
    ]);
    const always = mappings.every(
      ({ validFrom, validThrough }) => validFrom === "1900-01-01" && !validThrough,
    );
    expect(always).toBe(true);
  },
);

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
