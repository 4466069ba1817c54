import { parse } from "csv-parse/sync";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { BIOGRAPHICAL, DEMOGRAPHIC } from "@/components/clients/sections";
import { servicesHeadings } from "@/components/forms/fields";
import { openedAs, readClient, readForm } from "@/components/forms/reading";
import {
  detailsInOrder,
  FIXED_DETAILS,
  inScreenOrder,
  SECTIONS,
  showsDetail,
} from "@/components/forms/sections";
import { summaryOf, warningsOf } from "@/components/forms/summary";
import { choicesOf } from "@/components/record/choices";
import type { SectionItem } from "@/components/record/section";
import { fieldSections, sectionAt } from "@/components/settings/fields/layout";
import { withMoved } from "@/components/settings/fields/with-moved";
import type { Client } from "@/lib/clients/api-schema";
import { clientColumns } from "@/lib/clients/columns";
import { db, rows } from "@/lib/core/database/client";
import { currentDefinitions } from "@/lib/core/fields/definitions";
import { declaredFacts, factsOf, fieldAtPath, isNested } from "@/lib/core/fields/facts";
import { customFieldPath, flat, inOrder, type Unit, unitsOf } from "@/lib/core/fields/in-order";
import { isRecord } from "@/lib/core/objects";
import { sql } from "@/lib/core/sql";
import type { Form } from "@/lib/forms/api-schema";
import { suggestionsFor, warningsOfClient } from "@/lib/forms/by-client/read";
import { formColumns } from "@/lib/forms/columns";
import { settingItems } from "@/lib/forms/fields/controls";
import { formLists } from "@/lib/lookups/resources/lists";
import { runImports } from "@/lib/transfer/imports/run";
import { actorFor, call } from "@/tests/call";
import { fullClient, fullForm, makeClient, makeUser, type Person } from "@/tests/factories";

// The organization changes the built-in fields. The tables have every field.

const FIELDS = settingItems([]);
const leaves = FIELDS.filter(({ kind }) => kind !== "entry");
const SURVIVOR = "form.intakeForm.survivorEntry";
const PHONE = "form.intakeForm.phoneEntry";
const ROWS = "form.serviceEntry.serviceProvidedEntries";

/** The fields that cannot be hidden, each with the beginning of the reason. */
const NEVER_HIDDEN: Readonly<Record<string, string>> = {
  "client.name": "is always shown",
  "client.clientBiographicalEntry": "cannot be hidden, because",
  "client.clientBiographicalEntry.fictitiousName": "is always shown",
  "client.clientBiographicalEntry.safeToCall": "is always shown",
  "client.clientDemographicEntry.disability": "cannot be hidden while",
  "client.clientDemographicEntry.disabilityPhysical": "cannot be hidden while",
  "form.clientId": "is always shown",
  "form.formTypeId": "is always shown",
  "form.serviceOn": "is always shown",
  "form.serviceStatus": "is always shown",
  "form.verbalConfirmation": "is always shown",
  [`${PHONE}.currentPfaOrder`]: "is required",
  [`${PHONE}.previousPfas`]: "cannot be hidden while",
  [`${PHONE}.relatedArrests`]: "cannot be hidden while",
  "form.intakeForm.onCallAdvocacyEntry.placeOfService": "is required",
  "form.intakeForm.legalAdvocacyEntry.placeOfService": "is required",
  "form.intakeForm.legalAdvocacyEntry.pfaCourtEntry.pfaCourtContactTypeId": "is required",
  "form.intakeForm.legalAdvocacyEntry.magisterialEntry.magisterialCourtOutcomeId": "is required",
  [`${SURVIVOR}.offenderRelationshipId`]: "is required",
  [`${SURVIVOR}.brainInjuryAssessed`]: "cannot be hidden while",
  [`${SURVIVOR}.brainInjuryEntry.emergencyVisit`]: "cannot be hidden while",
  [`${SURVIVOR}.offenderEntry.threatenedPet`]: "cannot be hidden while",
  [`${SURVIVOR}.offenderEntry.harmedPet`]: "cannot be hidden while",
  [`${SURVIVOR}.offenderEntry.killedPet`]: "cannot be hidden while",
  "form.serviceEntry.otherServiceMinutes": "is always shown",
  [`${ROWS}.minutes`]: "is always shown",
  [`${ROWS}.videoconferencingEntry.emergencyPfaGranted`]: "cannot be hidden while",
};

/**
 * The fields that cannot be moved: the first ones of a form, the columns of the services, and those without another field
 * to trade places with.
 */
const FIXED = [
  "client.name",
  "form.clientId",
  "form.formTypeId",
  "form.serviceOn",
  "form.serviceStatus",
  "form.verbalConfirmation",
  `${ROWS}.minutes`,
  `${ROWS}.referrals`,
  `${ROWS}.videoconferencingEntry.emergencyPfaGranted`,
  `${ROWS}.videoconferencingEntry.reason`,
  "client.clientDemographicEntry.ethnicityOther",
  "client.clientDemographicEntry.disabilityDeaf",
  `${PHONE}.previousPfasDescription`,
  `${PHONE}.relatedArrestsDescription`,
  `${SURVIVOR}.brainInjuryEntry.emergencyVisitOn`,
  `${SURVIVOR}.offenderEntry.petDescription`,
];

let admin: Person;
let client: Client;
/** A full form of each type, which together have every field. */
const forms = new Map<string, Form>();

const urlOf = (path: string) => `/api/field_settings/${path}`;
const set = (path: string, fieldSetting: object) => call(admin.cookie, "PUT", urlOf(path), { fieldSetting });
const change = async (path: string, fieldSetting: object) => {
  const { status, body } = await set(path, fieldSetting);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.fieldSetting;
};
const reset = (path: string) => call(admin.cookie, "DELETE", urlOf(path));
/** Returns the facts of a field at the next request. */
async function factsAt(path: string) {
  await call(admin.cookie, "GET", "/api/me");
  const field = fieldAtPath(path);
  const facts = field && factsOf(field);
  const declared = field && declaredFacts(field);
  if (!facts || !declared) throw new Error(`No field ${path}`);
  return { facts, declared };
}

