import { describe, expect, test } from "vitest";
import {
  changeWords,
  type FieldChange,
  labelsOf,
  sentencesOf,
  type ValueText,
  valueWords,
} from "@/lib/audit/change-words";
import { changesOf } from "@/lib/audit/changes";
import { bySection } from "@/lib/audit/sentences";
import { clientSchema } from "@/lib/clients/schema";
import { textOf } from "@/lib/core/fields/columns";
import { type FieldFacts, factsOf } from "@/lib/core/fields/facts";
import * as field from "@/lib/core/fields/vocabulary";
import { formSchema } from "@/lib/forms/schema";

const names = new Map([
  ["service_codes 5", "HOTEL"],
  ["service_codes 7", "CRISIS"],
  ["ethnicities 1", "White"],
  ["ethnicities 2", "Other"],
  ["secondary_victimizations 1", "Arson"],
  ["secondary_victimizations 2", "Stalking"],
  ["secondary_victimizations 3", "Threats, verbal"],
  ["secondary_victimizations 4", "Arson"],
  ["clients 3", "Jane Doe"],
]);
const valueText: ValueText = (facts, value) => textOf(value, facts, names, ", ");
const options = { valueText, readable: true, whole: false };

const texts = (schema: typeof formSchema | typeof clientSchema, changes: FieldChange[], wording = options) =>
  sentencesOf(schema, changes, wording).map(({ section, text }) => (section ? `${section} | ${text}` : text));

const facts = (schema: Parameters<typeof factsOf>[0]) => factsOf(schema) as FieldFacts;
const KINDS = {
  text: facts(field.text("City")),
  longText: facts(field.longText("Referral")),
  flag: facts(field.flag("Guns")),
  day: facts(field.day("Date of Birth")),
  minutes: facts(field.minutes("Minutes")),
  count: facts(field.count("Adults")),
  whole: facts(field.whole("Sort Order")),
  choice: facts(field.choice([{ value: "M", label: "Magisterial Court" }, "Other"], "Place")),
  lookup: facts(field.lookup("ethnicities", "Ethnicity")),
  lookups: facts(field.lookups("secondary_victimizations", "Secondary Victimizations")),
};

describe("a changed value in words", () => {
  test.each<[keyof typeof KINDS, unknown, unknown, string]>([
    ["text", "Erie", "Pittsburgh", "Erie → Pittsburgh"],
    ["text", "", "Pittsburgh", "added Pittsburgh"],
    ["text", null, "Pittsburgh", "added Pittsburgh"],
    ["text", "Erie", "", "removed Erie"],
    ["text", "Erie", null, "removed Erie"],
    ["longText", "Court", "Legal aid", "Court → Legal aid"],
    ["longText", "One\nTwo", "One", "changed from “One\nTwo” to “One”"],
    ["longText", "", "One\nTwo", "added “One\nTwo”"],
    ["longText", "x".repeat(61), "", `removed “${"x".repeat(61)}”`],
    ["flag", false, true, "No → Yes"],
    ["flag", true, false, "Yes → No"],
    ["flag", null, true, "No → Yes"],
    ["flag", true, null, "Yes → No"],
    ["day", "2026-03-04", "2026-03-05", "03/04/2026 → 03/05/2026"],
    ["day", null, "2026-03-05", "added 03/05/2026"],
    ["minutes", 30, 45, "30\u00a0min → 45\u00a0min"],
    ["minutes", 1, 30, "1\u00a0min → 30\u00a0min"],
    ["minutes", 30, 1, "30\u00a0min → 1\u00a0min"],
    ["minutes", null, 30, "0\u00a0min → 30\u00a0min"],
    ["minutes", 30, null, "30\u00a0min → 0\u00a0min"],
    ["minutes", "1:15", 30, "1\u00a0h\u00a015\u00a0min → 30\u00a0min"],
    ["count", 0, 2, "0 → 2"],
    ["count", null, 2, "0 → 2"],
    ["count", 2, null, "2 → 0"],
    ["whole", 10, 20, "10 → 20"],
    ["choice", "M", "Other", "Magisterial Court → Other"],
    ["choice", null, "M", "added Magisterial Court"],
    ["lookup", 1, 2, "White → Other"],
    ["lookup", null, 2, "added Other"],
    ["lookup", 1, null, "removed White"],
    ["lookup", 1, 99, "White → #99"],
    ["lookups", [], [1], "added Arson"],
    ["lookups", [1, 2], [], "removed Arson and Stalking"],
    ["lookups", [1, 2], [2, 3], "added Threats, verbal, removed Arson"],
    ["lookups", null, [2], "added Stalking"],
    ["lookups", [1], [1, 4], "added Arson"],
  ])("of kind %s from %j to %j reads: %s", (kind, from, to, words) => {
    expect(changeWords(KINDS[kind], from, to, valueText)).toBe(words);
  });

  test.each<[keyof typeof KINDS, unknown, string]>([
    ["flag", null, "No"],
    ["minutes", null, "0\u00a0min"],
    ["minutes", 1, "1\u00a0min"],
    ["minutes", "1h40", "1\u00a0h\u00a040\u00a0min"],
    ["minutes", "1.5", "1.5"],
    ["minutes", "-5", "-5"],
    ["count", null, "0"],
    ["text", null, ""],
    ["lookups", [2, 1], "Arson, Stalking"],
    ["lookups", null, ""],
  ])("of kind %s with the value %j reads: %s", (kind, value, words) => {
    expect(valueWords(KINDS[kind], value, valueText)).toBe(words);
  });
});

