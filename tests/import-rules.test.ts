import { describe, expect, test } from "vitest";
import { clientColumns } from "@/lib/clients/columns";
import { clientSchema } from "@/lib/clients/schema";
import { firstName, turnedName } from "@/lib/core/text/person-name";
import { columnsFor, matchesOf, matchesProblem, namePartColumns } from "@/lib/transfer/imports/columns";
import { dayQuestions, readDay } from "@/lib/transfer/imports/days";
import { placeOfHeadings } from "@/lib/transfer/imports/file/heading-row";
import { isNegated, saysSafeToCall } from "@/lib/transfer/imports/headings";
import { carriedOver } from "@/lib/transfer/imports/mapping";
import { problemKind } from "@/lib/transfer/imports/problem-kinds";
import { type Reads, rangeIn, type ValueOption, valueReader, YES_NO } from "@/lib/transfer/imports/readings";
import type { ColumnDecisions } from "@/lib/transfer/imports/schema";
import { surveyorsOf } from "@/lib/transfer/imports/survey";
import { joinedAddress, joinedName, saysNothing, wholeZip } from "@/lib/transfer/imports/texts";

// Rules for reading the headings and values of a file. The screen and the import use the same functions.

const clientFields = () => [...columnsFor(clientSchema, clientColumns()), ...namePartColumns("name")];
const matchOf = (heading: string) => matchesOf([heading], clientFields())[0];

describe("the row of headings", () => {
  const sheet = (text: string) => text.split("\n").map((line) => line.split("|"));
  const countKnown = (cells: readonly string[]) => matchesOf(cells, clientFields()).filter(Boolean).length;

  test.each([
    ["the first row", 0, "Name|DOB\nAnn Alder|04/12/1988"],
    ["the first row of a file with one column", 0, "Name\nAnn Alder\nBob Birch"],
    ["below a title", 1, "Client list 2026\nName|DOB|City\nAnn Alder|04/12/1988|Erie"],
    [
      "below a title and a date",
      2,
      "Safe Harbor|\nPrinted|11/03/2026\nLast Name|First Name|DOB\nAlder|Ann|n/a",
    ],
    ["below a row that groups columns", 1, "Client|||Safety\nLast Name|First Name|DOB|OK to call?\nA|B|C|Y"],
    ["below a title of a file with one column", 1, "Our people\nName\nAnn Alder"],
    ["below a title, with headings that no field has", 1, "Survey\nQ1|Q2|Q3\n1|2|3"],
    ["the first row of two equal ones", 0, "Name|City\nAnn|Erie\nName|City\nBob|York"],
    ["the first row if no field has its headings", 0, "Shoe|Hat\n38|S\n40|L"],
    ["the first row if a wide row of values contains words of headings", 0, "Shoe|Hat|Coat\nName|DOB|City"],
    ["the first row if the rows have fewer cells", 0, "Name|Shoe|Hat\nAnn\nBob"],
  ])("is %s", (_, place, text) => {
    expect(placeOfHeadings(sheet(text), sheet(text).map(countKnown))).toBe(place);
  });
});