beforeAll(async () => {
  admin = await makeUser(["forms", "clients", "all-forms", "form-setup", "export", "import"]);
  client = await makeClient(admin, await fullClient());
  const post = async (key: string, form: object) => {
    const { status, body } = await call(admin.cookie, "POST", "/api/forms", { form });
    expect(status, JSON.stringify(body)).toBe(201);
    forms.set(key, body.form);
  };
  await post("phone", await fullForm("Phone", client.id));
  await post("on-call", await fullForm("On-Call Advocacy", client.id));
  await post("magisterial", await fullForm("Legal Advocacy", client.id, "M"));
  await post("pfa", await fullForm("Legal Advocacy", client.id, "CT"));
});

afterEach(async () => {
  await rows(sql`DELETE FROM custom_fields`);
  await rows(sql`UPDATE field_definitions SET field_order = '{}', version = version + 1`);
  await call(admin.cookie, "GET", "/api/me");
  for (const { path } of [...currentDefinitions().settings]) expect((await reset(path)).status).toBe(204);
});

/** Returns the values at a path, one for each row of a list on the way. */
function valuesAt(record: unknown, names: readonly string[]): unknown[] {
  const [name, ...rest] = names;
  if (Array.isArray(record)) return record.flatMap((row) => valuesAt(row, names));
  if (name === undefined) return [record];
  return isRecord(record) ? valuesAt(record[name], rest) : [];
}
const hasValue = (value: unknown) => Boolean(Array.isArray(value) ? value.length : value);
const inRecord = (path: string) => path.split(".").slice(1);

/** Returns a stored record that has a value of the field, by its URL. */
function recordWith(path: string): { kind: "client" | "form"; record: Client | Form; url: string } {
  if (path.startsWith("client.")) return { kind: "client", record: client, url: `/api/clients/${client.id}` };
  const form = [...forms.values()].find((form) => valuesAt(form, inRecord(path)).some(hasValue));
  if (!form) throw new Error(`No form has ${path}`);
  return { kind: "form", record: form, url: `/api/forms/${form.id}` };
}

const NESTED = /Entry$|Entries$|^intakeForm$/;
/** Returns a record as a request without a field, or with another value of it. */
function bodyWithout(record: unknown, names: readonly string[], value?: unknown): unknown {
  if (Array.isArray(record)) return record.map((row) => bodyWithout(row, names, value));
  if (!isRecord(record)) return record;
  const [name, ...rest] = names;
  return Object.fromEntries(
    Object.entries(record).flatMap(([key, inner]): [string, unknown][] => {
      const wire = NESTED.test(key) ? `${key}Attributes` : key;
      if (key !== name) return [[wire, bodyWithout(inner, [])]];
      if (rest.length > 0) return [[wire, bodyWithout(inner, rest, value)]];
      return value === undefined ? [] : [[wire, value]];
    }),
  );
}

const read = async (url: string, kind: "client" | "form") =>
  (await call(admin.cookie, "GET", url)).body[kind];
const withoutVersion = ({ lockVersion, ...record }: Record<string, unknown>) => record;
const put = (url: string, kind: "client" | "form", body: unknown) =>
  call(admin.cookie, "PUT", url, { [kind]: withoutVersion(body as Record<string, unknown>) });

/** Returns the blocks of fields that can trade places, as declared. */
const blocks = (): (readonly SectionItem[])[] =>
  fieldSections().flatMap(({ blocks }) =>
    blocks.flatMap(({ items }) => [items, ...items.flatMap(({ inside }) => (inside ? [inside] : []))]),
  );
const pathsIn = (items: readonly SectionItem[]) => inOrder(items).map(({ path }) => path);
const blockWith = (path: string) => blocks().find((items) => items.some((item) => item.path === path)) ?? [];

/** Returns the paths of the fields that the entry screens show. */
function shownPaths(): Set<string> {
  const type = { intakeOnly: false, phone: false } as Parameters<typeof showsDetail>[1];
  const hidden = (path: string) => fieldAtPath(path) && factsOf(fieldAtPath(path) as never)?.hidden;
  const sections = SECTIONS.flatMap(({ spec, paths: [path = ""] }) =>
    (spec?.groups ?? []).flatMap((group) =>
      group.fields.map(({ name }) => [path, group.path, name].filter(Boolean).join(".")),
    ),
  );
  const details = detailsInOrder().filter((name) => name !== "clientId" && showsDetail(name, type));
  const services = fieldSections()
    .flatMap(({ id, blocks }) => (id === "services" ? blocks.flatMap(({ items }) => pathsIn(items)) : []))
    .filter((path) => !hidden(path));
  return new Set([...sections, ...details, ...services]);
}

describe("the screen of fields", () => {
  test("lists every field once", () => {
    const listed = blocks().flatMap((items) => items.flatMap(({ path, inside }) => (inside ? [] : [path])));
    expect(listed.sort()).toEqual(leaves.map(({ path }) => path).sort());
  });

  test("offers to move only fields that have others to move past", () => {
    const movable = new Set(FIELDS.filter(({ canMove }) => canMove).map(({ path }) => path));
    const numbers = (units: readonly Unit[]): number[] => [
      units.filter(({ item }) => movable.has(item.path)).length,
      ...units.flatMap(({ beneath }) => numbers(beneath)),
    ];
    for (const items of blocks()) expect(numbers(unitsOf(items)), pathsIn(items).join()).not.toContain(1);
  });
});

