import { describe, expect, test } from "vitest";
import { DEMOGRAPHIC } from "@/components/clients/sections";
import { PHONE } from "@/components/forms/sections/phone";
import { SURVIVOR } from "@/components/forms/sections/survivor";
import { type Block, blocksOf } from "@/components/record/blocks";
import { recordResolver } from "@/components/record/record-form";
import { enteredFields, valuesOf } from "@/components/record/record-text";
import type { SectionSpec } from "@/components/record/section";
import { timeTable } from "@/components/reports/time-table";
import { contacts } from "@/lib/contacts/record";
import { idsToRead } from "@/lib/forms/review/schema";
import type { Time } from "@/lib/reports/schema";

// Pure rules of the review and report screens.

const day = (on: string, codes: Record<string, number>, more: Partial<Time["days"][number]> = {}) => ({
  on,
  codes: Object.entries(codes).map(([code, minutes]) => ({ serviceCodeId: code.length, code, minutes })),
  minutes: Object.values(codes).reduce((sum, minutes) => sum + minutes, 0),
  otherMinutes: 0,
  contactMinutes: 0,
  activityMinutes: 0,
  sessionMinutes: 0,
  eventMinutes: 0,
  ...more,
});

describe("the grids of fields", () => {
  /** `guns`; `previousPfas > previousPfasDescription`, with the fields below a box. */
  const words = ({ isChecks, cells }: Block<{ name: string }>) =>
    `${isChecks ? "boxes" : "fields"}: ${cells.map(({ field, below }) => [field, ...below].map(({ name }) => name).join(" > ")).join(", ")}`;

  test.each<[string, SectionSpec, number, string[]]>([
    [
      "a field under the box that asks for it",
      PHONE,
      1,
      [
        "boxes: previousPfas > previousPfasDescription, relatedArrests > relatedArrestsDescription, survivorDrugsAlcohol, offenderDrugsAlcohol, survivorMentalHealth, offenderMentalHealth, guns, otherWeapons, lethalityAssessed",
      ],
    ],
    [
      "boxes together, and a day under its box",
      SURVIVOR,
      2,
      [
        "boxes: injuredHead, lostConsciousness, physicalSymptoms, sensoryChanges, psychologicalChanges, emergencyVisit > emergencyVisitOn",
      ],
    ],
    [
      "a field of several boxes after them",
      SURVIVOR,
      3,
      ["fields: name", "boxes: threatenedPet, harmedPet, killedPet", "fields: petDescription"],
    ],
    [
      "a box under another box",
      DEMOGRAPHIC,
      2,
      ["boxes: disabilityPhysical > disabilityDeaf, disabilityCognitive, disabilityMental"],
    ],
  ])("have %s", (_, { groups }, at, expected) => {
    expect(blocksOf(groups[at]?.fields ?? []).map(words)).toEqual(expected);
  });

  test("of a record separate its fields from its boxes too", () => {
    expect(blocksOf(enteredFields(contacts)).map(words).at(-1)).toBe(
      "boxes: shelterRequested > adults > children > turnedAwayReason",
    );
  });
});

describe("the table of minutes", () => {
  test.each([
    ["a week", "2026-11-22", "2026-11-28", ["11/22", "11/24"], ["2026-11-22", "2026-11-24"]],
    ["a month", "2026-11-01", "2026-11-30", ["11/01–11/07", "11/22–11/28"], ["2026-11-02", "2026-11-28"]],
    ["a quarter", "2026-10-01", "2026-12-31", ["Oct 2026", "Dec 2026"], ["2026-10-01", "2026-12-31"]],
    ["a leap year", "2028-01-01", "2028-12-31", ["Jan 2028", "Dec 2028"], ["2028-01-01", "2028-12-31"]],
    ["two years", "2025-01-01", "2026-12-31", ["2025", "2026"], ["2025-12-31", "2026-01-01"]],
  ])("of %s has columns that fit on a screen, without empty ones", (_, from, to, columns, days) => {
    const table = timeTable({ days: days.map((on) => day(on, { SAFETY: 30 })) }, { from, to });
    expect(table.columns).toEqual(columns);
    expect(table.codes).toEqual([{ label: "SAFETY", minutes: [30, 30], sum: 60 }]);
  });

  test("has a row for each code by name, and minutes that are in no total below it", () => {
    const days = [
      day("2026-11-22", { SAFETY: 30, COMP: 15 }, { contactMinutes: 7 }),
      day("2026-11-23", { COMP: 10 }, { activityMinutes: 60 }),
    ];
    expect(timeTable({ days }, { from: "2026-11-22", to: "2026-11-28" })).toEqual({
      columns: ["11/22", "11/23"],
      codes: [
        { label: "COMP", minutes: [15, 10], sum: 25 },
        { label: "SAFETY", minutes: [30, 0], sum: 30 },
      ],
      total: { label: "Total", minutes: [45, 10], sum: 55 },
      apart: [
        { label: "Contacts", minutes: [7, 0], sum: 7 },
        { label: "Activities", minutes: [0, 60], sum: 60 },
      ],
    });
  });
});

test.each([
  [undefined, []],
  ["", []],
  ["7,12,7", [7, 12]],
  ["7,x,-1,0,99999999999", [7]],
])("the page of forms to read takes from %j the ids %j", (text, ids) => expect(idsToRead(text)).toEqual(ids));

describe("a typed contact", () => {
  const resolver = recordResolver(contacts);
  const options = { fields: {}, shouldUseNativeValidation: false };
  const typed = (values: object) =>
    resolver({ ...valuesOf(contacts), contactKindId: 1, ...values }, undefined, options);

  test.each([
    [{ minutes: null }, { minutes: 0 }],
    [{ number: null }, { number: 1 }],
    [{ adults: 2 }, { adults: 0 }],
    [{ shelterRequested: true, adults: 2 }, { adults: 2 }],
    [{ adults: "two" }, { adults: 0 }],
  ])("with %j is sent with %j", async (values, sent) =>
    expect((await typed(values)).values).toMatchObject(sent),
  );

  test.each([
    ["minutes", "1.5", "Minutes must be a whole number"],
    ["number", "1e2", "How Many must be a whole number"],
    ["contactedOn", null, "Date is required"],
    ["contactedOn", "3/4/20", "Date must be a date. Month first, like 04/03/2026"],
  ])("refuses the %s %j in words", async (name, text, problem) =>
    expect((await typed({ [name]: text })).errors).toMatchObject({ [name]: { message: problem } }),
  );
});