const ROWS = "form.serviceEntry.serviceProvidedEntries";
const row = (id: number, serviceCodeId: number, minutes: number, more: object = {}) => ({
  id,
  serviceCodeId,
  minutes,
  ...more,
});
const rowsChanged = (before: object[], after: object[]) =>
  changesOf(
    formSchema,
    { serviceEntry: { serviceProvidedEntries: before } },
    { serviceEntry: { serviceProvidedEntries: after } },
    "form",
  );

describe("changed rows in words", () => {
  const hotel = row(1, 5, 30);
  const crisis = row(2, 7, 75);
  const detailed = {
    referrals: "Legal aid",
    hotelShelterEntry: { metNeeds: true, adults: 2, reason: "" },
  };
  test.each<[string, object[], object[], string[]]>([
    ["was added", [], [hotel], ["Added HOTEL, 30\u00a0min"]],
    ["was removed", [hotel], [], ["Removed HOTEL, 30\u00a0min"]],
    ["has other minutes", [hotel], [row(1, 5, 45)], ["HOTEL: 30\u00a0min → 45\u00a0min"]],
    ["has another code", [hotel], [row(1, 7, 30)], ["HOTEL → CRISIS"]],
    [
      "has another code and other minutes",
      [hotel],
      [row(1, 7, 31)],
      ["HOTEL → CRISIS", "CRISIS: 30\u00a0min → 31\u00a0min"],
    ],
    [
      "was added with details",
      [],
      [row(1, 5, 30, detailed)],
      ["Added HOTEL, 30\u00a0min; Referral: Legal aid; Hotel Shelter: Needs Met Yes, Adults 2"],
    ],
    [
      "has other details",
      [hotel],
      [row(1, 5, 30, detailed)],
      [
        "HOTEL, Referral: added Legal aid",
        "HOTEL, Hotel Shelter, Needs Met: No → Yes",
        "HOTEL, Hotel Shelter, Adults: 0 → 2",
      ],
    ],
    [
      "was removed while the next one, now at its index, has other minutes",
      [hotel, crisis],
      [row(2, 7, 80)],
      ["Removed HOTEL, 30\u00a0min", "CRISIS: 1\u00a0h\u00a015\u00a0min → 1\u00a0h\u00a020\u00a0min"],
    ],
    [
      "was replaced by another",
      [hotel],
      [{ serviceCodeId: 7, minutes: 75 }],
      ["Removed HOTEL, 30\u00a0min", "Added CRISIS, 1\u00a0h\u00a015\u00a0min"],
    ],
    [
      "was removed and the others moved up",
      [hotel, crisis],
      [crisis, row(3, 5, 10)],
      ["Removed HOTEL, 30\u00a0min", "Added HOTEL, 10\u00a0min"],
    ],
    [
      "was removed like another",
      [hotel, crisis],
      [],
      ["Removed HOTEL, 30\u00a0min", "Removed CRISIS, 1\u00a0h\u00a015\u00a0min"],
    ],
    ["did not change", [hotel], [hotel], []],
  ])("state that a row %s", (_, before, after, words) => {
    expect(texts(formSchema, rowsChanged(before, after))).toEqual(words.map((text) => `Services | ${text}`));
  });

  test("that were recorded without the name of their row show its number", () => {
    const changes = [
      { field: `${ROWS}.4.minutes`, from: 30, to: 45 },
      { field: `${ROWS}.4.referrals`, from: "", to: "Court" },
    ];
    expect(texts(formSchema, changes)).toEqual([
      "Services | Row 5: 30\u00a0min → 45\u00a0min",
      "Services | Row 5, Referral: added Court",
    ]);
  });

  test("whose values may not be shown are one sentence", () => {
    const changes = rowsChanged([hotel, crisis], []).map((change) => ({ ...change, from: null, to: null }));
    expect(texts(formSchema, changes, { ...options, readable: false })).toEqual(["Services changed"]);
  });

  test("of a created or deleted record are listed without a verb", () => {
    const whole = { ...options, whole: true };
    expect(texts(formSchema, rowsChanged([], [hotel]), whole)).toEqual(["Services | HOTEL, 30\u00a0min"]);
    expect(texts(formSchema, rowsChanged([hotel], []), whole)).toEqual(["Services | HOTEL, 30\u00a0min"]);
  });
});