describe("hiding", () => {
  test.each(FIELDS)("$path is refused or keeps all values", async ({ path, kind }) => {
    const refusal = NEVER_HIDDEN[path];
    if (refusal !== undefined) {
      const { status, body } = await set(path, { hidden: true });
      expect(status).toBe(422);
      expect(body.fields["fieldSetting.hidden"]).toContain(refusal);
      // The screen offers the same.
      const items = (await call(admin.cookie, "GET", "/api/field_settings")).body.fieldSettings;
      expect(items.find((item: { path: string }) => item.path === path).cannotHide).toContain(refusal);
      return;
    }
    const { kind: entity, record, url } = recordWith(path);
    const before = valuesAt(record, inRecord(path));
    expect(before.some(hasValue)).toBe(true);

    await change(path, { hidden: true });
    const { facts } = await factsAt(path);
    expect(facts.hidden).toBe(true);
    if (kind === "entry")
      expect([...shownPaths()].filter((shown) => shown.startsWith(`${path}.`))).toEqual([]);
    else expect(shownPaths()).not.toContain(path);

    // A program sends the nested objects without the hidden field.
    const saved = await put(url, entity, bodyWithout(record, inRecord(path)));
    expect(saved.status, JSON.stringify(saved.body)).toBe(200);
    expect(valuesAt(await read(url, entity), inRecord(path))).toEqual(before);

    expect((await reset(path)).status).toBe(204);
    expect((await factsAt(path)).facts.hidden).toBeFalsy();
    expect(valuesAt(await read(url, entity), inRecord(path))).toEqual(before);
  });

  test("a hidden field that a program sends is stored", async () => {
    const path = `${SURVIVOR}.childAges`;
    const { record, url } = recordWith(path);
    await change(path, { hidden: true });
    const saved = await put(url, "form", bodyWithout(record, inRecord(path), "1, 2"));
    expect(valuesAt(saved.body.form, inRecord(path))).toEqual(["1, 2"]);
    await put(url, "form", bodyWithout(record, []));
  });

  test("a box is possible after the field that depends on it, which cannot be shown before it", async () => {
    const box = `${PHONE}.previousPfas`;
    const text = `${PHONE}.previousPfasDescription`;
    await change(text, { hidden: true });
    await change(box, { hidden: true });
    const refused = await set(text, { hidden: false });
    expect(refused.body.fields["fieldSetting.hidden"]).toBe(
      "Previous PFAs Description cannot be shown while Previous PFAs is hidden",
    );
    expect((await reset(text)).status).toBe(422);
    await change(box, { hidden: false });
    await change(text, { hidden: false });
  });

  test("the last reason of Service Status is refused, and the section is not required while it is hidden", async () => {
    const reasons = leaves.filter(({ path }) => path.startsWith("form.serviceStatusEntry."));
    const [first, ...others] = reasons.map(({ path }) => path);
    for (const path of others) await change(path, { hidden: true });
    expect((await set(first ?? "", { hidden: true })).status).toBe(422);
    await change("form.serviceStatusEntry", { hidden: true });
    const { serviceStatusEntryAttributes: _, ...form } = await fullForm("Phone", client.id);
    const created = await call(admin.cookie, "POST", "/api/forms", { form });
    expect(created.status, JSON.stringify(created.body)).toBe(201);
  });

  test("a section with a required field is possible, and a form then needs none of it", async () => {
    await change(SURVIVOR, { hidden: true });
    const form = await fullForm("Survivor", client.id);
    const { survivorEntryAttributes: _, ...intake } = form.intakeFormAttributes;
    const created = await call(admin.cookie, "POST", "/api/forms", {
      form: { ...form, intakeFormAttributes: intake },
    });
    expect(created.status, JSON.stringify(created.body)).toBe(201);
  });

  test("the court of a place of service makes its required answer optional", async () => {
    const path = "form.intakeForm.legalAdvocacyEntry.magisterialEntry";
    await change(path, { hidden: true });
    const form = await fullForm("Legal Advocacy", client.id, "M");
    const { magisterialEntryAttributes: _, ...entry } = form.intakeFormAttributes
      .legalAdvocacyEntryAttributes as Record<string, unknown>;
    const created = await call(admin.cookie, "POST", "/api/forms", {
      form: {
        ...form,
        intakeFormAttributes: { ...form.intakeFormAttributes, legalAdvocacyEntryAttributes: entry },
      },
    });
    expect(created.status, JSON.stringify(created.body)).toBe(201);
  });

  test("leaves the field out of reading, missing answers, summary, warnings, and suggestions", async () => {
    const lists = await formLists(await actorFor(admin));
    const form = forms.get("on-call") as Form;
    const phone = forms.get("phone") as Form;
    const choices = choicesOf(lists);
    const { values, rules } = openedAs({ ...form, intakeForm: blankSurvivor(form) }, client, lists);
    const missing = () => readForm(values, rules).missing.flatMap(({ labels }) => labels);
    expect(missing()).toContain("Secondary Victimizations");
    expect(summaryOf(phone, choices).join()).toContain("guns");
    const warnings = async () =>
      warningsOf(await warningsOfClient(await actorFor(admin), client.id), choices).join();
    expect(await warnings()).toContain("guns");
    const suggested = async () =>
      (await suggestionsFor(await actorFor(admin), client.id)).values.map(({ path }) => path);
    expect(await suggested()).toContain("intakeForm.survivorEntry.childAges");

    await change(`${SURVIVOR}.secondaryVictimizationIds`, { hidden: true });
    await change(`${SURVIVOR}.childAges`, { hidden: true });
    await change(`${PHONE}.guns`, { hidden: true });
    await change("client.clientBiographicalEntry.city", { hidden: true });
    await factsAt(SURVIVOR);
    expect(missing()).not.toContain("Secondary Victimizations");
    expect(summaryOf(phone, choices).join()).not.toContain("guns");
    expect(await warnings()).not.toContain("guns");
    expect(await suggested()).not.toContain("intakeForm.survivorEntry.childAges");
    expect(JSON.stringify(readClient(client, choices))).not.toContain("Erie");
  });
});

