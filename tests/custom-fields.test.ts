import { parse } from "csv-parse/sync";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { openedAs, readClient, readForm } from "@/components/forms/reading";
import { choicesOf } from "@/components/record/choices";
import { currentValues } from "@/components/record/custom";
import { loadHistory } from "@/lib/audit/history";
import type { Client } from "@/lib/clients/api-schema";
import { clientSchema } from "@/lib/clients/schema";
import { permissionKeys } from "@/lib/core/access/permissions";
import { db, inTransaction, type Query, rows } from "@/lib/core/database/client";
import { holdDefinitions } from "@/lib/core/database/definitions";
import { CUSTOM_KINDS, type CustomKind, currentDefinitions } from "@/lib/core/fields/definitions";
import { maskBody } from "@/lib/core/process/error-mask";
import { sql } from "@/lib/core/sql";
import { addDays, today } from "@/lib/core/text/format";
import { type Form, formBody } from "@/lib/forms/api-schema";
import { fitted, type Unopened } from "@/lib/forms/drafts/fitted";
import { changeDefinitions } from "@/lib/forms/fields/change";
import { formHistory } from "@/lib/forms/history";
import { formSchema } from "@/lib/forms/schema";
import { formLists } from "@/lib/lookups/resources/lists";
import { purgeByNight } from "@/lib/retention/purge";
import { runImports } from "@/lib/transfer/imports/run";
import { actorFor, call } from "@/tests/call";
import {
  formTypeId,
  fullForm,
  makeClient,
  makeForm,
  makeUser,
  minimalForm,
  type Person,
} from "@/tests/factories";
import { filesIn } from "@/tests/zip";

// The organization's custom fields: every kind, and every place where a field appears.

type Field = { id: number; key: string; lockVersion: number; choices: { id: number; label: string }[] };

let admin: Person;
let ada: Person;
let type: number;

const SURVIVOR = "intakeForm.survivorEntry";

beforeAll(async () => {
  admin = await makeUser(["form-setup", "audit-log", "forms", "clients", "all-forms", "export", "import"]);
  ada = await makeUser(["forms", "clients", "export"]);
  type = await formTypeId("Service");
});

const input = (kind: CustomKind, values: object = {}) => ({
  record: "form",
  section: SURVIVOR,
  label: `Own ${kind}`,
  kind,
  ...((kind === "choice" || kind === "choices") && {
    choices: [{ label: "Rent; arrears" }, { label: "Eviction" }, { label: "Shelter" }],
  }),
  ...values,
});
async function add(kind: CustomKind, values: object = {}): Promise<Field> {
  const { status, body } = await call(admin.cookie, "POST", "/api/fields", { field: input(kind, values) });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.field;
}
const stored = (id: number) => currentDefinitions().fields.find((field) => field.id === id);
/** Changes parts of a field that the process has read. */
async function change({ id }: Field, values: object) {
  await call(admin.cookie, "GET", "/api/me");
  return call(admin.cookie, "PUT", `/api/fields/${id}`, { field: { ...stored(id), ...values } });
}
const remove = ({ id }: Field) => call(admin.cookie, "DELETE", `/api/fields/${id}`);

const put = (form: Form, values: object, by = ada) =>
  call(by.cookie, "PUT", `/api/forms/${form.id}`, {
    form: { ...minimalForm(form.clientId, form.formTypeId), lockVersion: form.lockVersion, ...values },
  });

/** A value of each kind as sent, and as text in a file and in a history. */
const VALUES: Record<CustomKind, (field: Field) => { value: unknown; text: string; cell?: string }> = {
  text: () => ({ value: "Canary text", text: "Canary text" }),
  longText: () => ({ value: "Canary\nlines", text: "Canary\nlines" }),
  flag: () => ({ value: true, text: "Yes" }),
  day: () => ({ value: "2027-02-03", text: "02/03/2027" }),
  number: () => ({ value: -12, text: "-12" }),
  choice: ({ choices }) => ({ value: choices[1]?.id, text: "Eviction" }),
  choices: ({ choices }) => ({
    value: [choices[0]?.id, choices[1]?.id],
    text: "Rent; arrears, Eviction",
    cell: "Rent; arrears\nEviction",
  }),
};
const sensitiveKinds: readonly CustomKind[] = ["text", "longText", "day"];

/** Removes all definitions and values, as only a test may. */
async function clear() {
  await rows(sql`UPDATE forms SET custom = '{}' WHERE custom <> '{}'`);
  await rows(sql`UPDATE clients SET custom = '{}' WHERE custom <> '{}'`);
  await rows(sql`DELETE FROM custom_fields`);
  await rows(sql`UPDATE field_definitions SET version = version + 1`);
}
afterEach(clear);

