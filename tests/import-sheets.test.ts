import { beforeAll, beforeEach, expect, test } from "vitest";
import { db, rows } from "@/lib/core/database/client";
import { sql } from "@/lib/core/sql";
import { readValues } from "@/lib/transfer/imports/mapping";
import { runImports } from "@/lib/transfer/imports/run";
import type { ColumnDecisions, Import } from "@/lib/transfer/imports/schema";
import { call } from "@/tests/call";
import { makeClient, makeUser, type Person } from "@/tests/factories";

// Ten sheets as organizations keep them. The people are invented. `answers` are what the screen asks; all columns and
// all other values are read without a click.

let importer: Person;

beforeAll(async () => {
  importer = await makeUser([
    ...([
      "import",
      "clients",
      "forms",
      "contacts",
      "shelter",
      "all-forms",
      "referral-sources",
      "ethnicities",
    ] as const),
  ]);
  await makeClient(importer, { name: "Wren Larkspur" });
  await makeClient(importer, { name: "Ivy Sorrel" });
  await db().shelter.createMany({
    data: [
      { name: "Sheet House", kind: "In-house" },
      { name: "Sheet Motel", kind: "Hotel or motel" },
    ],
  });
});

beforeEach(() => rows(sql`DELETE FROM import_rows`));

const BIO = "clientBiographicalEntry";
const DEMO = "clientDemographicEntry";
const RACE = `${DEMO}.ethnicityId`;
const SAFE = `${BIO}.safeToCall`;
const BORN = `${BIO}.dateOfBirth`;
const GENDER = `${DEMO}.gender`;

type Sheet = {
  sheet: string;
  kind?: string;
  lines: string[];
  /** Labels of options by value, per field; for days the answer about the column. */
  answers?: Record<string, Record<string, string> | Omit<ColumnDecisions, "key">>;
  created: number;
  /** The numbers of rejected rows. */
  back?: number[];
};

const SHEETS: Sheet[] = [
  {
    sheet: "a victim-services log with names in parts and race codes",
    lines: [
      "Client #,Last Name,First Name,M.I.,Sex,Race,DOB,Street,Apt,City,ST,Zip,Phone #,OK to Call?",
      "24-001,Larkin,Opal,J,F,W,3/14/1985,12 Elm St,2,Reading,Pa,19601,610.555.0111,Y",
      "24-002,Moss,Jett,,M,B,11/02/1990,,,Reading,PA,19602,6105550112,N",
      "24-003,Fern,Sage,n/a,f,W,,PO Box 7,,Kutztown,Penna.,19530-,none,",
      "24-004,Vale,Iris,,Fem,H,7/4/2001,9 Oak Ave,,Reading,PA,19604,(610) 555-0114 ext 3,x",
    ],
    answers: {
      [RACE]: { W: "White", B: "Black or African American", H: "Hispanic or Latino" },
      [SAFE]: { x: "Yes" },
    },
    created: 4,
  },
  {
    sheet: "a homelessness export with coded genders and boxes of 0 and 1",
    lines: [
      "Record ID,First Name,Last Name,Name Suffix,DOB,Gender,Race,Veteran Status,Homeless,LGBTQ+",
      "900001,Rowan,Pike,Jr.,1979-02-28,1,White,0,1,0",
      "900002,Linden,Marsh,,1983-10-01,0,Asian,1,1,1",
      "900003,Hazel,Brook,,1996-12-31,0,Not reported,0,0,",
    ],
    answers: { [GENDER]: { "1": "Male", "0": "Female" } },
    created: 3,
  },
  {
    sheet: "answers of an online form, with questions as headings",
    lines: [
      '"Timestamp","What is your full name?","Is it safe to call you?","Best phone","What is your date of birth?"',
      '"9/1/2025 14:02:11","Juniper Wells","Yes","484-555-0120","January 5, 1992"',
      '"9/2/2025 9:41:00","Aspen Reed","Only mornings","4845550121","6/7/1988"',
    ],
    answers: { [SAFE]: { "Only mornings": "No" } },
    created: 2,
  },
  {
    sheet: "a hotline tally",
    kind: "contacts",
    lines: [
      "Call Date,Type of Call,How Many,Duration,Age Group,Sex",
      "11/3/2025,Hotline call,1,0:25,18-24,F",
      "11/3/2025,Hotline call,1,0:25,18-24,F",
      "11/4/2025,hotline CALL,1,10,60+,unk",
      "11/5/2025,Prank,1,2,,",
    ],
    answers: { contactKindId: {} },
    created: 3,
    back: [5],
  },
  {
    sheet: "a shelter census with turned names and stays that have not ended",
    kind: "stays",
    lines: [
      "Resident,Location,Check-In,Check-Out",
      '"Larkspur, Wren",Sheet House,1/5/2025,1/19/2025',
      '"Sorrel, Ivy",Motel,02/10/2025,n/a',
      '"Nobody, Known",Sheet House,3/1/2025,3/2/2025',
    ],
    answers: { shelterId: { Motel: "Sheet Motel" } },
    created: 2,
    back: [4],
  },
  {
    sheet: "an old database's export with text tricks, midnights, and TRUE",
    lines: [
      "sep=;",
      "CaseID;ClientName;BirthDate;Gender;LEP;Disabled;DateOpened",
      '="000417";Clover Hart;1971-06-09 00:00:00;Female;TRUE;FALSE;2019-03-01 00:00:00',
      '="000418";Basil Stone;1968-01-30 00:00:00;Male;FALSE;TRUE;2020-07-15 00:00:00',
    ],
    created: 2,
  },
  {
    sheet: "days before months and years of two digits",
    lines: [
      "Name,Birthday,Client Since",
      "Tansy Ford,25/04/90,14/02/2021",
      "Lark Hollis,03/11/62,01/03/2022",
      "Robin Grove,1.2.1999,5/6/2023",
    ],
    answers: { [BORN]: { order: "day", century: "past" }, createdOn: { order: "day" } },
    created: 3,
  },
  {
    sheet: "a card file typed up, with words for nothing and a column of who not to call",
    lines: [
      "Full Name,Address,Telephone,Do Not Call,Gender Identity,Race/Ethnicity,Notes",
      '"Poppy Lane","4 Hill Rd\nRear",unknown,X,woman,unknown,came with sister',
      '"Wilde, Daisy",N/A,717 555 0133,,W,Caucasian,-',
      ",no name yet,,,,,",
    ],
    answers: { [GENDER]: { W: "Female" }, [RACE]: { Caucasian: "White" } },
    created: 2,
    back: [4],
  },
  {
    sheet: "a spreadsheet of a Mac with numbers for days and ZIP codes without their zero",
    lines: [
      "Client Name\tDOB\tZip Code\tHome Phone",
      "Heath Dale\t30783\t7102\t9735550140",
      "Briar Glen\t29221\t71021234\t(973)555-0141",
    ],
    answers: { [BORN]: { since1904: true } },
    created: 2,
  },
  {
    sheet: "a list of referral sources with a repeated and an incomplete row",
    kind: "referral_sources",
    lines: ["Code,Description", "SHEET-PD,Police", "SHEET-ER,Hospital", "SHEET-PD,Police", ",Walk-in"],
    created: 2,
    back: [5],
  },
];