/** Returns the form's intake without victimizations, which is a missing answer. */
const blankSurvivor = ({ intakeForm }: Form): Form["intakeForm"] =>
  intakeForm && {
    ...intakeForm,
    survivorEntry: intakeForm.survivorEntry && {
      ...intakeForm.survivorEntry,
      secondaryVictimizationIds: [],
      secondaryVictimizationOther: "",
    },
  };

describe("relabeling", () => {
  test.each(leaves)(
    "$path changes its label everywhere the facts are read",
    async ({ path, declaredLabel }) => {
      const item = await change(path, { label: "Words of ours", hint: "A hint of ours" });
      expect(item).toMatchObject({ label: "Words of ours", declaredLabel, hint: "A hint of ours" });
      const { facts, declared } = await factsAt(path);
      expect([facts.label, facts.hint, declared.label]).toEqual([
        "Words of ours",
        "A hint of ours",
        declaredLabel,
      ]);
      const columns = path.startsWith("client.") ? clientColumns() : formColumns();
      const column = columns.find(({ path: at }) => at.join(".") === inRecord(path).join("."));
      // The client of a form has columns of its own.
      if (path !== "form.clientId") expect(column?.label).toMatch(/Words of ours$/);
      const { status } = await reset(path);
      expect(status).toBe(204);
      expect((await factsAt(path)).facts).toEqual(declared);
    },
  );

  test("shows in lists, headings, history, error sentences, files, and the API's description", async () => {
    await change("form.serviceOn", { label: "Day of Service" });
    await change(`${ROWS}.minutes`, { label: "Time" });
    await change(`${SURVIVOR}.offenderRelationshipId`, { label: "Relation" });
    await factsAt(SURVIVOR);
    expect(servicesHeadings().minutes).toBe("Time");
    const form = await fullForm("Survivor", client.id);
    const { offenderRelationshipId: _, ...entry } = form.intakeFormAttributes.survivorEntryAttributes ?? {};
    const refused = await call(admin.cookie, "POST", "/api/forms", {
      form: { ...form, serviceOn: "", intakeFormAttributes: { survivorEntryAttributes: entry } },
    });
    expect(Object.values(refused.body.fields)).toEqual(
      expect.arrayContaining(["Relation is required", expect.stringMatching(/^Day of Service /)]),
    );
    const file = await call(admin.cookie, "GET", "/api/forms.csv?columns=all&filters[formStatus]=all");
    const [headings = []]: string[][] = parse(file.body, { bom: true });
    expect(headings).toEqual(
      expect.arrayContaining(["Day of Service", "Survivor: Relation", "Services: Time"]),
    );
    const listed = await call(admin.cookie, "GET", "/api/forms.csv");
    expect(String(listed.body).split("\r\n")[0]).toContain("Day of Service");
    const { body } = await call(admin.cookie, "GET", "/api/openapi.json");
    expect(body.components.schemas.Form.properties.serviceOn.title).toBe("Day of Service");
    expect(body.components.schemas.FormInput.properties.serviceOn.title).toBe("Day of Service");
    const changed = forms.get("phone") as Form;
    await put(`/api/forms/${changed.id}`, "form", bodyWithout(changed, ["serviceOn"], "2026-03-05"));
    const { events } = (await call(admin.cookie, "GET", `/api/forms/${changed.id}/history`)).body;
    expect(events[0].changes.map(({ label }: { label: string }) => label)).toContain("Day of Service");
    await put(`/api/forms/${changed.id}`, "form", bodyWithout(changed, []));
  });

  test("refuses a label that another field of the section has, or had", async () => {
    await change("client.clientBiographicalEntry.city", { label: "Town" });
    const taken = async (label: string) =>
      (await set("client.clientBiographicalEntry.address", { label })).body.fields;
    const by = (heading: string) => ({ "fieldSetting.label": `Label is already used by ${heading}` });
    expect(await taken("town")).toEqual(by("Client Biographical: Town"));
    expect(await taken("City")).toEqual(by("Client Biographical: City"));
    expect(await taken("x".repeat(101))).toEqual({
      "fieldSetting.label": "Label must be at most 100 characters",
    });
    // A blank label, or the built-in one, is not stored.
    expect(await change("client.clientBiographicalEntry.city", { label: " City " })).toMatchObject({
      label: null,
    });
    expect(await change("client.clientBiographicalEntry.city", { label: "" })).toMatchObject({ label: null });
  });

  test("refuses a label that another column of the record's files has", async () => {
    const refused = async (path: string, label: string) =>
      (await set(path, { label })).body.fields?.["fieldSetting.label"];
    const by = (heading: string) => `Label is already used by ${heading}`;
    expect(await refused("client.name", "created on")).toBe(by("Created On"));
    expect(await refused("client.relationshipToSurvivor", "Advocate  Name")).toBe(by("Advocate Name"));
    expect(await refused("form.serviceOn", "Client Id")).toBe(by("Client Id"));
    expect(await refused("client.name", "Client Biographical: City")).toBe(by("Client Biographical: City"));
    const city = "client.clientBiographicalEntry.city";
    const own = { record: "client", section: "clientBiographicalEntry", label: "Nickname", kind: "text" };
    const { field } = (await call(admin.cookie, "POST", "/api/fields", { field: own })).body;
    await factsAt(city);
    expect(await refused(city, "nickname")).toBe(by("Client Biographical: Nickname"));
    expect((await call(admin.cookie, "DELETE", `/api/fields/${field.id}`)).status).toBe(204);
    await change(city, { label: "Nickname" });
    await factsAt(city);
    // Earlier files still have the built-in label.
    const former = await call(admin.cookie, "POST", "/api/fields", { field: { ...own, label: "City" } });
    expect(former.body.fields).toEqual({ "field.label": by("Client Biographical: City") });
  });

  test("numbers equal headings that were stored earlier, and imports find columns by the numbered headings", async () => {
    const own = { record: "client", section: "clientBiographicalEntry", label: "Phone", kind: "text" };
    const { field } = (await call(admin.cookie, "POST", "/api/fields", { field: own })).body;
    await change("client.name", { label: "Name" });
    const store = async (label: string, nameLabel: string, section: string) => {
      await rows(sql`UPDATE custom_fields SET label = ${label}, section = ${section} WHERE id = ${field.id}`);
      await rows(sql`UPDATE field_settings SET label = ${nameLabel} WHERE path = 'client.name'`);
      await rows(sql`UPDATE field_definitions SET version = version + 1`);
    };
    const headingsOf = async (query: string) => {
      const { body } = await call(admin.cookie, "GET", `/api/clients.csv${query}`);
      const [headings = []]: string[][] = parse(body, { bom: true });
      return headings;
    };
    const upload = async (headings: string) => {
      const sent = { raw: `${headings}\r\nx`, headers: { "content-type": "text/csv" } };
      const { body } = await call(admin.cookie, "POST", "/api/imports?kind=clients", undefined, sent);
      return body.import.matches;
    };
    await store("City", "Created On", "clientBiographicalEntry");
    const city = ["Client Biographical: City", "Client Biographical: City (2)"];
    const cities = (await headingsOf("?columns=all")).filter((heading) => / City/.test(heading));
    expect(cities.sort()).toEqual(city);
    expect(await headingsOf("")).toEqual(["Id", "Created On", "Advocate Name", "Created On (2)"]);
    const keys = ["clientBiographicalEntry.city", `custom.${field.key}`];
    expect(await upload([...city, "Client Name"].join(","))).toEqual([...keys, "name"]);
    expect(await upload([...city.toReversed(), "Client Name"].join(","))).toEqual([
      ...keys.toReversed(),
      "name",
    ]);
    // A label has priority over a common heading of another field.
    await store("Phone", "Name", "");
    expect(await upload("Phone,Cell,Name")).toEqual([
      `custom.${field.key}`,
      "clientBiographicalEntry.phoneNumber",
      "name",
    ]);
    expect((await call(admin.cookie, "DELETE", `/api/fields/${field.id}`)).status).toBe(204);
  });

  test.each([
    ["Municipality"],
    ["Client Biographical: Municipality"],
    ["City"],
    ["Client Biographical: City"],
  ])("an import finds the column %s", async (heading) => {
    await change("client.clientBiographicalEntry.city", { label: "Municipality" });
    const name = `Imported ${heading}`;
    const started = await call(admin.cookie, "POST", "/api/imports?kind=clients", undefined, {
      raw: `Client Name,${heading}\r\n${name},Erie`,
      headers: { "content-type": "text/csv" },
    });
    expect(started.status, JSON.stringify(started.body)).toBe(201);
    const { id, matches } = started.body.import;
    expect(matches).toEqual(["name", "clientBiographicalEntry.city"]);
    const start = { import: { dryRun: false, matches, ownerId: null } };
    expect((await call(admin.cookie, "POST", `/api/imports/${id}/start`, start)).status).toBe(200);
    await runImports(new AbortController().signal);
    const [stored] = await db().client.findMany({
      where: { name },
      include: { clientBiographicalEntry: true },
    });
    expect(stored?.clientBiographicalEntry?.city).toBe("Erie");
  });
});