describe("a definition", () => {
  test.each([
    [{ label: "" }, "field.label", "Label is required"],
    [{ label: "x".repeat(101) }, "field.label", "Label must be at most 100 characters"],
    [{ section: "x".repeat(101) }, "field.section", "Section must be at most 100 characters"],
    [{ section: "intakeForm" }, "field.section", /^Section is a reserved name/],
    [{ section: "intakeForm.survivorEntry.offenderEntry" }, "field.section", /^Section is a reserved name/],
    [{ kind: "money" }, "field.kind", /^Kind must be one of/],
    [{ record: "contact" }, "field.record", /^Record must be one of/],
    [{ kind: "choice", choices: [] }, "field.choices", "Choices is required"],
    [
      { kind: "text", choices: [{ label: "A" }] },
      "field.choices",
      /only for the kinds One choice and Several choices/,
    ],
    [{ kind: "flag", requiredFrom: "2026-01-01" }, "field.requiredFrom", /always has a value/],
    [{ requiredFrom: "02/30/2026" }, "field.requiredFrom", /must be a date/],
    [{ formTypeIds: [999_999] }, "field.formTypeIds", "Form type does not exist"],
    [{ label: "ages of Children " }, "field.label", "Label is already used by Survivor: Ages of Children"],
    [{ section: "", label: "AdvocateName" }, "field.label", "Label is already used by Advocate Name"],
    // An import finds the client of a form by it.
    [{ section: "", label: "Client Name" }, "field.label", "Label is already used by Client Name"],
    [{ section: "", label: "External ID" }, "field.label", "Label is already used by External Id"],
    [
      { kind: "choice", choices: [{ label: "Straße" }, { label: "STRASSE" }] },
      "field.choices.1.label",
      "Each choice needs a different label",
    ],
  ])("refuses %j", async (values, path, message) => {
    const { status, body } = await call(admin.cookie, "POST", "/api/fields", {
      field: input("text", values),
    });
    expect([status, Object.keys(body.fields)]).toEqual([422, [path]]);
    expect(body.fields[path]).toEqual(typeof message === "string" ? message : expect.stringMatching(message));
  });

  test("with too many choices is refused before they are compared with each other", async () => {
    const choices = Array.from({ length: 201 }, () => ({ label: "Same" }));
    const { status, body } = await call(admin.cookie, "POST", "/api/fields", {
      field: input("choice", { choices }),
    });
    expect([status, body.fields]).toEqual([422, { "field.choices": "Choices are limited to 200 per field" }]);
  });

  test("gets a key from its label that no other field has or had, and that means nothing else in a record", async () => {
    const keys = async (label: string, values: object = {}) => (await add("text", { label, ...values })).key;
    expect(await keys("Housing Need?")).toBe("housingNeed");
    expect(await keys("Housing need", { section: "" })).toBe("housingNeed2");
    expect(await keys("¿Qué?")).toBe("que");
    expect(await keys("12 steps")).toBe("field12Steps");
    expect(await keys("ID")).toBe("idField");
    expect(await keys("Lock version")).toBe("lockVersionField");
    expect(await keys("Constructor")).toBe("constructorField");
    expect(await keys("Other Attributes")).toBe("otherAttribute");
    expect(await keys("住所")).toBe("field");
    const field = await add("text", { label: "Gone" });
    expect((await remove(field)).status).toBe(204);
    expect(await keys("Gone")).toBe("gone2");
  });

  test("has a custom section with any title, even a number", async () => {
    const { key } = await add("text", { section: "2026" });
    await call(admin.cookie, "GET", "/api/me");
    const form = await makeForm(ada, { custom: { [key]: "Told" } });
    const { values, rules } = openedAs(form as Form, null, await formLists(await actorFor(ada)));
    expect(readForm(values, rules).blocks.find(({ title }) => title === "2026")?.parts).toEqual([
      { rows: [expect.objectContaining({ text: "Told" })] },
    ]);
  });

  test("is known to the next request of everyone, and its changes are in the audit log by field", async () => {
    const field = await add("choice");
    const { body } = await call(ada.cookie, "GET", "/api/fields");
    expect(body.definitions.fields).toMatchObject([{ key: "ownChoice", kind: "choice", section: SURVIVOR }]);
    expect((await change(field, { hint: "Ask." })).status).toBe(200);
    const { auditEvents } = (
      await call(admin.cookie, "GET", `/api/audit_events?filters[entity]=field&filters[entityId]=${field.id}`)
    ).body;
    expect(
      auditEvents.map(({ action, fields }: { action: string; fields: string[] }) => [action, fields]),
    ).toEqual([
      ["updated", ["field.hint"]],
      ["created", expect.arrayContaining(["field.label", "field.kind", "field.choices"])],
    ]);
  });

  test("keeps record and kind, and refuses a change over someone else's", async () => {
    const field = await add("text");
    expect((await change(field, { kind: "day" })).body.fields).toHaveProperty(["field.kind"]);
    expect((await change(field, { record: "client" })).body.fields).toHaveProperty(["field.record"]);
    expect((await change(field, { label: "New" })).status).toBe(200);
    const old = await change(field, { lockVersion: 0 });
    expect([old.status, old.body.code]).toEqual([409, "conflict_version"]);
  });

  test("with values cannot be removed, and neither can a choice; without values both can", async () => {
    const field = await add("choice");
    const [first, second, third] = field.choices;
    const form = await makeForm(ada, { custom: { [field.key]: first?.id } });
    const refused = await remove(field);
    expect([refused.status, refused.body.code]).toEqual([409, "conflict_in_use"]);
    expect((await change(field, { choices: [second, third] })).status).toBe(409);
    expect((await change(field, { choices: [third, first] })).status).toBe(200);
    expect((await put(form, { custom: { [field.key]: null } })).status).toBe(200);
    expect((await remove(field)).status).toBe(204);
    expect((await remove(field)).status).toBe(404);
  });

  test("with a value that the undo of a merge restores is refused to go, and so is a choice", async () => {
    const field = await add("choice", { record: "client", section: "", label: "Restorable" });
    const [first, second, third] = field.choices;
    const one = await makeClient(admin, { custom: { [field.key]: first?.id } });
    const other = await makeClient(admin, { custom: { [field.key]: second?.id } });
    const merged = await call(admin.cookie, "POST", `/api/clients/${one.id}/merge`, {
      client: { name: one.name, custom: { [field.key]: null }, lockVersion: one.lockVersion },
      other: { id: other.id, lockVersion: other.lockVersion },
    });
    expect(merged.body.client.custom).toEqual({});
    expect((await change(field, { choices: [first, third] })).status).toBe(409);
    expect((await change(field, { choices: [first, second] })).status).toBe(200);
    expect((await remove(field)).status).toBe(409);
    const undone = await call(admin.cookie, "POST", `/api/merges/${merged.body.merge.id}/undo`, {
      keepChanged: false,
    });
    expect(undone.status, JSON.stringify(undone.body)).toBe(200);
    const readCustom = async (id: number) =>
      (await call(admin.cookie, "GET", `/api/clients/${id}`)).body.client.custom;
    expect(await readCustom(one.id)).toEqual({ [field.key]: first?.id });
    expect(await readCustom(other.id)).toEqual({ [field.key]: second?.id });
  });
});