describe("the heading of a column", () => {
  test.each([
    ["name", ["Client Name", "Name", "Full Name", "Survivor Name", "Client", "Legal Name"]],
    ["name.first", ["First Name", "FIRST", "first_name", "Client's First Name", "Given Name", "Fname"]],
    ["name.middle", ["MI", "M.I.", "Middle Initial", "Middle Name"]],
    ["name.last", ["Last Name", "Surname", "Family Name", "LNAME", "Client Last Name"]],
    ["externalId", ["Id", "Client ID", "Client #", "Case Number", "Record ID", "Case No."]],
    [
      "clientBiographicalEntry.dateOfBirth",
      ["DOB", "D.O.B.", "Birthdate", "Birth Date (mm/dd/yyyy)", "Client DOB"],
    ],
    [
      "clientBiographicalEntry.phoneNumber",
      ["Phone", "Phone #", "Cell Phone", "Mobile", "Telephone Number", "Safe Phone #"],
    ],
    ["clientBiographicalEntry.address", ["Address", "Street Address", "Home Address", "Address Line 1"]],
    ["clientBiographicalEntry.address2", ["Apt", "Apt #", "Address Line 2", "Unit"]],
    ["clientBiographicalEntry.city", ["City", "Town", "Municipality"]],
    ["clientBiographicalEntry.state", ["State", "ST"]],
    ["clientBiographicalEntry.postalCode", ["ZIP", "Zip Code", "Postal Code", "Postcode"]],
    [
      "clientBiographicalEntry.safeToCall",
      ["Safe to Call", "OK to call?", "Okay to Call", "Is it safe to call?", "Safe to call (Y/N)"],
    ],
    ["clientDemographicEntry.gender", ["Gender", "Sex", "Gender Identity"]],
    ["clientDemographicEntry.ethnicityId", ["Race", "Ethnicity", "Race/Ethnicity", "Race & Ethnicity"]],
    ["clientDemographicEntry.lgbt", ["LGBT", "LGBTQ", "LGBTQ+"]],
    ["clientDemographicEntry.limitedEnglish", ["LEP", "Limited English Proficiency"]],
    ["clientDemographicEntry.homeless", ["Homeless", "Unhoused"]],
    ["clientDemographicEntry.military", ["Veteran", "Military Service"]],
    ["clientDemographicEntry.disability", ["Disability", "Disabled"]],
    ["clientDemographicEntry.remoteArea", ["Rural"]],
    ["createdOn", ["Created On", "Intake Date", "Date Opened", "Client Since"]],
    ["clientBiographicalEntry.ageBracketId", ["Age Group", "Age Range"]],
    ["user.email", ["Advocate Email", "Case Manager Email", "Advocate", "Assigned To"]],
    ["", ["Shoe Size", "Notes", "", "#", "?", "Emergency Contact"]],
  ])("is matched to %s if it is one of the field's usual words", (key, headings) => {
    for (const heading of headings) expect(matchOf(heading), heading).toBe(key);
  });

  test.each([
    ["Safe to Call", true],
    ["OK to call?", true],
    ["Okay to phone", true],
    ["ok_to_call", true],
    ["Call?", false],
    ["Safe", false],
    ["Do not call", false],
    ["Don’t call", false],
    ["NOT safe to call", false],
    ["Unsafe to call", false],
    ["No safe calls", false],
    ["Isn't OK to call", false],
    ["Never OK to call", false],
  ])("%j says that calling is safe: %s", (heading, says) => {
    expect(saysSafeToCall(heading)).toBe(says);
    if (!says) expect(matchOf(heading)).toBe("");
  });

  test.each(["Do not call", "don't call", "No calls", "UNSAFE", "Safe to call: not", "call - no"])(
    "with a negation is never matched to Safe to Call, not even by hand: %s",
    (heading) => {
      expect(isNegated(heading)).toBe(true);
      const fields = clientFields();
      const matches = ["name", "clientBiographicalEntry.safeToCall"];
      expect(matchesProblem(matches, ["Name", heading], fields)).toContain("cannot be Safe to Call");
      expect(matchesProblem(matches, ["Name", "Client contact note"], fields)).toBeNull();
    },
  );

  test("of a whole name and those of its parts are not matched together", () => {
    const match = (...headings: string[]) => matchesOf(headings, clientFields());
    expect(match("First Name", "Last Name", "Name")).toEqual(["name.first", "name.last", ""]);
    expect(match("First Name", "Last Name", "Client Name")).toEqual(["", "", "name"]);
    expect(match("Name", "Last Name")).toEqual(["name", ""]);
    expect(matchesProblem(["name.first", "name.last"], ["First", "Last"], clientFields())).toBeNull();
    expect(matchesProblem(["name", "name.last"], ["Name", "Last"], clientFields())).toContain("Last Name");
  });

  test("of several address lines are matched to one field", () => {
    const matches = matchesOf(
      ["Name", "House Number", "Street Name", "Apt", "Address Line 3"],
      clientFields(),
    );
    const one = "clientBiographicalEntry.address";
    const two = "clientBiographicalEntry.address2";
    expect(matches).toEqual(["name", one, one, two, two]);
    expect(matchesProblem(matches, ["Name", "a", "b", "c", "d"], clientFields())).toBeNull();
  });
});