describe("requiring", () => {
  const DAY = "2026-03-04";
  /** A box and a number always have a value. */
  const requirable = new Set(FIELDS.filter(({ canBeRequired }) => canBeRequired).map(({ path }) => path));

  test.each(leaves)("$path from a day on", async ({ path, kind, required }) => {
    expect(requirable.has(path)).toBe(
      !required &&
        (["text", "longText", "day", "lookup", "lookups"].includes(kind) || (kind === "choice" && !required)),
    );
    if (!requirable.has(path)) {
      const { status, body } = await set(path, { requiredFrom: DAY });
      expect([status, Object.keys(body.fields)]).toEqual([422, ["fieldSetting.requiredFrom"]]);
      return;
    }
    const { declared } = await factsAt(path);
    const words = `${declared.label} is required`;
    const { kind: entity, record, url } = recordWith(path);
    const blank =
      kind === "lookups" ? [] : kind === "choice" || kind === "text" || kind === "longText" ? "" : null;
    const body = (value: unknown, changes: object = {}) => ({
      ...withoutVersion(bodyWithout(record, inRecord(path), value) as Record<string, unknown>),
      ...changes,
    });
    if (path === "form.canineId") {
      // Without a choice, the canine is None, which is an answer.
      await change(path, { requiredFrom: DAY });
      expect((await put(url, "form", body(null))).status).toBe(200);
      await put(url, "form", body(valuesAt(record, inRecord(path))[0]));
      return;
    }
    const unknown = path.endsWith(".gender") ? "Unknown" : blank;
    await change(path, { requiredFrom: DAY });
    expect((await factsAt(path)).facts.requiredFrom).toBe(DAY);
    if (entity === "client") {
      const refused = await put(url, "client", body(unknown));
      expect([refused.status, Object.values(refused.body.fields)]).toEqual([422, [words]]);
      return;
    }
    const refused = await put(url, "form", body(blank));
    expect(refused.status).toBe(422);
    expect(Object.values(refused.body.fields)).toContain(words);
    // An earlier form needs no value.
    const earlier = await put(url, "form", body(blank, { serviceOn: "2026-03-03" }));
    expect(earlier.status, JSON.stringify(earlier.body)).toBe(200);
    expect((await put(url, "form", bodyWithout(record, []))).status).toBe(200);
  });

  test("concerns new clients from that day on, and stored ones only if the field changes", async () => {
    const city = "client.clientBiographicalEntry.city";
    const blank = await makeClient(admin, { clientBiographicalEntryAttributes: { address: "1 Elm" } });
    await change(city, { requiredFrom: "2026-01-01" });
    const created = await call(admin.cookie, "POST", "/api/clients", {
      client: { name: "New Client", clientBiographicalEntryAttributes: { address: "2 Elm" } },
    });
    expect(created.body.fields).toEqual({
      "client.clientBiographicalEntryAttributes.city": "City is required",
    });
    const entry = { id: blank.clientBiographicalEntry.id, address: "3 Elm" };
    const unchanged = await call(admin.cookie, "PUT", `/api/clients/${blank.id}`, {
      client: { name: blank.name, clientBiographicalEntryAttributes: entry },
    });
    expect(unchanged.status).toBe(200);
    await change(city, { requiredFrom: "2999-01-01" });
    expect(
      (
        await call(admin.cookie, "POST", "/api/clients", {
          client: { name: "Later Client", clientBiographicalEntryAttributes: { address: "2 Elm" } },
        })
      ).status,
    ).toBe(201);
  });

  test("does not ask a hidden field, or one whose box is not ticked", async () => {
    await change(`${PHONE}.previousPfasDescription`, { requiredFrom: "2026-01-01" });
    const form = await fullForm("Phone", client.id);
    const phone = { ...form.intakeFormAttributes.phoneEntryAttributes, previousPfasDescription: "" };
    const save = (entry: object) =>
      call(admin.cookie, "POST", "/api/forms", {
        form: {
          ...form,
          intakeFormAttributes: { ...form.intakeFormAttributes, phoneEntryAttributes: entry },
        },
      });
    expect((await save(phone)).status).toBe(422);
    expect((await save({ ...phone, previousPfas: false })).status).toBe(201);
    await change(`${PHONE}.previousPfasDescription`, { hidden: true });
    expect((await save(phone)).status).toBe(201);
  });
});