describe("a value in the API", () => {
  let fields: Map<CustomKind, Field>;
  beforeEach(async () => {
    fields = new Map();
    for (const kind of CUSTOM_KINDS) fields.set(kind, await add(kind));
  });
  const field = (kind: CustomKind): Field => {
    const found = fields.get(kind);
    if (!found) throw new Error(kind);
    return found;
  };
  const customOf = (values: (field: Field, kind: CustomKind) => unknown) =>
    Object.fromEntries(CUSTOM_KINDS.map((kind) => [field(kind).key, values(field(kind), kind)]));

  test("is stored and returned for each kind; absent keys stay, and null empties", async () => {
    const custom = customOf((one, kind) => VALUES[kind](one).value);
    const form = await makeForm(ada, { custom });
    expect(form.custom).toEqual(custom);
    const untouched = await put(form, {});
    expect(untouched.body.form.custom).toEqual(custom);
    const { key } = field("text");
    const emptied = await put(untouched.body.form, { custom: { [key]: null } });
    const { [key]: _, ...others } = custom;
    expect(emptied.body.form.custom).toEqual(others);
    const client = await makeClient(ada, { custom: {} });
    expect(client.custom).toEqual({});
  });

  test("is lost when the form's new status or type does not have it, as no one could see that it counts", async () => {
    const reason = await add("flag", { section: "serviceStatusEntry", label: "No interpreter" });
    const survivor = await add("flag", { section: "intakeForm.survivorEntry", label: "Sextortion" });
    const ofType = await add("flag", { section: "", label: "Walked in", formTypeIds: [type] });
    const entry = { serviceStatus: "Not Served", serviceStatusEntryAttributes: { other: true } };
    const notServed = await makeForm(ada, { ...entry, custom: { [reason.key]: true, [ofType.key]: true } });
    const served = await put(notServed, {});
    expect(served.body.form.custom).toEqual({ [ofType.key]: true });

    const survivorType = await formTypeId("Survivor");
    const client = await makeClient(ada);
    const asked = await makeForm(ada, {
      ...(await fullForm("Survivor", client.id)),
      custom: { [survivor.key]: true },
    });
    expect(asked.formTypeId).toBe(survivorType);
    const phone = minimalForm(client.id, await formTypeId("Phone"));
    const changed = await put(asked, {
      ...phone,
      intakeFormAttributes: { phoneEntryAttributes: { currentPfaOrder: "None" } },
    });
    expect([changed.status, changed.body.form?.custom]).toEqual([200, {}]);
    const other = await put(served.body.form, {
      formTypeId: await formTypeId("Phone"),
      serviceEntryAttributes: null,
    });
    expect([other.status, other.body.form?.custom]).toEqual([200, {}]);
  });

  test("stores no blanks: empty text, an unticked box, no choice", async () => {
    const blank: Record<CustomKind, unknown> = {
      text: "",
      longText: " ",
      flag: false,
      day: "",
      number: "",
      choice: null,
      choices: [],
    };
    expect((await makeForm(ada, { custom: customOf((_, kind) => blank[kind]) })).custom).toEqual({});
  });

  test("of several choices has each of them once", async () => {
    const { choices, key } = field("choices");
    const [first, second] = choices.map(({ id }) => id);
    const form = await makeForm(ada, { custom: { [key]: [second, first, second] } });
    expect(form.custom).toEqual({ [key]: [second, first] });
  });

  test.each<[CustomKind, unknown, RegExp]>([
    ["text", "x".repeat(256), /^Own text must be at most 255/],
    ["text", "a\nb", /^Own text must not contain/],
    ["longText", "x".repeat(10_001), /^Own longText must be at most/],
    ["flag", "yes", /^Own flag must be true or false/],
    ["day", "02/30/2026", /^Own day/],
    ["day", "1899-12-31", /^Own day/],
    ["number", 1.5, /^Own number/],
    ["choice", 999_999, /^Own choice must be chosen from the list/],
    ["choices", [999_999], /^Own choices must be chosen from the list/],
  ])("refuses %s %j", async (kind, value, message) => {
    const { key } = field(kind);
    const form = { ...minimalForm((await makeClient(ada)).id, type), custom: { [key]: value } };
    const { status, body } = await call(ada.cookie, "POST", "/api/forms", { form });
    expect(status).toBe(422);
    const [[path, words] = []] = Object.entries(body.fields);
    expect(path).toMatch(`form.custom.${key}`);
    expect(words).toMatch(message);
  });

  test("under very many or very long keys is refused with a response that is much shorter than the request", async () => {
    const send = async (keys: string[]) => {
      const custom = Object.fromEntries(keys.map((key) => [key, 1]));
      const { status, body } = await call(ada.cookie, "POST", "/api/clients", {
        client: { name: "A", custom },
      });
      expect(status).toBe(422);
      return body;
    };
    const keys = (count: number) => Array.from({ length: count }, (_, at) => `key${at}`);
    for (const count of [501, 49_000])
      expect((await send(keys(count))).fields).toEqual({
        "client.custom": "Custom Fields can have at most 500 values",
      });
    const { fields, error } = await send(keys(500));
    expect(Object.keys(fields)).toEqual(keys(100).map((key) => `client.custom.${key}`));
    expect(error.at(-1)).toBe("There are more problems than these 100. Fix these first.");
    const exactly = await send(keys(100));
    expect(Object.keys(exactly.fields)).toHaveLength(100);
    expect(exactly.error.at(-1)).not.toContain("There are more problems");
    expect(JSON.stringify(await send(["k".repeat(900_000)])).length).toBeLessThan(1_000);
  });

  test("under a key that never existed is refused, also under one of the other record", async () => {
    for (const key of ["nothing", "constructor"]) {
      const client = { name: "Ada", custom: { [key]: "x" } };
      const { status, body } = await call(ada.cookie, "POST", "/api/clients", { client });
      expect([status, body.fields]).toEqual([
        422,
        { [`client.custom.${key}`]: expect.stringMatching(/is not a field/) },
      ]);
    }
    const ofForm = { name: "Ada", custom: { [field("text").key]: "x" } };
    expect((await call(ada.cookie, "POST", "/api/clients", { client: ofForm })).status).toBe(422);
    expect(
      (await call(ada.cookie, "POST", "/api/clients", { client: { name: "A", custom: 5 } })).status,
    ).toBe(422);
  });

  test("of a retired field or choice is accepted", async () => {
    const { choices, key } = field("choice");
    await change(field("choice"), {
      retiredFrom: today(),
      choices: choices.map((one) => ({ ...one, retiredFrom: today() })),
    });
    expect((await makeForm(ada, { custom: { [key]: choices[0]?.id } })).custom).toEqual({
      [key]: choices[0]?.id,
    });
  });

  test("of a removed field is ignored if blank, else refused with field and value", async () => {
    const { key } = field("text");
    const form = await makeForm(ada);
    expect((await remove(field("text"))).status).toBe(204);
    const blank = await put(form, { custom: { [key]: "" } });
    expect([blank.status, blank.body.form?.custom]).toEqual([200, {}]);
    const refused = await put(blank.body.form, { custom: { [key]: "typed" } });
    expect([refused.status, refused.body.code]).toEqual([409, "conflict_version"]);
    expect(refused.body.error).toEqual(["Own text was removed from forms. Its value was: typed"]);
    expect(Object.keys(refused.body.fields)).toEqual([`form.custom.${key}`]);
  });

  test("appears in history, files, the archive, the JSON record, the API description, and error masks", async () => {
    const custom = customOf((one, kind) => VALUES[kind](one).value);
    const client = await makeClient(ada);
    const created = await makeForm(ada, await fullForm("On-Call Advocacy", client.id), client.id);
    const saved = await call(ada.cookie, "PUT", `/api/forms/${created.id}`, {
      form: { ...(await fullForm("On-Call Advocacy", client.id)), custom, lockVersion: created.lockVersion },
    });
    expect(saved.status, JSON.stringify(saved.body)).toBe(200);

    const { events } = (await call(ada.cookie, "GET", `/api/forms/${created.id}/history`)).body;
    const changes = events[0].changes.filter(({ field }: { field: string }) =>
      field.startsWith("form.custom."),
    );
    for (const kind of CUSTOM_KINDS) {
      const { key } = field(kind);
      const { text, value } = VALUES[kind](field(kind));
      // A history keeps the words of choices.
      const words: Partial<Record<CustomKind, unknown>> = { choice: text, choices: text.split(", ") };
      expect(changes).toContainEqual({
        field: `form.custom.${key}`,
        label: `Survivor › Own ${kind}`,
        from: null,
        to: words[kind] ?? value,
        fromText: "",
        toText: text,
      });
    }
    const shown = await loadHistory(await actorFor(ada), formHistory, created.id, {
      filters: { views: false },
    });
    expect(shown.events[0]?.changes).toContainEqual(
      expect.objectContaining({ section: "Survivor", text: "Own choice: added Eviction" }),
    );

    const { values, rules } = openedAs(saved.body.form, null, await formLists(await actorFor(ada)));
    const reading = readForm(values, rules);
    const survivor = reading.blocks.find(({ title }) => title === "Survivor");
    const texts = new Map(
      survivor?.parts.flatMap(({ rows }) => rows.map(({ label, text }) => [label, text])),
    );
    for (const kind of CUSTOM_KINDS) expect(texts.get(`Own ${kind}`)).toBe(VALUES[kind](field(kind)).text);

    const csv = (await call(ada.cookie, "GET", "/api/forms.csv?columns=all&filters[formStatus]=all")).body;
    const lines = parse(csv, { bom: true, columns: true }) as Record<string, string>[];
    const line = lines.find(({ Id }) => Id === String(created.id));
    for (const kind of CUSTOM_KINDS) {
      const { text, cell = text } = VALUES[kind](field(kind));
      expect(line?.[`Survivor: Own ${kind}`], kind).toBe(kind === "number" ? "-12" : cell);
    }

    const record = (await call(ada.cookie, "GET", `/api/clients/${client.id}/record.json`)).body;
    expect(JSON.stringify(record)).toContain("Canary text");
    const document = (await call(ada.cookie, "GET", "/api/openapi.json")).body;
    const { custom: described } = document.components.schemas.FormInput.properties;
    expect(described.properties.ownChoice).toMatchObject({ title: "Own choice" });
    expect(document.components.schemas.Form.properties.custom.properties.ownText.title).toBe("Own text");
    const masked = maskBody(formBody, { form: { custom, Jane: 1 } });
    expect(JSON.stringify(masked)).not.toMatch(/Canary|Jane|Eviction/);
    expect(JSON.stringify(masked)).toContain("ownText");
    const unopened: Unopened[] = [];
    const blank = { custom: Object.fromEntries(CUSTOM_KINDS.map((kind) => [field(kind).key, null])) };
    expect(fitted(formSchema, blank, { custom }, unopened)).toEqual({ custom });
    expect(unopened).toEqual([]);
  });

  test("comes back from an exported file, its column found by its label", async () => {
    // The chosen one is called like the id of another.
    const { choices } = field("choice");
    const renamed = choices.map((one, at) => (at === 1 ? { ...one, label: String(choices[0]?.id) } : one));
    expect((await change(field("choice"), { choices: renamed })).status).toBe(200);
    const custom = customOf((one, kind) => VALUES[kind](one).value);
    const client = await makeClient(admin);
    const form = await makeForm(
      admin,
      { ...(await fullForm("On-Call Advocacy", client.id)), custom },
      client.id,
    );
    const csv = (await call(admin.cookie, "GET", "/api/forms.csv?columns=all&filters[formStatus]=all")).body;
    const records = parse(csv, { bom: true }) as string[][];
    const kept = records.filter(([id], at) => at === 0 || id === String(form.id));
    const quoted = kept
      .map((line) => line.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(","))
      .join("\r\n");
    const sent = {
      raw: new TextEncoder().encode(quoted),
      headers: { "content-type": "application/octet-stream" },
    };
    const { body } = await call(admin.cookie, "POST", "/api/imports?kind=forms", undefined, sent);
    const { id, matches: found } = body.import;
    // The client was not imported before, so it is found by its name.
    const matches = found.map((key: string) => (key === "client.id" ? "" : key));
    for (const kind of CUSTOM_KINDS) expect(matches).toContain(`custom.${field(kind).key}`);
    await call(admin.cookie, "POST", `/api/imports/${id}/start`, {
      import: { dryRun: false, matches, ownerId: null },
    });
    await runImports(new AbortController().signal);
    const done = (await call(admin.cookie, "GET", `/api/imports/${id}`)).body.import;
    expect(done, JSON.stringify(done.notes)).toMatchObject({ status: "done", created: 1, failed: 0 });
    const imported = await db().form.findFirstOrThrow({ orderBy: { id: "desc" } });
    expect(imported.custom).toEqual(custom);
  });

  test("a purge empties texts, days, and what is sensitive, and keeps choices, boxes, and numbers", async () => {
    const secret = await add("choice", { label: "Status", sensitive: true });
    const all = customOf((one, kind) => VALUES[kind](one).value);
    const client = await makeClient(ada);
    const form = await makeForm(ada, { custom: { ...all, [secret.key]: secret.choices[0]?.id } }, client.id);
    await rows(sql`UPDATE retention_settings SET years = 3, nightly = TRUE, ran_on = NULL`);
    await rows(sql`UPDATE clients SET updated_at = now() - interval '9 years' WHERE id = ${client.id}`);
    await rows(
      sql`UPDATE forms SET updated_at = now() - interval '9 years', service_on = current_date - 3300 WHERE client_id = ${client.id}`,
    );
    vi.stubEnv("TZ", "UTC");
    await purgeByNight(new AbortController().signal, new Date(`${today()}T04:00:00`));
    vi.unstubAllEnvs();
    const left = await db().form.findUniqueOrThrow({ where: { id: form.id } });
    expect(left.custom).toEqual(
      Object.fromEntries(
        CUSTOM_KINDS.filter((kind) => !sensitiveKinds.includes(kind)).map((kind) => [
          field(kind).key,
          VALUES[kind](field(kind)).value,
        ]),
      ),
    );
    await rows(sql`UPDATE retention_settings SET years = NULL, nightly = FALSE`);
  });
});