const send = async (method: "GET" | "POST", path: string, body?: unknown) => {
  const answer = await call(importer.cookie, method, path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body.import as Import;
};

test.each(SHEETS)(
  "$sheet: every row is imported or comes back with its reason",
  async ({ kind = "clients", lines, answers = {}, created, back = [] }) => {
    const headers = { "content-type": "text/csv" };
    const sent = await call(importer.cookie, "POST", `/api/imports?kind=${kind}`, undefined, {
      raw: lines.join("\r\n"),
      headers,
    });
    expect(sent.status, JSON.stringify(sent.body)).toBe(201);
    const item: Import = sent.body.import;
    const { matches } = item;
    const columns = Object.entries(answers).map(([key, answer]): ColumnDecisions => {
      const former = item.mapping.columns.find((one) => one.key === key);
      if (Object.keys(answer).some((name) => ["order", "century", "since1904"].includes(name)))
        return { ...former, key, ...answer };
      const field = item.fields.find((one) => one.key === key);
      const values = Object.entries(answer).map(([text, label]) => ({
        text,
        becomes: field?.options.find((option) => option.label === label)?.value ?? "?",
      }));
      return { ...former, key, values };
    });
    const suggested = item.mapping.columns.filter(({ key }) => !(key in answers));
    const mapping = { asWritten: item.mapping.asWritten, columns: [...suggested, ...columns] };
    // The screen asks for exactly the values that the answers decide.
    for (const [at, key] of matches.entries()) {
      const field = item.fields.find((one) => one.key === key);
      const survey = item.columns[at];
      if (!field?.reads || field.reads === "day" || !survey) continue;
      const asked = readValues(field, item.headings[at] ?? "", survey.values, {})
        .filter(({ reading }) => reading === undefined)
        .map(({ text }) => text);
      expect(asked.sort(), field.label).toEqual(
        key === "contactKindId" ? ["Prank"] : Object.keys(answers[key] ?? {}).sort(),
      );
    }
    for (const dryRun of [true, false]) {
      await send("POST", `/api/imports/${item.id}/start`, {
        import: { dryRun, matches, ownerId: null, mapping },
      });
      await runImports(new AbortController().signal);
    }
    const result = await send("GET", `/api/imports/${item.id}`);
    const failed = result.notes.filter(({ about }) => about === "failed");
    expect(
      failed.map(({ number }) => number),
      JSON.stringify(failed),
    ).toEqual(back);
    expect(result).toMatchObject({ status: "done", created, failed: back.length });
    expect(created + back.length + result.duplicates).toBe(item.rows);
  },
);