const order = (fields: readonly string[]) =>
  call(admin.cookie, "PUT", "/api/field_order", { fieldOrder: { fields } });
const movableAmong = (paths: readonly string[]) => {
  const movable = new Set(FIELDS.filter(({ canMove }) => canMove).map(({ path }) => path));
  return paths.filter((path) => movable.has(path) || path.includes(".custom."));
};
/** Moves a field one step with one call, as the arrows on the screen do. */
async function step(path: string, by: -1 | 1) {
  const moved = flat(withMoved(unitsOf(blockWith(path)), path, by)).map((item) => item.path);
  const { status, body } = await order(movableAmong(moved));
  expect(status, JSON.stringify(body)).toBe(200);
  await call(admin.cookie, "GET", "/api/me");
}
const addCustom = async (
  record: "client" | "form",
  section: string,
  label = "Housing need",
  values: object = {},
) => {
  const { status, body } = await call(admin.cookie, "POST", "/api/fields", {
    field: { record, section, label, kind: "text", ...values },
  });
  expect(status, JSON.stringify(body)).toBe(201);
  await call(admin.cookie, "GET", "/api/me");
  return { ...body.field, path: customFieldPath(body.field) };
};

describe("moving", () => {
  test.each(FIELDS)(
    "$path within its section, with the fields that stay under it",
    async ({ path, kind, canMove }) => {
      if (kind !== "entry") expect(canMove).toBe(!FIXED.includes(path));
      if (!canMove) {
        const { status, body } = await order([path]);
        expect([status, body.fields]).toEqual([
          422,
          { "fieldOrder.fields.0": expect.stringMatching(/ cannot be moved$/) },
        ]);
        return;
      }
      const declared = pathsIn(blockWith(path));
      const siblingsOf = (units: readonly Unit[]): readonly Unit[] =>
        units.some(({ item }) => item.path === path)
          ? units
          : units.flatMap(({ beneath }) => siblingsOf(beneath));
      const siblings = () => siblingsOf(unitsOf(blockWith(path))).map(({ item }) => item.path);
      const before = siblings();
      const last = siblings().length - 1;
      const by = before.indexOf(path) === last ? -1 : 1;
      await step(path, by);
      expect(siblings().indexOf(path)).toBe(before.indexOf(path) + by);
      const others = (paths: readonly string[]) => paths.filter((other) => other !== path);
      expect(others(siblings())).toEqual(others(before));
      // A dependent field follows the last of its checkboxes, with only other dependent fields in between.
      const now = inOrder(blockWith(path));
      const isBeneath = ({ beneath = [] }: SectionItem) => beneath.length > 0;
      for (const [at, item] of now.entries()) {
        const last = now.findLastIndex((box) => item.beneath?.includes(box.path));
        expect(last, item.path).toBeLessThan(at);
        if (isBeneath(item)) expect(now.slice(last + 1, at).every(isBeneath), item.path).toBe(true);
      }

      expect((await reset(path)).status).toBe(204);
      await call(admin.cookie, "GET", "/api/me");
      expect(pathsIn(blockWith(path))).toEqual(declared);
    },
  );

  test("refuses a duplicate path, an unknown path, a column, and a custom field of another record", async () => {
    const city = "client.clientBiographicalEntry.city";
    const { path } = await addCustom("form", "");
    const { status, body } = await order([
      city,
      city,
      "form.nothing",
      `${ROWS}.minutes`,
      "form.custom.gone",
      path,
    ]);
    expect([status, body.fields]).toEqual([
      422,
      {
        "fieldOrder.fields.1": `${city} is listed twice`,
        "fieldOrder.fields.2": "form.nothing is not a field",
        "fieldOrder.fields.3": "Minutes cannot be moved",
        "fieldOrder.fields.4": "form.custom.gone is not a field",
      },
    ]);
    expect((await order([])).status).toBe(422);
    const ada = await makeUser(["forms", "clients", "all-forms"]);
    const sent = { fieldOrder: { fields: [city] } };
    expect((await call(ada.cookie, "PUT", "/api/field_order", sent)).status).toBe(403);
  });

  test("past a neighbor that was also moved is one step", async () => {
    const [age, city] = ["ageBracketId", "city"].map((name) => `client.clientBiographicalEntry.${name}`);
    if (!age || !city) throw new Error("two fields");
    const at = (path: string) => pathsIn(blockWith(path)).indexOf(path);
    await step(city, -1);
    await step(city, -1);
    expect([at(age), at(city)]).toEqual([1, 2]);
    await step(age, 1);
    expect([at(age), at(city)]).toEqual([2, 1]);
    await step(city, -1);
    expect([at(age), at(city)]).toEqual([2, 0]);
    await step(age, -1);
    expect([at(age), at(city)]).toEqual([1, 0]);
  });

  test("changes screen, reading view, and print", async () => {
    const labels = () =>
      readClient(client, {}).flatMap(({ parts }) =>
        parts.flatMap(({ rows }) => rows.map(({ label }) => label)),
      );
    const fields = () => BIOGRAPHICAL.groups.flatMap((group) => group.fields.map(({ name }) => name));
    expect(fields().indexOf("phoneNumber")).toBeGreaterThan(fields().indexOf("address"));
    await order(["phoneNumber", "dateOfBirth"].map((name) => `client.clientBiographicalEntry.${name}`));
    await factsAt("client.name");
    expect(fields()[0]).toBe("phoneNumber");
    expect(labels().indexOf("Phone Number")).toBeLessThan(labels().indexOf("Address"));
    expect(DEMOGRAPHIC.groups.length).toBe(3);
  });

  test("is recorded, and does not change the order of other sections", async () => {
    await order(["client.clientBiographicalEntry.phoneNumber"]);
    const { body } = await order([`${SURVIVOR}.childAges`]);
    const both = ["client.clientBiographicalEntry.phoneNumber", `${SURVIVOR}.childAges`];
    expect(body.fieldOrder.fields).toEqual(both);
    expect((await call(admin.cookie, "GET", "/api/fields")).body.definitions.order).toEqual(both);
    const event = await db().auditEvent.findFirstOrThrow({
      where: { entity: "field" },
      orderBy: { id: "desc" },
    });
    expect(event).toMatchObject({ action: "updated", userId: admin.id, fields: ["field.order"] });

    expect((await reset(SURVIVOR)).status).toBe(204);
    const resets = await db().auditEvent.findMany({ where: { entity: "field", id: { gt: event.id } } });
    expect(resets.map(({ fields }) => fields)).toContainEqual(["field.order"]);
  });
});