describe("a required field", () => {
  test("of a form is required from its service day on, where the form asks it, and never for earlier forms", async () => {
    const field = await add("text", { section: "", requiredFrom: "2026-03-04" });
    const clientId = (await makeClient(ada)).id;
    const post = (values: object) =>
      call(ada.cookie, "POST", "/api/forms", { form: { ...minimalForm(clientId, type), ...values } });
    const refused = await post({});
    expect([refused.status, refused.body.fields]).toEqual([
      422,
      { [`form.custom.${field.key}`]: "Own text is required" },
    ]);
    expect((await post({ custom: { [field.key]: "here" } })).status).toBe(201);
    expect((await post({ serviceOn: "2026-03-03" })).status).toBe(201);
    await change(field, { formTypeIds: [await formTypeId("Phone")] });
    expect((await post({})).status).toBe(201);
    await change(field, { formTypeIds: [], section: SURVIVOR });
    expect((await post({})).status).toBe(201);
    await change(field, { section: "More about this", retiredFrom: today() });
    expect((await post({})).status).toBe(201);
    await change(field, { retiredFrom: null });
    expect((await post({})).status).toBe(422);
  });

  test("of a client is required where it is sent, and never of a client whose field does not change", async () => {
    const former = await makeClient(ada);
    const { key } = await add("text", { record: "client", section: "", requiredFrom: addDays(today(), -1) });
    expect((await call(ada.cookie, "POST", "/api/clients", { client: { name: "Bea" } })).status).toBe(201);
    const blank = { name: "Bea", custom: { [key]: "" } };
    const refused = await call(ada.cookie, "POST", "/api/clients", { client: blank });
    expect([refused.status, Object.keys(refused.body.fields)]).toEqual([422, [`client.custom.${key}`]]);
    const update = (custom: object) =>
      call(ada.cookie, "PUT", `/api/clients/${former.id}`, { client: { name: "Former", custom } });
    expect((await update({ [key]: "" })).status).toBe(200);
    expect((await update({ [key]: "told" })).status).toBe(200);
    expect((await update({ [key]: "" })).status).toBe(422);
    expect((await update({})).status).toBe(200);
  });

  test("of a client does not prevent the undo of a merge", async () => {
    const field = await add("text", { record: "client", section: "" });
    const entry = { address: "1 Elm" };
    const blank = await makeClient(admin, { clientBiographicalEntryAttributes: entry });
    const told = await makeClient(admin, {
      clientBiographicalEntryAttributes: { ...entry, city: "Erie" },
      custom: { [field.key]: "Told" },
    });
    const city = "/api/field_settings/client.clientBiographicalEntry.city";
    const requiredFrom = addDays(today(), -1);
    expect((await change(field, { requiredFrom })).status).toBe(200);
    expect((await call(admin.cookie, "PUT", city, { fieldSetting: { requiredFrom } })).status).toBe(200);
    const read = async ({ id }: Client) =>
      (await call(admin.cookie, "GET", `/api/clients/${id}`)).body.client as Client;
    // The remaining client gets a value and loses it again; then the removed one is restored without a value.
    for (const [remaining, removed] of [
      [blank, told],
      [told, blank],
    ]) {
      const now = await read(remaining);
      const other = await read(removed);
      const merged = await call(admin.cookie, "POST", `/api/clients/${now.id}/merge`, {
        client: {
          name: now.name,
          custom: { [field.key]: "Told" },
          clientBiographicalEntryAttributes: { ...now.clientBiographicalEntry, city: "Erie" },
          lockVersion: now.lockVersion,
        },
        other: { id: other.id, lockVersion: other.lockVersion },
      });
      expect(merged.status, JSON.stringify(merged.body)).toBe(200);
      const undone = await call(admin.cookie, "POST", `/api/merges/${merged.body.merge.id}/undo`, {
        keepChanged: false,
      });
      expect(undone.status, JSON.stringify(undone.body)).toBe(200);
      expect((await read(blank)).custom).toEqual({});
      expect((await read(blank)).clientBiographicalEntry?.city).toBe("");
      expect((await read(told)).custom).toEqual({ [field.key]: "Told" });
    }
    expect((await call(admin.cookie, "DELETE", city)).status).toBe(204);
  });
});

