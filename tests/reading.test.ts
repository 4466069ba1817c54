import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { set } from "react-hook-form";
import { describe, expect, test } from "vitest";
import { factsAt } from "@/components/forms/fields";
import { countMissing, placeChanges, readForm, sectionLine } from "@/components/forms/reading";
import { ReadingView } from "@/components/forms/reading-view";
import { tableRows } from "@/components/forms/rows";
import { SECTIONS, showsDetail } from "@/components/forms/sections";
import { blankClient, blankForm, type FormValues, type Rules } from "@/components/forms/values";
import { choicesOf, optionsOf } from "@/components/record/choices";
import { join } from "@/components/record/section";
import type { FieldFacts } from "@/lib/core/fields/facts";
import { services } from "@/lib/forms/sections/services";
import type { ServiceCode } from "@/lib/lookups/api-schema";
import { type FormType, NO_FLAGS } from "@/lib/lookups/types";
import { formTypes } from "@/prisma/seed-data";
import { formListsOf } from "@/tests/form-lists";

// The reading view of a form, for every form type and section: blank, partly filled and full.

const list = (...names: string[]) => names.map((name, index) => ({ id: index + 1, name }));
const types = formTypes.map((type, index): FormType => ({ ...NO_FLAGS, ...type, id: index + 1 }));
const lists = formListsOf({
  ageBrackets: [{ id: 1, name: "0–17", rangeStart: 0 }],
  canines: list("None", "Rex"),
  custodyStatuses: list("Shared"),
  educationLevels: [{ id: 1, name: "College", sortOrder: 1 }],
  ethnicities: list("Asian", "Other"),
  hateCrimeCategories: list("Race"),
  incomeLevels: [{ id: 1, name: "None", rangeStart: 0 }],
  magisterialCourtOutcomes: list("Held"),
  offenderRelationships: list("Spouse"),
  pfaCourtContactTypes: list("Hearing"),
  secondaryVictimizations: list("Arson", "Other"),
  referralSources: [{ id: 1, code: "POLICE", description: "**Law enforcement**" }],
  formTypes: types,
});
const code = (id: number, flags: Partial<ServiceCode> = {}): ServiceCode => ({
  id,
  code: `CODE-${id}`,
  description: "",
  hotelShelter: false,
  videoconferencing: false,
  canBeMagistrate: false,
  onCallMainType: false,
  hasReferral: false,
  ...flags,
});
const rows = tableRows(null, [
  code(1, { description: "**Crisis** counseling", hasReferral: true }),
  code(2, { hotelShelter: true }),
  code(3, { canBeMagistrate: true }),
]);
const choices = choicesOf(lists);
const rules: Rules = { lists, choices, rows, codes: new Map(rows.map((row) => [row.code.id, row.code])) };

const typeNamed = (name: string) => types.find((type) => type.name === name) as FormType;

function screen(type: FormType): FormValues {
  const form = { ...blankForm(lists), formTypeId: type.id, serviceStatus: "Partially Served" as const };
  return {
    useExistingClient: false,
    contactId: null,
    clientId: null,
    client: { ...blankClient(), name: "Ada Moss" },
    form,
  };
}

/** Returns a value of the field that a user may enter. */
function sample(facts: FieldFacts): unknown {
  switch (facts.kind) {
    case "flag":
      return true;
    case "minutes":
      return 75;
    case "count":
      return 2;
    case "day":
      return "2026-03-04";
    case "choice":
      return facts.choices.find(({ value }) => value !== facts.blank)?.value;
    case "lookup":
      return optionsOf(facts, choices)[0]?.value;
    case "lookups":
      return optionsOf(facts, choices).map(({ value }) => value);
    default:
      return `Entered ${facts.label}`;
  }
}

const cases = types.flatMap((type) =>
  SECTIONS.flatMap((section) =>
    section.spec && section.shows(type, "Partially Served")
      ? [{ type, title: section.title, path: section.paths[0] ?? "", spec: section.spec }]
      : [],
  ),
);