/** The sections that can have custom fields, each with a form type that has it. */
const CUSTOM_PLACES = [
  ...["", "clientBiographicalEntry", "clientDemographicEntry"].map((section) => ["client", section] as const),
  ...["", "serviceEntry", "serviceStatusEntry"].map((section) => ["form", section] as const),
  ...["phoneEntry", "onCallAdvocacyEntry", "legalAdvocacyEntry", "survivorEntry"].map(
    (name) => ["form", `intakeForm.${name}`] as const,
  ),
];

describe("a custom field among the built-in fields", () => {
  test.each(CUSTOM_PLACES)(
    "of %s %s is last, and can move to each place that separates no field from its checkbox",
    async (record, section) => {
      const { path } = await addCustom(record, section);
      const items = () => sectionAt({ record, section })?.main.items ?? [];
      const declared = pathsIn(items());
      expect(declared.at(-1)).toBe(path);
      const units = unitsOf(items());
      expect(units.at(-1)?.item.path).toBe(path);
      const spec = SECTIONS.find((screen) => screen.spec?.path === `${record}.${section}`)?.spec;
      for (let at = units.length - 2; at >= 0; at--) {
        await step(path, -1);
        const now = unitsOf(items());
        expect(now.findIndex(({ item }) => item.path === path)).toBe(at);
        expect(
          flat(now)
            .map((item) => item.path)
            .filter((one) => one !== path),
        ).toEqual(declared.slice(0, -1));
        for (const { item, beneath } of now) if (item.path === path) expect(beneath).toEqual([]);
        // The error of a section appears at one of its built-in fields.
        expect(spec?.errorAt ?? "").not.toContain("custom");
      }
      if (section === "" || section === "serviceEntry") return;
      // Resetting the section restores the default order.
      expect((await reset(`${record}.${section}`)).status).toBe(204);
      await call(admin.cookie, "GET", "/api/me");
      expect(pathsIn(items())).toEqual(declared);
    },
  );

  test("is at its position on the screen, in the reading view, in print, and in a history", async () => {
    const { key, path } = await addCustom("form", "intakeForm.survivorEntry");
    const other = await addCustom("form", "intakeForm.survivorEntry", "Another need");
    const inDetails = await addCustom("client", "", "Nickname");
    const below = await addCustom("form", "serviceEntry", "Ride");
    await order([`${SURVIVOR}.offenderRelationshipId`, path, `${SURVIVOR}.custodyStatusId`]);
    await order(["form.canineId", inDetails.path, "form.intakeForm.referralSourceId"]);
    await order([below.path, "form.serviceEntry.otherService"]);
    await call(admin.cookie, "GET", "/api/me");
    const names = SECTIONS.find(({ id }) => id === "survivor")?.spec?.groups.map(({ fields }) =>
      fields.map(({ name }) => name),
    );
    expect(names?.[0]?.slice(0, 3)).toEqual(["offenderRelationshipId", `custom.${key}`, "custodyStatusId"]);
    expect(names?.at(-1)).toEqual([`custom.${other.key}`]);
    const changed = [`${SURVIVOR}.custodyStatusId`, "form.serviceEntry.serviceProvidedEntries.0", path];
    expect(inScreenOrder(changed.map((field) => ({ field }))).map(({ field }) => field)).toEqual([
      "form.serviceEntry.serviceProvidedEntries.0",
      path,
      `${SURVIVOR}.custodyStatusId`,
    ]);
    const details = detailsInOrder();
    expect(details.slice(0, FIXED_DETAILS.length)).toEqual(FIXED_DETAILS);
    expect(details.slice(FIXED_DETAILS.length, FIXED_DETAILS.length + 3)).toEqual([
      "form.canineId",
      inDetails.path,
      "form.intakeForm.referralSourceId",
    ]);

    const lists = await formLists(await actorFor(admin));
    const form = forms.get("on-call") as Form;
    const stored = { ...form, custom: { [key]: "A place", [other.key]: "More", [below.key]: "A ride" } };
    const person = { ...client, custom: { [inDetails.key]: "Bea" } };
    const { values, rules } = openedAs(stored, person, lists);
    const { blocks: read, services } = readForm(values, rules);
    const labels = (title: string) =>
      read
        .find((block) => block.title === title)
        ?.parts.flatMap(({ rows }) => rows.map(({ label }) => label)) ?? [];
    expect(labels("Survivor").slice(0, 3)).toEqual([
      "Offender Relationship",
      "Housing need",
      "Custody Status",
    ]);
    expect(labels("Survivor").at(-1)).toBe("Another need");
    expect(labels("Form Details")).toEqual(expect.arrayContaining(["Canine Assistance", "Nickname"]));
    expect(labels("Form Details").indexOf("Nickname")).toBe(
      labels("Form Details").indexOf("Referral Source") - 1,
    );
    expect(services?.other.map(({ label }) => label).slice(0, 2)).toEqual(["Ride", "Other Service"]);
    expect(readClient(person, choicesOf(lists))[0]?.parts[0]?.rows.map(({ label }) => label)).toContain(
      "Nickname",
    );
  });

  test("of another form type, or a retired one, does not affect other fields", async () => {
    const typeId = (await formLists(await actorFor(admin))).formTypes.find(
      ({ name }) => name === "Survivor",
    )?.id;
    const elsewhere = await addCustom("form", "intakeForm.survivorEntry", "Elsewhere", {
      formTypeIds: [typeId],
    });
    const here = await addCustom("form", "intakeForm.survivorEntry", "Here");
    await order([
      `${SURVIVOR}.offenderRelationshipId`,
      elsewhere.path,
      `${SURVIVOR}.custodyStatusId`,
      here.path,
      `${SURVIVOR}.hateCrimeCategoryId`,
    ]);
    await call(admin.cookie, "GET", "/api/me");
    const { values, rules } = openedAs(
      forms.get("on-call") as Form,
      client,
      await formLists(await actorFor(admin)),
    );
    values.form.custom = { [here.key]: "Yes" };
    const rowsOf = readForm(values, rules).blocks.find(({ title }) => title === "Survivor")?.parts[0]?.rows;
    expect(rowsOf?.slice(0, 4).map(({ label }) => label)).toEqual([
      "Offender Relationship",
      "Custody Status",
      "Here",
      "Hate Crime Category",
    ]);
  });

  test("comes last in another section, and leaves the order when it is removed", async () => {
    const { id, path, ...field } = await addCustom("form", "intakeForm.survivorEntry");
    await order([path, `${SURVIVOR}.offenderRelationshipId`]);
    await order([`${PHONE}.guns`]);
    const moved = await call(admin.cookie, "PUT", `/api/fields/${id}`, {
      field: { ...field, section: "intakeForm.phoneEntry" },
    });
    expect(moved.status, JSON.stringify(moved.body)).toBe(200);
    await call(admin.cookie, "GET", "/api/me");
    expect(pathsIn(blockWith(path)).at(-1)).toBe(path);
    await order([path, `${PHONE}.guns`]);
    expect((await call(admin.cookie, "DELETE", `/api/fields/${id}`)).status).toBe(204);
    expect((await order([`${PHONE}.otherWeapons`])).body.fieldOrder.fields).not.toContain(path);
  });

  test("orders the custom sections too", async () => {
    const first = await addCustom("client", "More about this client", "First");
    const second = await addCustom("form", "More about this client", "Second");
    await order([second.path, first.path]);
    await call(admin.cookie, "GET", "/api/me");
    const own = fieldSections().find(({ title }) => title === "More about this client");
    expect(pathsIn(own?.main.items ?? [])).toEqual([second.path, first.path]);
  });
});