describe("a client's custom field", () => {
  test("is on the client's page, in its section or one of its own, and survives a merge and its undo", async () => {
    const { key } = await add("text", {
      record: "client",
      section: "More about this client",
      label: "Story",
    });
    const inside = await add("flag", {
      record: "client",
      section: "clientDemographicEntry",
      label: "Veteran",
    });
    const one = await makeClient(admin, { custom: { [key]: "Told once", [inside.key]: true } });
    const other = await makeClient(admin, { custom: { [key]: "Told twice" } });
    const lists = await formLists(await actorFor(admin));
    const read = readClient(one as Client, choicesOf(lists));
    expect(read.find(({ title }) => title === "More about this client")?.parts).toEqual([
      { rows: [{ path: `client.custom.${key}`, label: "Story", text: "Told once" }] },
    ]);
    expect(JSON.stringify(read.find(({ title }) => title === "Client Demographics"))).toContain("Veteran");
    const merged = await call(admin.cookie, "POST", `/api/clients/${one.id}/merge`, {
      client: { name: one.name, custom: { [key]: "Told twice" }, lockVersion: one.lockVersion },
      other: { id: other.id, lockVersion: other.lockVersion },
    });
    expect(merged.body.client.custom).toEqual({ [key]: "Told twice", [inside.key]: true });
    const undone = await call(admin.cookie, "POST", `/api/merges/${merged.body.merge.id}/undo`, {
      keepChanged: false,
    });
    expect(undone.status, JSON.stringify(undone.body)).toBe(200);
    const readClientAgain = (id: number) => call(admin.cookie, "GET", `/api/clients/${id}`);
    expect((await readClientAgain(one.id)).body.client.custom).toEqual({
      [key]: "Told once",
      [inside.key]: true,
    });
    expect((await readClientAgain(other.id)).body.client.custom).toEqual({ [key]: "Told twice" });
  });

  test("that was removed is not on the client's screen, so the next save is accepted", async () => {
    const removed = await add("text", { record: "client", section: "", label: "Removed" });
    const current = await add("flag", { record: "client", section: "", label: "Current" });
    const added = await add("text", { record: "client", section: "", label: "Added" });
    await remove(removed);
    await call(admin.cookie, "GET", "/api/me");
    const typed = { [removed.key]: "typed", [current.key]: true };
    expect(currentValues(clientSchema, typed)).toEqual({ [current.key]: true, [added.key]: "" });
  });

  test("of which a choice was removed is on the screen without it, so the next save is accepted", async () => {
    const one = await add("choice", { record: "client", section: "", label: "One" });
    const several = await add("choices", { record: "client", section: "", label: "Several" });
    const typed = { [one.key]: one.choices[0]?.id ?? 0, [several.key]: several.choices.map(({ id }) => id) };
    for (const field of [one, several])
      expect((await change(field, { choices: field.choices.slice(1) })).status).toBe(200);
    const refused = await call(admin.cookie, "POST", "/api/clients", {
      client: { name: "A", custom: typed },
    });
    expect([refused.status, Object.keys(refused.body.fields)]).toEqual([
      422,
      [`client.custom.${one.key}`, `client.custom.${several.key}`],
    ]);
    const left = several.choices.slice(1).map(({ id }) => id);
    expect(currentValues(clientSchema, typed)).toEqual({ [one.key]: null, [several.key]: left });
    // A draft keeps the others, and names the field of the one that is lost.
    const unopened: Unopened[] = [];
    const blank = { custom: currentValues(clientSchema) };
    expect(fitted(clientSchema, blank, { custom: typed }, unopened)).toEqual({
      custom: { [one.key]: null, [several.key]: left },
    });
    expect(unopened).toEqual([
      { label: "Custom Fields: One", value: "A choice that was removed" },
      { label: "Custom Fields: Several", value: "A choice that was removed" },
    ]);
  });

  test("keeps its former word in the history when a choice is renamed", async () => {
    const field = await add("choice", { record: "client", section: "" });
    const [first] = field.choices;
    const client = await makeClient(admin, { custom: { [field.key]: first?.id } });
    await change(field, {
      choices: field.choices.map((one, at) => ({ ...one, ...(at === 0 && { label: "Rent help" }) })),
    });
    const { events } = (await call(admin.cookie, "GET", `/api/clients/${client.id}/history`)).body;
    expect(JSON.stringify(events)).toContain("Rent; arrears");
    const csv = (await call(admin.cookie, "GET", "/api/clients.csv?columns=all")).body;
    expect(csv).toContain("Rent help");
  });
});