describe("changed fields in words", () => {
  const change = (field: string, from: unknown, to: unknown) => [{ field, from, to }];
  test.each<[FieldChange[], string]>([
    [change("form.serviceOn", "2026-03-04", "2026-03-05"), "Service On: 03/04/2026 → 03/05/2026"],
    [
      change("form.serviceEntry.otherServiceMinutes", 0, 30),
      "Services | Other Service Minutes: 0\u00a0min → 30\u00a0min",
    ],
    [
      change("form.intakeForm.referralSourceName", "", "Officer Diaz"),
      "Referral Source Name: added Officer Diaz",
    ],
    [
      change("form.intakeForm.survivorEntry.secondaryVictimizationIds", [1], [2]),
      "Survivor | Secondary Victimizations: added Stalking, removed Arson",
    ],
    [
      change("form.intakeForm.survivorEntry.brainInjuryEntry.injuredHead", false, true),
      "Survivor › Brain Injury | Head Injury: No → Yes",
    ],
    [change("form.clientId", 3, 99), "Client: Jane Doe → #99"],
    [change("form.returned", null, "How long?"), "Comment: How long?"],
    [change("form.returned", "How long?", null), "Answered the comment: How long?"],
    [change("form.comments", null, "An hour"), "Comment: An hour"],
    [change("form.reconciled", true, false), "Needs to be reconciled again"],
  ])("of a form: %j reads %s", (changes, words) => {
    expect(texts(formSchema, changes)).toEqual([words]);
  });

  test.each<[FieldChange[], string]>([
    [change("client.name", "Jane", "Joan"), "Client Name: Jane → Joan"],
    [
      change("client.clientDemographicEntry.ethnicityId", 1, 2),
      "Client Demographics | Ethnicity: White → Other",
    ],
    [
      change("client.clientDemographicEntry.gender", "Unknown", "Female"),
      "Client Demographics | Gender: Unknown → Female",
    ],
    [change("client.mergedWith", null, 12), "Client 12 was merged into this client"],
    [change("client.mergedWith", 12, null), "Client 12 was separated again"],
    [change("client.mergedInto", null, 5), "Merged into client 5"],
    [change("client.mergedInto", 5, null), "Separated from client 5 again"],
    [change("client.hold", null, "Subpoena"), "Legal hold: Subpoena"],
    [change("client.hold", "Subpoena", null), "Legal hold ended (Subpoena)"],
    [change("client.hiddenFrom", "", "Grace Hopper"), "Hidden from: added Grace Hopper"],
  ])("of a client: %j reads %s", (changes, words) => {
    expect(texts(clientSchema, changes)).toEqual([words]);
  });

  test("whose values may not be shown are listed by name", () => {
    const changes = [
      { field: "client.name", from: null, to: null },
      { field: "client.clientDemographicEntry.ethnicityId", from: null, to: null },
      { field: "client.mergedWith", from: null, to: null },
    ];
    expect(texts(clientSchema, changes, { ...options, readable: false })).toEqual([
      "Client Name changed",
      "Client Demographics | Ethnicity changed",
      "Merged with another record",
    ]);
  });

  test("of a created or deleted record are its values", () => {
    const whole = { ...options, whole: true };
    const client = { name: "Jane", clientDemographicEntry: { military: true, ethnicityId: 2 } };
    const values = [
      "Client Name: Jane",
      "Client Demographics | Ethnicity: Other",
      "Client Demographics | Military: Yes",
    ];
    expect(texts(clientSchema, changesOf(clientSchema, null, client, "client"), whole)).toEqual(values);
    expect(texts(clientSchema, changesOf(clientSchema, client, null, "client"), whole)).toEqual(values);
  });

  test("are listed by section, with the record's own fields first", () => {
    const sentences = sentencesOf(
      clientSchema,
      [
        { field: "client.clientDemographicEntry.military", from: false, to: true },
        { field: "client.name", from: "Jane", to: "Joan" },
        { field: "client.clientDemographicEntry.homeless", from: true, to: false },
      ],
      options,
    );
    const sections = bySection(sentences).map(({ section, sentences }) => [
      section,
      ...sentences.map(({ text }) => text),
    ]);
    expect(sections).toEqual([
      ["", "Client Name: Jane → Joan"],
      ["Client Demographics", "Military: No → Yes", "Homeless: Yes → No"],
    ]);
  });
});

describe("the labels of changed fields", () => {
  test("name each section and each list of rows once", () => {
    const fields = [
      "form.serviceOn",
      "form.intakeForm.survivorEntry.childAges",
      "form.intakeForm.survivorEntry.custodyStatusId",
      `${ROWS}.0.minutes`,
      `${ROWS}.1.minutes`,
      "form.serviceEntry.otherService",
    ];
    expect(labelsOf(formSchema, fields)).toEqual([
      "Service On",
      "Services",
      "Survivor: Ages of Children, Custody Status",
      "Services: Other Service",
    ]);
  });

  test("are readable words for a record kind without a schema", () => {
    expect(labelsOf(undefined, ["draft.userId", "closedThrough"])).toEqual(["User id", "Closed through"]);
  });
});