describe("a section that a form type asks for", () => {
  test.each(cases)("$title of $type.name", ({ type, title, path, spec }) => {
    const blockOf = (values: FormValues) =>
      readForm(values, rules).blocks.find((block) => block.title === title);
    // Nothing entered: no line.
    const lines = blockOf(screen(type))?.parts.flatMap((part) => part.rows.map(({ text }) => text)) ?? [];
    expect(lines.filter((text) => text === "Yes" || text.startsWith("Entered "))).toEqual([]);

    // One field entered: its line, and the unticked boxes by name.
    const fields = spec.groups.flatMap(({ path: inner, fields }) =>
      fields.map((field) => ({ ...field, at: join(path, inner, field.name) })),
    );
    const box = fields.find(({ facts, shows }) => facts.kind === "flag" && !shows);
    if (box) {
      const partial = screen(type);
      set(partial, box.at, true);
      const read = blockOf(partial);
      const row = read?.parts.flatMap((part) => part.rows).find((line) => line.path === box.at);
      expect(row).toEqual({ path: box.at, label: box.facts.label, text: "Yes" });
    }

    // Everything entered: each shown field has one line, and no box is left.
    const full = screen(type);
    for (const { at, facts } of fields) set(full, at, sample(facts));
    const read = blockOf(full);
    const paths = read?.parts.flatMap((part) => part.rows.map((line) => line.path)) ?? [];
    expect(new Set(paths).size).toBe(paths.length);
    expect(read?.unticked).toEqual([]);
    const always = spec.groups.filter(({ shows }) => !shows);
    for (const { path: inner, fields } of always)
      for (const { name, shows } of fields) if (!shows) expect(paths).toContain(join(path, inner, name));
  });
});