test("the archive has the definitions and the values", async () => {
  const everything = await makeUser(permissionKeys);
  const { key } = await add("text", { section: "" });
  await makeForm(ada, { custom: { [key]: "Canary in the archive" } });
  const { bytes } = await call(everything.cookie, "GET", "/api/archive.zip");
  const files = await filesIn(bytes);
  expect(files.get("forms.csv")).toContain("Canary in the archive");
  expect(files.get("custom_fields.csv")).toContain("Own text");
});

test("an import fails if a field of its file was removed since, and drops no values", async () => {
  const field = await add("text", { record: "client", section: "", label: "Dropped" });
  const { body } = await call(admin.cookie, "POST", "/api/imports?kind=clients", undefined, {
    raw: "Client Name,Dropped\r\nNever Imported,words",
    headers: { "content-type": "text/csv" },
  });
  const { id, matches } = body.import;
  expect(matches).toEqual(["name", `custom.${field.key}`]);
  const start = { import: { dryRun: false, matches, ownerId: null } };
  expect((await call(admin.cookie, "POST", `/api/imports/${id}/start`, start)).status).toBe(200);
  expect((await remove(field)).status).toBe(204);
  await runImports(new AbortController().signal);
  const failed = (await call(admin.cookie, "GET", `/api/imports/${id}`)).body.import;
  expect(failed).toMatchObject({ status: "failed", created: 0 });
  expect(await db().client.count({ where: { name: "Never Imported" } })).toBe(0);
});