describe("a setting", () => {
  test("is recorded as a change of a field, which the Audit Log names", async () => {
    await change(`${SURVIVOR}.childAges`, { hidden: true, label: "Ages" });
    const event = await db().auditEvent.findFirstOrThrow({
      where: { entity: "field" },
      orderBy: { id: "desc" },
    });
    expect(event).toMatchObject({ action: "updated", userId: admin.id });
    expect(event.fields).toEqual([`field.${SURVIVOR}.childAges.hidden`, `field.${SURVIVOR}.childAges.label`]);
  });

  test("needs Form Setup and an existing field", async () => {
    const ada = await makeUser(["forms", "clients", "all-forms"]);
    expect((await call(ada.cookie, "PUT", urlOf("client.name"), { fieldSetting: {} })).status).toBe(403);
    for (const path of ["client.nothing", "form", "form.lockVersion", "form.intakeForm", "user.email"])
      expect((await set(path, { hidden: true })).status, path).toBe(404);
  });

  test("is refused for a section, except that it is hidden", async () => {
    const { status, body } = await set(SURVIVOR, { label: "Us", hint: "We" });
    expect([status, Object.keys(body.fields).sort()]).toEqual([
      422,
      ["fieldSetting.hint", "fieldSetting.label"],
    ]);
  });

  test("names boxes that exist", () => {
    for (const { path } of FIELDS) {
      const field = fieldAtPath(path);
      const { dependsOn } = (field && declaredFacts(field)) ?? {};
      const section = path.slice(0, path.lastIndexOf("."));
      for (const box of dependsOn?.boxes ?? []) {
        const schema = fieldAtPath(`${section}.${box}`);
        expect(schema && declaredFacts(schema)?.kind, `${path}: ${box}`).toBe("flag");
      }
      expect(field && isNested(declaredFacts(field))).toBeDefined();
    }
  });
});