const options = (...labels: string[]): ValueOption[] => labels.map((label) => ({ value: label, label }));
const GENDERS = options("Unknown", "Male", "Female", "Transgender", "Other");
const RACES = options("Asian", "Black or African American", "Hispanic or Latino", "White", "Not reported");
const STATES = options("NJ", "NY", "PA", "VA", "WA", "WV");
const BRACKETS = options("0–12", "18–24", "60 and older", "Under $10,000", "$10,000–$14,999");
const LEVELS = options("None", "Some college", "Bachelor's degree", "Step-parent", "Unknown");

const reading = (reads: Reads, list: readonly ValueOption[], text: string, isSaidSafe = false) =>
  valueReader({ reads, options: list, isSaidSafe }, {}, "2026-11-28")(text);

describe("a value", () => {
  test.each<[Reads, readonly ValueOption[], Record<string, string | undefined>]>([
    [
      "gender",
      GENDERS,
      {
        F: "Female",
        f: "Female",
        female: "Female",
        "Fem.": "Female",
        FEM: "Female",
        woman: "Female",
        M: "Male",
        male: "Male",
        unk: "Unknown",
        UNKNOWN: "Unknown",
        "?": "",
        "n/a": "",
        none: "",
        Trans: "Transgender",
        NB: undefined,
        "non-binary": undefined,
        X: undefined,
        "M/F": undefined,
      },
    ],
    [
      "equal",
      RACES,
      {
        white: "White",
        ASIAN: "Asian",
        "black or african american": "Black or African American",
        W: undefined,
        AA: undefined,
        Wh: undefined,
        Hispanic: undefined,
        "African American": undefined,
        Caucasian: undefined,
        "White/Asian": undefined,
        unknown: "",
        "n/a": "",
      },
    ],
    [
      "state",
      STATES,
      {
        PA: "PA",
        pa: "PA",
        "Pa.": "PA",
        "P.A.": "PA",
        pennsylvania: "PA",
        Penna: "PA",
        Virginia: "VA",
        "West Virginia": "WV",
        "W. Va.": "WV",
        "New  York": "NY",
        ZZ: undefined,
        Ontario: undefined,
        none: "",
      },
    ],
    [
      "list",
      BRACKETS,
      {
        "18-24": "18–24",
        "18 to 24": "18–24",
        "60+": "60 and older",
        "60 or over": "60 and older",
        "0-12 years": "0–12",
        "<10000": "Under $10,000",
        "10000-14999": "$10,000–$14,999",
        "18": undefined,
      },
    ],
    [
      "list",
      LEVELS,
      {
        none: "None",
        NONE: "None",
        unk: "Unknown",
        "n/a": "",
        "bachelor’s degree": "Bachelor's degree",
        "some coll": undefined,
        Step: undefined,
        college: undefined,
      },
    ],
    [
      "flag",
      YES_NO,
      {
        Y: "true",
        yes: "true",
        TRUE: "true",
        "1": "true",
        x: "true",
        "✓": "true",
        N: "false",
        no: "false",
        "0": "false",
        False: "false",
        unknown: "",
        maybe: undefined,
      },
    ],
  ])("of a %s column has the only possible reading, or none", (reads, list, readings) => {
    for (const [text, expected] of Object.entries(readings))
      expect(reading(reads, list, text), text).toBe(expected);
  });

  test("of Safe to Call is read only if it is one of six words, and only under a heading that says so", () => {
    for (const word of ["yes", "Y", "TRUE"]) expect(reading("safeToCall", YES_NO, word, true)).toBe("true");
    for (const word of ["no", "N", "False"]) expect(reading("safeToCall", YES_NO, word, true)).toBe("false");
    for (const word of ["x", "1", "0", "✓", "t", "ok", "unknown", "n/a", "sometimes"])
      expect(reading("safeToCall", YES_NO, word, true), word).toBeUndefined();
    for (const word of ["yes", "no", "x"]) expect(reading("safeToCall", YES_NO, word)).toBeUndefined();
  });

  test("is not read if it is longer than any value can be", () => {
    const races = valueReader({ reads: "equal", options: RACES }, {}, "2026-11-28");
    expect(races(`${" ".repeat(1_000)}White${" ".repeat(1_000)}`)).toBe("White");
    expect(races(`Not${" ".repeat(10)}reported`)).toBe("Not reported");
    expect(races(`Not${" ".repeat(1_000)}reported`)).toBeUndefined();
  });

  test("becomes what the importer decided, in any case, and only if that is possible", () => {
    const decided = (becomes: string) =>
      valueReader({ reads: "equal", options: RACES }, { values: [{ text: "W", becomes }] }, "2026-11-28");
    expect(decided("White")("w ")).toBe("White");
    expect(decided("")("W")).toBe("");
    expect(decided("+")("W")).toBe("+");
    expect(decided("Martian")("W")).toBeUndefined();
  });

  test.each([
    ["18-24", "18-24"],
    ["$10,000–$14,999", "10000-14999"],
    ["60+", "60+"],
    ["60 and older", "60+"],
    ["under 18", "<18"],
    ["about 20", null],
    ["2004-04-12", null],
  ])("%j is the range %s", (text, range) => expect(rangeIn(text)).toBe(range));
});