describe("a field that is removed while a value is saved", () => {
  /** Starts `work` while a change to the definitions is uncommitted. Commits the change once `work` waits for it. */
  async function during<Result>(
    change: (query: Query) => Promise<unknown>,
    work: () => Promise<Result>,
  ): Promise<Result> {
    let result: Promise<Result> | undefined;
    await inTransaction(async (query) => {
      await change(query);
      result = work();
      await expect.poll(countWaiting).toBeGreaterThan(0);
    });
    if (!result) throw new Error("Nothing waited");
    return result;
  }
  const countWaiting = async () => {
    const waiting = sql`SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0`;
    return (await rows(waiting)).length;
  };
  const removal = (field: Field) => async (query: Query) => {
    await changeDefinitions(query);
    await query(sql`UPDATE custom_fields SET removed = TRUE WHERE id = ${field.id}`);
  };
  const refusal = (label: string, record: string) => ({
    status: 409,
    body: { error: [`${label} was removed from ${record}s. Its value was: typed`], code: "conflict_version" },
  });

  test("is refused with its value on a new form and a stored one", async () => {
    const field = await add("text");
    const form = await makeForm(ada);
    const custom = { [field.key]: "typed" };
    const save = await during(removal(field), () => put(form, { custom }));
    expect(save).toMatchObject(refusal("Own text", "form"));
    const other = await add("text", { label: "Other text" });
    const count = await db().form.count();
    const body = { form: { ...minimalForm(form.clientId, type), custom: { [other.key]: "typed" } } };
    const creation = await during(removal(other), () => call(ada.cookie, "POST", "/api/forms", body));
    expect(creation).toMatchObject(refusal("Other text", "form"));
    expect(await db().form.count()).toBe(count);
    expect((await db().form.findUniqueOrThrow({ where: { id: form.id } })).custom).toEqual({});
  });

  test("is refused with its value on a new client, a stored one, and a merge", async () => {
    const labels = ["First", "Second", "Third"];
    const [first, second, third] = await Promise.all(
      labels.map((label) => add("text", { record: "client", section: "", label })),
    );
    const one = await makeClient(admin);
    const other = await makeClient(admin);
    const client = (field: Field | undefined) => ({
      name: one.name,
      custom: { [field?.key ?? ""]: "typed" },
    });
    const attempt = (field: Field | undefined, method: "POST" | "PUT", path: string, body: object = {}) =>
      field &&
      during(removal(field), () => call(admin.cookie, method, path, { client: client(field), ...body }));
    expect(await attempt(first, "POST", "/api/clients")).toMatchObject(refusal("First", "client"));
    expect(await attempt(second, "PUT", `/api/clients/${one.id}`)).toMatchObject(refusal("Second", "client"));
    const merge = {
      client: { ...client(third), lockVersion: one.lockVersion },
      other: { id: other.id, lockVersion: other.lockVersion },
    };
    expect(await attempt(third, "POST", `/api/clients/${one.id}/merge`, merge)).toMatchObject(
      refusal("Third", "client"),
    );
    const stored = await db().client.findMany({ where: { id: { in: [one.id, other.id] } } });
    expect(stored.map(({ custom }) => custom)).toEqual([{}, {}]);
  });

  test("makes an import in progress fail", async () => {
    const field = await add("text", { record: "client", section: "", label: "Begun" });
    const { body } = await call(admin.cookie, "POST", "/api/imports?kind=clients", undefined, {
      raw: "Client Name,Begun\r\nNever Imported Either,words",
      headers: { "content-type": "text/csv" },
    });
    const { id, matches } = body.import;
    await call(admin.cookie, "POST", `/api/imports/${id}/start`, {
      import: { dryRun: false, matches, ownerId: null },
    });
    await during(removal(field), () => runImports(new AbortController().signal));
    const failed = (await call(admin.cookie, "GET", `/api/imports/${id}`)).body.import;
    expect(failed).toMatchObject({ status: "failed", created: 0 });
    expect(JSON.stringify(failed)).toContain("A field of this file was removed");
    expect(JSON.stringify(failed)).not.toContain("words");
  });

  test("is refused with a choice error if only the choice is removed", async () => {
    const field = await add("choice");
    const form = await makeForm(ada);
    const [first] = field.choices;
    const save = await during(
      async (query) => {
        await changeDefinitions(query);
        await query(sql`DELETE FROM custom_choices WHERE id = ${first?.id}`);
      },
      () => put(form, { custom: { [field.key]: first?.id } }),
    );
    expect([save.status, save.body.fields]).toEqual([
      422,
      { [`form.custom.${field.key}`]: "Own choice must be chosen from the list" },
    ]);
  });

  test("stays if the value was written first", async () => {
    const field = await add("text");
    const form = await makeForm(ada);
    const removed = await during(
      async (query) => {
        await holdDefinitions(query);
        const custom = JSON.stringify({ [field.key]: "typed" });
        await query(sql`UPDATE forms SET custom = ${custom}::jsonb WHERE id = ${form.id}`);
      },
      () => remove(field),
    );
    expect([removed.status, removed.body.code]).toEqual([409, "conflict_in_use"]);
  });

  test("does not affect a save that sends only blank values for it", async () => {
    const field = await add("text");
    const form = await makeForm(ada);
    await rows(sql`UPDATE custom_fields SET removed = TRUE WHERE id = ${field.id}`);
    expect((await put(form, { custom: { [field.key]: "" } })).status).toBe(200);
  });
});