describe("a form", () => {
  test.each(types)("$name without entries has no lines but its type and status", (type) => {
    const [details] = readForm(screen(type), rules).blocks;
    expect(details?.title).toBe("Form Details");
    expect(details?.parts[0]?.rows.map(({ label, text }) => `${label}: ${text}`)).toEqual([
      `Form Type: ${type.name}`,
      "Service Status: Partially Served",
    ]);
    expect(showsDetail("form.serviceOn", type)).toBe(true);
  });

  test("has the services with minutes, each with its name, in minutes", () => {
    const values = screen(typeNamed("Service"));
    set(values, "form.serviceEntry.rows.c1", {
      ...services.rowDefaults(1),
      minutes: 30,
      referrals: "Legal aid",
    });
    set(values, "form.serviceEntry.rows.c2", { ...services.rowDefaults(2), minutes: 0 });
    set(values, "form.serviceEntry.otherService", "Ride");
    set(values, "form.serviceEntry.otherServiceMinutes", 75);
    const read = readForm(values, rules);
    expect(read.services?.lines).toMatchObject([
      { code: "CODE-1", name: "Crisis counseling", referrals: "Legal aid", minutes: 30, details: [] },
    ]);
    expect(read.services?.other.map(({ text }) => text)).toEqual(["Ride", "1\u00a0h\u00a015\u00a0min"]);
    expect(read.missing.map(({ title }) => title)).not.toContain("Services");
    const section = SECTIONS.find(({ id }) => id === "services");
    expect(section && sectionLine(section, values, rules)).toBe(
      "CODE-1: 30\u00a0min, Other Service: Ride, Other Service Minutes: 1\u00a0h\u00a015\u00a0min",
    );
  });

  test("closes a section with what was entered, without a required field's default", () => {
    const values = screen(typeNamed("Phone"));
    const section = SECTIONS.find(({ id }) => id === "phone");
    const line = () => section && sectionLine(section, values, rules);
    expect(line()).toBe("");
    set(values, "form.intakeForm.phoneEntry.guns", true);
    expect(line()).toBe("Guns");
    set(values, "form.intakeForm.phoneEntry.currentPfaOrder", "Final");
    expect(line()).toBe("Current PFA Order: Final, Guns");
  });

  test("has the referral source in full, which its options shorten", () => {
    const values = screen(typeNamed("Phone"));
    const description = `Court: ${"magisterial district, ".repeat(5)}and more`;
    const long = { ...lists, referralSources: [{ id: 1, code: "COURT", description }] };
    values.form.intakeForm.referralSourceId = 1;
    const read = readForm(values, { ...rules, choices: choicesOf(long) });
    const texts = read.blocks[0]?.parts[0]?.rows.map(({ text }) => text);
    expect(texts).toContain(`COURT – ${description}`);
    const [option] = optionsOf(factsAt("form.intakeForm.referralSourceId"), choicesOf(long));
    expect(option?.label).toMatch(/^COURT – .{59}…$/);
  });

  test.each([
    ["M", 25, ["Evaluation Given", "First Criminal Court"]],
    ["CT", 35, ["Evaluation Given", "PFA Granted", "First PFA"]],
    ["PF", 35, ["Evaluation Given"]],
  ])("at the place of service %s totals %i minutes, and has the boxes %j", (place, total, boxes) => {
    const values = screen(typeNamed("Legal Advocacy"));
    set(values, "form.intakeForm.legalAdvocacyEntry.placeOfService", place);
    set(values, "form.serviceEntry.rows.c1", { ...services.rowDefaults(1), minutes: 10 });
    set(values, "form.serviceEntry.rows.c3", { ...services.rowDefaults(3), minutes: 25 });
    const read = readForm(values, rules);
    expect(read.services?.total).toBe(total);
    expect(read.blocks.find(({ title }) => title === "Legal Advocacy")?.unticked).toEqual(boxes);
  });

  test("names the missing answers that funders ask for, by section", () => {
    const values = screen(typeNamed("Survivor"));
    const missingIn = (title: string) =>
      readForm(values, rules).missing.find((section) => section.title === title)?.labels ?? [];
    const before = countMissing(values, rules);
    expect(missingIn("Survivor")).toContain("Secondary Victimizations");
    set(values, "form.intakeForm.survivorEntry.secondaryVictimizationIds", [1]);
    expect(missingIn("Survivor")).not.toContain("Secondary Victimizations");
    expect(countMissing(values, rules)).toBe(before - 1);
    const service = screen(typeNamed("Service"));
    expect(readForm(service, rules).missing).toEqual([{ title: "Services", labels: ["Minutes"] }]);
    expect(countMissing(service, rules)).toBe(1);
    set(service, "form.formTypeId", null);
    expect(countMissing(service, rules)).toBe(0);
  });

  test.each([
    [[], "", "Offender Relationship, Secondary Victimizations"],
    [[], "Cybercrime", "Offender Relationship"],
    [[1], "", "Offender Relationship"],
    [[1, 2], "", "Offender Relationship, Secondary Victimization Other"],
    [[2], "Cybercrime", "Offender Relationship"],
  ])("with the victimizations %j and the text %j misses %j", (ids, text, line) => {
    const values = screen(typeNamed("Survivor"));
    set(values, "form.intakeForm.survivorEntry.secondaryVictimizationIds", ids);
    set(values, "form.intakeForm.survivorEntry.secondaryVictimizationOther", text);
    const { missing } = readForm(values, rules);
    expect(missing.find(({ title }) => title === "Survivor")?.labels.join(", ")).toBe(line);
  });

  test("without the client's parts has none of their lines and misses none of their answers", () => {
    const values = screen(typeNamed("On-Call Advocacy"));
    set(values, "client.clientBiographicalEntry.city", "Erie");
    const texts = (withClient: boolean) => JSON.stringify(readForm(values, rules, withClient));
    expect(texts(true)).toContain("Erie");
    expect(texts(false)).not.toContain("Erie");
    expect(texts(false)).not.toContain("Ethnicity");
  });
});

