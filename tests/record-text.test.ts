import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import {
  askedValues,
  copyOf,
  emptyListWords,
  enteredFields,
  fieldsOfEntry,
  fieldText,
  namesSame,
  recordWords,
  valuesOf,
} from "@/components/record/record-text";
import { activities } from "@/lib/activities/record";
import { fieldsOf } from "@/lib/core/fields/facts";
import * as field from "@/lib/core/fields/vocabulary";
import { declareRecord, type RecordDeclaration } from "@/lib/core/records/declaration";
import { today } from "@/lib/core/text/format";
import { events } from "@/lib/events/record";

// The words and values of declared records on screens.

const schema = z.object({
  heldOn: field.day("Held On"),
  kindId: field.lookup("activity_kinds", "Kind"),
  minutes: field.minutes("Minutes"),
  people: field.count("People", { max: 99_999 }),
  number: field.whole("Number"),
  cost: field.money("Cost"),
  title: field.text("Title"),
  notes: field.longText("Notes"),
  online: field.flag("Online"),
  audience: field.choice([{ value: "youth", label: "Young people" }], "Audience", { blank: "" }),
});
const fields = new Map(fieldsOf(schema).map((found) => [found.name, found]));
const record = { id: 1, lockVersion: 0, userId: 1, user: { id: 1, firstName: "Ada", lastName: "Lovelace" } };

describe("a field of a stored record as text", () => {
  test.each([
    ["heldOn", "2026-02-03", "02/03/2026"],
    ["minutes", 75, "01:15"],
    ["minutes", 0, "00:00"],
    ["people", 12_345, "12,345"],
    ["number", -4, "-4"],
    ["cost", "1234.50", "$1,234.50"],
    ["title", "Vigil", "Vigil"],
    ["notes", "", ""],
    ["online", true, "Yes"],
    ["online", false, "No"],
    ["audience", "youth", "Young people"],
    ["audience", "", ""],
  ])("%s %j is %j", (name, value, text) => {
    const found = fields.get(name);
    if (!found) throw new Error(`There is no field ${name}`);
    expect(fieldText(found, { ...record, [name]: value })).toBe(text);
  });

  test("a record of a list is its name, and none is blank", () => {
    const found = fields.get("kindId");
    if (!found) throw new Error("There is no field kindId");
    expect(fieldText(found, { ...record, kindId: 3, kind: { id: 3, name: "Travel" } })).toBe("Travel");
    expect(fieldText(found, { ...record, kindId: null, kind: null })).toBe("");
  });
});

describe("the form of a declared record", () => {
  const stored = {
    ...record,
    occurredOn: "2026-02-03",
    activityKindId: 3,
    activityKind: { id: 3, name: "Travel" },
    minutes: 30,
  };

  test("begins with blanks and today, without the version", () => {
    expect(valuesOf(activities)).toEqual({ occurredOn: today(), activityKindId: null, minutes: null });
    expect(enteredFields(activities).map(({ name }) => name)).toEqual([
      "occurredOn",
      "activityKindId",
      "minutes",
    ]);
  });

  test("has the stored fields alone, which it sends", () => {
    const values = { occurredOn: "2026-02-03", activityKindId: 3, minutes: 30 };
    expect(valuesOf(activities, stored)).toEqual(values);
    expect(askedValues(activities, values)).toEqual(values);
  });

  test("names what was recorded without its day", () => {
    expect(recordWords(activities, stored)).toBe("Travel, 30\u00a0min");
    expect(recordWords(activities, { ...stored, minutes: 75 })).toBe("Travel, 1\u00a0h\u00a015\u00a0min");
  });
});

describe("the quick entry", () => {
  const entryOf = (columns: string[]) => {
    const declaration = {
      ...activities,
      schema: z.object({
        trainedOn: field.day("Date", { required: true }),
        given: field.flag("Certificate Given"),
        number: field.text("Certificate Number", { dependsOn: { boxes: ["given"] } }),
        minutes: field.minutes("Minutes", { required: true }),
      }),
      day: "trainedOn",
      columns,
    };
    const { main, details } = fieldsOfEntry(declaration);
    return { main: main.map(({ name }) => name), details: details.map(({ name }) => name) };
  };

  test("has a field of a box next to the box, so that ticking it shows the field", () => {
    expect(entryOf(["trainedOn", "given"])).toEqual({
      main: ["given", "number", "minutes", "trainedOn"],
      details: [],
    });
  });

  test("has a box that is in no column in its details, with its fields", () => {
    expect(entryOf(["trainedOn"])).toEqual({
      main: ["minutes", "trainedOn"],
      details: ["given", "number"],
    });
  });
});

test.each([
  ["shows rows", { columns: ["heldOn", "staff"] }, "The list of event cannot show, filter, or search staff"],
  ["filters by a text", { filters: ["title"] }, "The list of event cannot show, filter, or search title"],
  [
    "searches a number",
    { searched: ["attended"] },
    "The list of event cannot show, filter, or search attended",
  ],
  ["has no day", { columns: ["title"] }, "The list of event needs the column heldOn"],
])("a declaration whose list %s is refused", (_, wrong, words) => {
  const declaration: RecordDeclaration = { ...events, ...wrong };
  expect(() => declareRecord(declaration)).toThrow(words);
});

test("blank minutes that are required are refused", () => {
  const minutes = z.object({ minutes: field.minutes("Minutes", { required: true }) });
  for (const blank of [null, undefined, "", 0])
    expect(z.safeParse(minutes, { minutes: blank }).success, String(blank)).toBe(false);
  expect(z.safeParse(minutes, { minutes: 1 }).success).toBe(true);
});

test("an empty list of kinds leads those who may add one to a new one, and tells others who can", () => {
  const holding = (name: string) => ({ permissions: [{ id: 1, name }] });
  expect(emptyListWords("activity_kinds", holding("Activity Kinds"))).toEqual({
    words: "No activity kinds are set up.",
    adds: "Add an activity kind",
  });
  expect(emptyListWords("contact_kinds", holding("Activity Kinds"))).toEqual({
    words: "No contact kinds are set up. An administrator can add them in Settings.",
    adds: null,
  });
});

describe("a copy of an event", () => {
  const choices = {
    users: [
      { id: 1, name: "Ada Lovelace", active: true },
      { id: 2, name: "Ben Franklin", active: false },
    ],
  };
  const event = { ...record, title: "Vigil", audience: "general", attended: 40, heldOn: "2026-02-03" };
  const staffOf = (...ids: number[]) => ids.map((userId) => ({ id: userId + 10, userId, minutes: 60 }));
  const copied = (...ids: number[]) => copyOf(events, { ...event, staff: staffOf(...ids) }, choices);

  test("has its title and its staff as new rows, and neither its day nor the people who attended", () => {
    expect(copied(1)).toMatchObject({
      title: "Vigil",
      audience: "general",
      staff: [{ userId: 1, minutes: 60 }],
    });
    expect(JSON.stringify(copied(1))).not.toMatch(/"id"|attended|heldOn/);
  });

  test("leaves out staff whose accounts are deactivated, and the list if nobody remains", () => {
    expect(copied(1, 2).staff).toEqual([{ userId: 1, minutes: 60 }]);
    expect(copied(2)).not.toHaveProperty("staff");
  });

  test("names the same staff as a new event only if the user alone was staff", () => {
    const own = { staff: [{ userId: 1, minutes: null }] };
    expect(namesSame(events, copied(1), own)).toBe(true);
    for (const others of [staffOf(3), staffOf(1, 3), []])
      expect(namesSame(events, { staff: others }, own)).toBe(false);
  });
});