describe("a day", () => {
  const today = "2026-11-28";
  test.each([
    ["4/12/1988", "1988-04-12"],
    ["04-12-1988", "1988-04-12"],
    ["4 12 1988", "1988-04-12"],
    ["1979-06-30", "1979-06-30"],
    ["1979/6/30", "1979-06-30"],
    ["04121988", "1988-04-12"],
    ["19880412", "1988-04-12"],
    ["Apr 12, 1988", "1988-04-12"],
    ["12 April 1988", "1988-04-12"],
    ["12-Apr-1988", "1988-04-12"],
    ["Sept. 3rd, 1988", "1988-09-03"],
    ["Tuesday, April 12, 1988", "1988-04-12"],
    ["32245", "1988-04-12"],
    ["2004-04-12T00:00:00.000Z", "2004-04-12"],
    ["4/12/2004 12:00:00 AM", "2004-04-12"],
    // More than one reading, or none.
    ["25/04/1990", null],
    ["12.04.1988", null],
    ["4/12/88", null],
    ["13/40/1984", null],
    ["02/30/1984", null],
    ["1985", null],
    ["summer 1990", null],
    ["4/12/2004 8:00 AM", null],
    ["", null],
  ])("without answers: %j is %s", (text, day) => expect(readDay(text, {}, today)).toBe(day));

  test.each([
    ["4/5/1991", { order: "day" }, "1991-05-04"],
    ["4/5/1991", { order: "month" }, "1991-04-05"],
    ["25/04/1990", { order: "day" }, "1990-04-25"],
    // Only one reading is possible.
    ["25/04/1990", { order: "month" }, "1990-04-25"],
    ["12.04.1988", { order: "day" }, "1988-04-12"],
    ["4/12/88", { century: "past" }, "1988-04-12"],
    ["4/12/05", { century: "past" }, "2005-04-12"],
    ["12/1/26", { century: "past" }, "1926-12-01"],
    ["4/12/05", { century: "1900" }, "1905-04-12"],
    ["4/12/88", { century: "2000" }, "2088-04-12"],
    ["30783", { since1904: true }, "1988-04-12"],
  ] as const)("with the answer of its column: %j, %j is %s", (text, rules, day) =>
    expect(readDay(text, rules, today)).toBe(day),
  );

  test.each([
    ["4/12/1988", { asksOrder: false, isEither: true, asksCentury: false }],
    ["4/25/1988", { asksOrder: false, isEither: false, asksCentury: false }],
    ["4/4/1988", { asksOrder: false, isEither: false, asksCentury: false }],
    ["25/04/1990", { asksOrder: true, isEither: false, asksCentury: false }],
    ["12.04.1988", { asksOrder: true, isEither: true, asksCentury: false }],
    ["25/04/90", { asksOrder: true, isEither: false, asksCentury: true }],
    ["Apr 12, 88", { asksOrder: false, isEither: false, asksCentury: true }],
    ["13/40/1984", { asksOrder: false, isDay: false }],
  ])("leaves open: %j, %j", (text, questions) => expect(dayQuestions(text)).toMatchObject(questions));
});