test("a phone number is read as a mask, and its text is nowhere", () => {
  const values = screen(typeNamed("On-Call Advocacy"));
  set(values, "client.clientBiographicalEntry.phoneNumber", "(814) 555-0177");
  const reading = readForm(values, rules);
  expect(JSON.stringify(reading)).not.toContain("555-0177");
  const rows = reading.blocks.flatMap(({ parts }) => parts.flatMap(({ rows }) => rows));
  expect(rows.filter(({ isPhone }) => isPhone)).toEqual([
    expect.objectContaining({ label: "Phone Number", text: "(•••) •••-••••" }),
  ]);
});

test("Safe to Call is read next to a number, also No, and without a number only Yes", () => {
  const rowsOf = (phoneNumber: string, safeToCall: boolean) => {
    const values = screen(typeNamed("On-Call Advocacy"));
    Object.assign(values.client.clientBiographicalEntry, { phoneNumber, safeToCall, city: "Erie" });
    const block = readForm(values, rules).blocks.find(({ title }) => title === "Client Biographical");
    return {
      rows: block?.parts.flatMap(({ rows }) => rows.map(({ label, text }) => `${label}: ${text}`)),
      isUnticked: block?.unticked.includes("Safe to Call"),
    };
  };
  const number = "Phone Number: (•••) •••-••••";
  expect(rowsOf("(814) 555-0177", false)).toEqual({
    rows: ["City: Erie", number, "Safe to Call: No"],
    isUnticked: false,
  });
  expect(rowsOf("(814) 555-0177", true).rows).toEqual(["City: Erie", number, "Safe to Call: Yes"]);
  expect(rowsOf("", false)).toEqual({ rows: ["City: Erie"], isUnticked: true });
});

test("the view begins with what is missing, and has a column for referrals only if a row has one", () => {
  const shown = (referrals: string) => {
    const values = screen(typeNamed("Phone"));
    set(values, "form.serviceEntry.rows.c1", { ...services.rowDefaults(1), minutes: 30, referrals });
    return renderToStaticMarkup(createElement(ReadingView, { values, rules }));
  };
  const titles = [...shown("").matchAll(/<h3[^>]*>(.*?)<.h3>/g)].map(([, title]) => title);
  expect(titles).toEqual(["Missing information for funder reports", "Form Details", "Phone", "Services"]);
  const headings = (html: string) => [...html.matchAll(/<th scope[^>]*>(.*?)<.th>/g)].map(([, text]) => text);
  expect(headings(shown(""))).toEqual(["Code", "Time Spent (minutes)"]);
  expect(headings(shown("Legal aid"))).toEqual(["Code", "Referral", "Time Spent (minutes)"]);
  expect(shown("")).toContain('colSpan="2"');
});

describe("the changes since a check", () => {
  const at = (place: number, name: string) => `form.serviceEntry.serviceProvidedEntries.${place}.${name}`;
  const change = (field: string, text: string, more: object = {}) => ({
    field,
    section: "Services",
    text,
    ...more,
  });

  test("are read at the field or the row of services that they changed, and otherwise among the others", () => {
    const values = screen(typeNamed("Service"));
    set(values, "form.serviceEntry.rows.c1", { ...services.rowDefaults(1), minutes: 45 });
    const removed = change(at(0, "serviceCodeId"), "Removed CODE-1", { isRemoved: true });
    const elsewhere = change(at(1, "serviceCodeId"), "Added CODE-2");
    const placed = placeChanges(
      readForm(values, rules),
      [
        change("form.serviceStatus", "Service Status: Served → Partially Served"),
        change(at(0, "minutes"), "CODE-1: 30\u00a0min → 45\u00a0min"),
        removed,
        elsewhere,
      ],
      ["c1", "s99"],
    );
    expect([...placed.rows]).toEqual([["form.serviceStatus", ["Served → Partially Served"]]]);
    expect([...placed.lines]).toEqual([["c1", ["CODE-1: 30\u00a0min → 45\u00a0min"]]]);
    expect(placed.others).toEqual([removed, elsewhere]);
  });
});