describe("the size of all definitions", () => {
  const fill = async (count: number, values: { retired?: boolean; removed?: boolean } = {}) => {
    const { retired = false, removed = false } = values;
    await rows(
      sql`INSERT INTO custom_fields (name, record, section, label, kind, retired_from, removed)
       SELECT 'filled' || n || ${removed ? "Removed" : ""}, 'form', '', 'Filled ' || n, 'text',
         CASE WHEN ${retired} THEN DATE '2020-01-01' END, ${removed} FROM generate_series(1, ${count}::int) n`,
    );
    await rows(sql`UPDATE field_definitions SET version = version + 1`);
  };
  const problem = async (values: object) => {
    const { status, body } = await call(admin.cookie, "POST", "/api/fields", {
      field: input("text", values),
    });
    return [status, body.fields];
  };

  test("is at most 200 fields in use, and 400 including retired ones", async () => {
    await fill(199);
    const field = await add("text");
    const inUse = "You can have at most 200 custom fields in use. Please retire one first.";
    expect(await problem({ label: "One more" })).toEqual([422, { "field.label": inUse }]);
    // The others can still be changed, and retiring one makes room for a new one.
    expect((await change(field, { hint: "Ask." })).status).toBe(200);
    expect((await change(field, { retiredFrom: today() })).status).toBe(200);
    await add("text", { label: "One more" });
    expect((await change(field, { retiredFrom: null })).body.fields).toEqual({ "field.label": inUse });
    await rows(sql`UPDATE custom_fields SET name = 'other' || name, retired_from = '2020-01-01'`);
    await fill(199, { retired: true });
    expect(await problem({ label: "The last" })).toEqual([
      422,
      { "field.label": "You can have at most 400 custom fields, including retired ones" },
    ]);
  });

  test("is at most 2,000 choices in total, and 200 per field", async () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => ({ label: `Choice ${at}` }));
    const tooMany = { "field.choices": "Choices are limited to 200 per field" };
    expect((await problem({ kind: "choice", choices: many(201) }))[1]).toEqual(tooMany);
    const fields: Field[] = [];
    for (let at = 0; at < 10; at++)
      fields.push(await add("choice", { label: `Full ${at}`, choices: many(200) }));
    const full = "Custom fields can have at most 2,000 choices in total, including retired ones";
    expect((await problem({ kind: "choice", choices: many(1) }))[1]).toEqual({ "field.choices": full });
    const [field] = fields;
    if (!field) throw new Error("No field");
    expect((await change(field, { choices: field.choices.slice(1) })).status).toBe(200);
    expect((await change(field, { hint: "Ask." })).status).toBe(200);
  });

  test("includes the last 1,000 removed fields, and earlier keys are still not reused", async () => {
    await fill(1, { removed: true });
    await rows(sql`UPDATE custom_fields SET updated_at = now() - interval '1 day'`);
    const { key } = await add("text", { label: "Filled 1 removed" });
    expect(key).toBe("filled1Removed2");
    await rows(sql`UPDATE custom_fields SET name = 'earliest' WHERE removed`);
    await fill(1_000, { removed: true });
    const { removed } = (await call(admin.cookie, "GET", "/api/fields")).body.definitions;
    expect(removed).toHaveLength(1_000);
    expect(removed).not.toContainEqual(expect.objectContaining({ key: "earliest" }));
    const refused = await put(await makeForm(ada), { custom: { earliest: "typed" } });
    expect([refused.status, refused.body.fields]).toEqual([
      422,
      { "form.custom.earliest": expect.stringMatching(/is not a field/) },
    ]);
  });
});