describe("a text", () => {
  test.each([
    ["7102", "07102"],
    ["07102", "07102"],
    ["601", "00601"],
    ["17101-", "17101"],
    ["7102-1234", "07102-1234"],
    ["71021234", "07102-1234"],
    ["171011234", "17101-1234"],
    ["7102.0", "07102"],
    ["K1A 0B6", "K1A 0B6"],
    ["12", "12"],
  ])("that is the ZIP code %j becomes %j", (text, zip) => expect(wholeZip(text)).toBe(zip));

  test.each([
    ["Alder, Ann", "Ann Alder"],
    ["Alder, Ann Q", "Ann Q Alder"],
    ["ALDER,ANN", "ANN ALDER"],
    ["Alder, Ann, Jr.", "Ann Alder Jr."],
    ["Alder, Jr., Ann", "Ann Alder Jr."],
    ["Alder, Ann, Q", "Ann Q Alder"],
    ["de la Cruz, María José", "María José de la Cruz"],
    ["Ann Alder, Jr.", "Ann Alder, Jr."],
    ["Ann Alder", "Ann Alder"],
    ["Alder,", "Alder,"],
    ["a, b, c, d, e", "a, b, c, d, e"],
    ["Alder, Ann; Birch", "Alder, Ann; Birch"],
    ["Harbor House, 2nd floor", "Harbor House, 2nd floor"],
  ])("that is the name %j becomes %j", (text, name) => expect(turnedName(text)).toBe(name));

  test.each([
    [{ first: "Ann", middle: "Q", last: "Alder" }, "Ann Q Alder"],
    [{ first: " Ann ", last: "Alder" }, "Ann Alder"],
    [{ first: "Ann", middle: "n/a", last: "Alder", suffix: "Jr." }, "Ann Alder Jr."],
    [{ first: "Ann", middle: "NMN", last: "Alder" }, "Ann Alder"],
    [{ last: "Alder" }, "Alder"],
    [{ first: " ", middle: "Q", last: "", suffix: "Jr." }, ""],
    [{ first: "Unknown", last: "Unknown" }, "Unknown Unknown"],
  ])("joins the parts of a name: %j", (parts, name) => expect(joinedName(parts)).toBe(name));

  test.each([
    [["1 Main St\nApt 2"], "1 Main St, Apt 2"],
    [["1 Main St,\r\nApt 2\r\n"], "1 Main St, Apt 2"],
    [["12", "Main St"], "12 Main St"],
    [["12B", "Main St", "Floor 3"], "12B Main St, Floor 3"],
    [["1 Main St", "", "Rear"], "1 Main St, Rear"],
  ])("joins the lines of an address: %j", (lines, address) => expect(joinedAddress(lines)).toBe(address));

  test.each([
    ...["none", "None", "N/A", "n.a.", "NA", "unknown", "Unk", "-", "--", "—", "?", "not applicable"],
  ])("%j says that there is no value", (text) => expect(saysNothing(text)).toBe(true));
  test.each(["#N/A", "no", "0", "Nona", "Nashville", "", " ", "unknown to me"])("%j is a value", (text) =>
    expect(saysNothing(text)).toBe(false),
  );
});

test.each([
  ["Ethnicity is not in the list: “AA”", "Ethnicity is not in the list"],
  ["Date of Birth: 13/40/1984 is not a date. Use MM/DD/YYYY", "Date of Birth is not a date. Use MM/DD/YYYY"],
  [
    "Row 2 has the same External Id and other values: “7”",
    "Another row has the same External Id and other values",
  ],
  ["It has 4 cells, but there are 3 headings", "It has more cells than headings"],
  ["Client Name is required", "Client Name is required"],
])("the problem %j is of the kind %j", (problem, kind) => expect(problemKind(problem)).toBe(kind));

test.each([
  ["Maria Garcia", "Maria"],
  [" Garcia,  Maria Elena ", "Maria"],
  ["Maria Garcia, Jr.", "Maria"],
  ["Garcia, Maria, RN", "Maria"],
  ["Cher", "Cher"],
  ["", ""],
])("the first name of %j is %j", (name, first) => expect(firstName(name)).toBe(first));

describe("the survey of a column", () => {
  const surveyOf = (cells: readonly string[]) => {
    const [surveyor] = surveyorsOf(1);
    for (const cell of cells) surveyor?.add(cell);
    return surveyor?.result();
  };

  test("lists each different value once with its number, and three samples", () => {
    expect(surveyOf(["F", "f ", "M", "", "Fem.", "M", "unk"])).toMatchObject({
      count: 6,
      samples: ["F", "f", "M"],
      values: [
        { text: "F", count: 2 },
        { text: "M", count: 2 },
        { text: "Fem.", count: 1 },
        { text: "unk", count: 1 },
      ],
      more: false,
    });
  });

  test("counts days that leave a question open also after the first 200 different values", () => {
    const days = Array.from(
      { length: 300 },
      (_, at) => `${1 + (at % 12)}/${1 + (at % 25)}/${1950 + (at % 50)}`,
    );
    expect(surveyOf([...days, "25/04/1990", "4/12/88", "none"])).toMatchObject({
      more: true,
      dayFirst: { count: expect.any(Number), samples: expect.arrayContaining(["25/04/1990"]) },
      shortYears: { count: 1, samples: ["4/12/88"] },
      values: expect.arrayContaining([{ text: "none", count: 1 }]),
    });
    const texts = Array.from({ length: 5_000 }, (_, at) => `text ${at}`);
    expect(surveyOf(texts)).toMatchObject({ count: 5_000, more: true, values: { length: 200 } });
  });

  test("keeps little of long texts, and still lists short ones", () => {
    expect(surveyOf(["x".repeat(300), "F", "M", "F"])).toMatchObject({
      count: 4,
      more: true,
      samples: [`${"x".repeat(60)}…`, "F", "M"],
      values: [
        { text: "F", count: 2 },
        { text: "M", count: 1 },
      ],
    });
    const long = Array.from({ length: 300 }, (_, at) => `${at} ${"y".repeat(240)}`);
    const characters = (surveyOf(long)?.values ?? []).reduce((sum, { text }) => sum + text.length, 0);
    expect(characters).toBeLessThanOrEqual(20_000);
  });
});

describe("the fields that were chosen before another window chose other headings", () => {
  const survey = (...texts: string[]) => ({
    values: texts.map((text) => ({ text, count: 1 })),
    more: false,
  });
  const read = (matches: string[], columns: ColumnDecisions[] = []) => ({
    matches,
    mapping: { asWritten: false, columns },
    fields: [
      { key: "name", partOf: null, corrects: "name" as const },
      { key: "name.first", partOf: "name", corrects: null },
      { key: "gender", partOf: null, corrects: null },
      { key: "address", partOf: null, corrects: "address" as const },
      { key: "city", partOf: null, corrects: "text" as const },
    ],
    columns: matches.map(() => survey("Whale", "F")),
  });
  const carry = (base: string[], chosen: string[], next: string[]) =>
    carriedOver(read(base), read(chosen), read(next)).matches;

  test.each([
    ["are the suggested ones if nobody chose one", ["", ""], ["", ""], ["name", "city"], ["name", "city"]],
    [
      "stay in their columns",
      ["", "", ""],
      ["", "", "gender"],
      ["name", "city", ""],
      ["name", "city", "gender"],
    ],
    ["stay left out", ["city"], [""], ["city"], [""]],
    ["are not suggested for a second column", ["", ""], ["", "city"], ["city", ""], ["", "city"]],
    [
      "can be several lines of an address",
      ["", ""],
      ["", "address"],
      ["address", ""],
      ["address", "address"],
    ],
    ["replace the parts of a name", ["", ""], ["name", ""], ["", "name.first"], ["name", ""]],
    ["replace the whole name", ["", ""], ["name.first", ""], ["", "name"], ["name.first", ""]],
    ["are gone with their columns", ["", "", ""], ["", "", "city"], ["name", ""], ["name", ""]],
  ])("%s", (_, base, chosen, next, expected) => {
    expect(carry(base, chosen, next)).toEqual(expected);
  });

  test("keep the readings of values that the column still has", () => {
    const whale = { text: "Whale", becomes: "" };
    const gone = { text: "Sex", becomes: "" };
    const base = read(["gender", "city"]);
    const chosen = read(["gender", "city"], [{ key: "gender", values: [whale, gone] }]);
    const next = read(["gender", "city"], [{ key: "city", blankRefused: true }]);
    expect(carriedOver(base, chosen, next).mapping.columns).toEqual([
      { key: "gender", values: [whale] },
      { key: "city", blankRefused: true },
    ]);
    const moved = read(["city", "gender"]);
    expect(carriedOver(base, chosen, moved).mapping.columns).toEqual([]);
  });
});
