import { beforeAll, describe, expect, test } from "vitest";
import { db } from "@/lib/core/database/client";
import { fromWire, toWire } from "@/lib/core/fields/wire";
import { type Form, formResponse } from "@/lib/forms/api-schema";
import { formSchema } from "@/lib/forms/schema";
import { formTypes } from "@/prisma/seed-data";
import { call } from "@/tests/call";
import {
  formTypeId,
  fullForm,
  makeClient,
  makeForm,
  makeUser,
  minimalForm,
  type Person,
} from "@/tests/factories";

let ada: Person;
let ben: Person;
let supervisor: Person;
let clientId: number;

beforeAll(async () => {
  ada = await makeUser();
  ben = await makeUser();
  supervisor = await makeUser(["forms", "all-forms"]);
  clientId = (await makeClient(ada)).id;
});

const post = (form: object, as = ada) => call(as.cookie, "POST", "/api/forms", { form });
const get = async (id: number, as = ada) => (await call(as.cookie, "GET", `/api/forms/${id}`)).body.form;
/** Saves the form. If that succeeds, the response must equal what a read returns. */
async function put(id: number, form: object, as = ada) {
  const answer = await call(as.cookie, "PUT", `/api/forms/${id}`, { form });
  if (answer.status === 200) expect(answer.body.form).toEqual(await get(id, as));
  return answer;
}

/** Creates a form of a type with every section filled, and returns it with the values that were sent. */
async function full(type: (typeof formTypes)[number]["name"], place: "M" | "CT" = "M") {
  const sent = await fullForm(type, clientId, place);
  const { status, body } = await post(sent);
  expect(status, JSON.stringify(body)).toBe(201);
  return { sent, form: body.form };
}

/** Returns the body that a screen sends for a form it loaded, without its version. */
const asBody = (form: Form, changes: object = {}): Record<string, unknown> => ({
  ...toWire(formSchema, { ...form, lockVersion: undefined, ...changes }),
});

describe("a form with every section filled survives save, reload, edit and reload", () => {
  const cases = [...formTypes.map(({ name }) => [name, "M"] as const), ["Legal Advocacy", "CT"] as const];

  test.each(cases)("%s (%s)", async (type, place) => {
    const { sent, form } = await full(type, place);
    const reloaded = await get(form.id);
    expect(reloaded).toEqual(form);
    // The response must match its schema exactly. Parsing would drop an unknown key.
    expect(formResponse.parse(reloaded)).toEqual(reloaded);
    expect(reloaded).toMatchObject(fromWire(formSchema, sent) as object);

    // A save without a change writes no version.
    const again = await put(form.id, asBody(reloaded, { lockVersion: 0 }));
    expect(again).toMatchObject({ status: 200, body: { form: reloaded } });

    const edited = edit(again.body.form);
    const saved = await put(form.id, asBody(edited, { lockVersion: 0 }));
    expect(saved.status, JSON.stringify(saved.body)).toBe(200);
    expect(await get(form.id)).toEqual({ ...edited, lockVersion: 1 });
  });

  /** Changes every text and number and keeps every checkbox set, so that no rule clears anything. */
  // biome-ignore lint/suspicious/noExplicitAny: walks any response
  function edit(value: any, key = ""): any {
    if (["user", "client", "formType", "serviceCode"].includes(key)) return value;
    if (Array.isArray(value)) return key.endsWith("Ids") ? value.slice(1) : value.map((row) => edit(row));
    if (value !== null && typeof value === "object") {
      return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, edit(inner, name)]));
    }
    if (key === "serviceOn" || key === "emergencyVisitOn") return "2025-12-24";
    if (["serviceStatus", "placeOfService", "currentPfaOrder"].includes(key)) return value;
    if (typeof value === "string" && value !== "") return `${value}, edited`;
    if (["minutes", "otherServiceMinutes", "adults", "numberOfChildren"].includes(key)) return value + 1;
    return value;
  }
});

describe("nested objects and lists in a form update", () => {
  test("stay when omitted and are removed by null, at every depth", async () => {
    const { form } = await full("Phone");
    const own = { ...minimalForm(clientId, form.formTypeId), serviceStatus: "Partially Served" };
    const kept = (await put(form.id, own)).body.form;
    expect(kept.intakeForm).toEqual(form.intakeForm);
    expect(kept.serviceEntry).toEqual(form.serviceEntry);

    const partial = asBody(form, { intakeForm: { ...form.intakeForm, phoneEntry: undefined } });
    expect((await put(form.id, partial)).body.form.intakeForm).toEqual(form.intakeForm);
    const deeper = { ...form.intakeForm.phoneEntry, incomeAndEducationEntry: null };
    const without = await put(
      form.id,
      asBody(form, { intakeForm: { ...form.intakeForm, phoneEntry: deeper } }),
    );
    expect(without.body.form.intakeForm.phoneEntry.incomeAndEducationEntry).toBeNull();

    const gone = (await put(form.id, asBody(form, { intakeForm: null, serviceEntry: null }))).body.form;
    expect(gone).toMatchObject({ intakeForm: null, serviceEntry: null });
    expect(await db().intakeForm.count({ where: { formId: form.id } })).toBe(0);
    expect(await db().serviceEntry.count({ where: { formId: form.id } })).toBe(0);
  });

  test("replace a list as a whole: rows are updated, created, omitted or destroyed", async () => {
    const { form } = await full("Service");
    const rows = form.serviceEntry.serviceProvidedEntries;
    const [first, second, third] = rows;
    const { id: _, ...copy } = rows[3];
    const body = asBody(form, {
      serviceEntry: {
        ...form.serviceEntry,
        serviceProvidedEntries: [{ ...first, minutes: 99 }, { ...second, _destroy: true }, copy],
      },
    });
    const entry = (await put(form.id, body)).body.form.serviceEntry;
    expect(entry.serviceProvidedEntries).toHaveLength(2);
    expect(entry.serviceProvidedEntries[0]).toEqual({ ...first, minutes: 99 });
    expect(entry.serviceProvidedEntries[1]).toMatchObject({ serviceCodeId: copy.serviceCodeId });
    expect(rows.map((row: { id: number }) => row.id)).not.toContain(entry.serviceProvidedEntries[1].id);
    expect(await db().serviceProvidedEntry.count({ where: { id: { in: [second.id, third.id] } } })).toBe(0);
  });

  test("keep the other values of list rows in which different fields change at once", async () => {
    const { form } = await full("Service");
    const [first, second, ...others] = form.serviceEntry.serviceProvidedEntries;
    const rows = [{ ...first, minutes: 99 }, { ...second, referrals: "Court Help" }, ...others];
    const body = asBody(form, { serviceEntry: { ...form.serviceEntry, serviceProvidedEntries: rows } });
    const saved = (await put(form.id, body)).body.form.serviceEntry;
    expect(saved.serviceProvidedEntries).toEqual(rows);
  });

  test("with an id of another parent, or the same id twice, answer 422 and store nothing", async () => {
    const [{ form }, { form: other }] = [await full("Service"), await full("Service")];
    const rows = form.serviceEntry.serviceProvidedEntries;
    const foreign = other.serviceEntry.serviceProvidedEntries[0];
    const at = (index: number) => `form.serviceEntryAttributes.serviceProvidedEntriesAttributes.${index}.id`;
    const attempts: [object, string][] = [
      [
        { serviceEntry: { ...form.serviceEntry, id: other.serviceEntry.id } },
        "form.serviceEntryAttributes.id",
      ],
      [{ serviceEntry: { serviceProvidedEntries: [rows[0], foreign] } }, at(1)],
      [{ serviceEntry: { serviceProvidedEntries: [{ ...foreign, _destroy: true }] } }, at(0)],
      [{ serviceEntry: { serviceProvidedEntries: [rows[0], { ...rows[0], minutes: 1 }] } }, at(1)],
      [{ intakeForm: { ...form.intakeForm, id: other.intakeForm.id } }, "form.intakeFormAttributes.id"],
    ];
    for (const [changes, field] of attempts) {
      const { status, body } = await put(form.id, asBody(form, changes));
      expect([status, Object.keys(body.fields ?? {})]).toEqual([422, [field]]);
    }
    expect(await get(form.id)).toEqual(form);
    expect(await get(other.id)).toEqual(other);
  });

  test("must have no ids in a new form", async () => {
    const { form } = await full("Service");
    const { status, body } = await post(asBody(form));
    expect(status).toBe(422);
    expect(Object.keys(body.fields)).toContain("form.serviceEntryAttributes.id");
  });
});

describe("the response to a save", () => {
  type Rows = NonNullable<Form["serviceEntry"]>["serviceProvidedEntries"];
  const withRows =
    (change: (rows: Rows) => object[]) =>
    ({ serviceEntry }: Form) => ({
      serviceEntry: {
        ...serviceEntry,
        serviceProvidedEntries: change(serviceEntry?.serviceProvidedEntries ?? []),
      },
    });

  test.each<[string, (form: Form) => Promise<object> | object]>([
    ["another order of rows", withRows((rows) => rows.toReversed())],
    ["a deleted row", withRows((rows) => rows.slice(1).toReversed())],
    ["a row without minutes", withRows(([first, ...rows]) => [{ ...first, minutes: 0 }, ...rows])],
    [
      "a row that is marked as removed",
      withRows(([first, ...rows]) => [{ ...first, _destroy: true }, ...rows]),
    ],
    ["a new row", withRows((rows) => [{ ...rows[0], id: undefined }, ...rows])],
    ["another canine", async () => ({ canineId: (await db().canine.create({ data: { name: "Rex" } })).id })],
    ["another client", async () => ({ clientId: (await makeClient(ada)).id })],
    ["another form type", async () => ({ formTypeId: await formTypeId("Survivor"), serviceEntry: null })],
    ["no services", () => ({ serviceEntry: null })],
  ])("equals what a read returns, after %s", async (_, change) => {
    const { form } = await full("Service");
    const { status } = await put(form.id, asBody(form, await change(form)));
    expect(status).toBe(200);
  });

  test("has the ids of a list in order, whatever order they were sent in", async () => {
    const { form } = await full("Survivor");
    const { survivorEntry } = form.intakeForm;
    const secondaryVictimizationIds = survivorEntry.secondaryVictimizationIds.toReversed();
    const intakeForm = {
      ...form.intakeForm,
      survivorEntry: { ...survivorEntry, secondaryVictimizationIds, childAges: "3" },
    };
    const { body } = await put(form.id, asBody(form, { intakeForm }));
    expect(body.form.intakeForm.survivorEntry).toEqual({ ...survivorEntry, childAges: "3" });
  });

  test("reports that a change removed the review status", async () => {
    const { form } = await full("Service");
    await call(supervisor.cookie, "POST", `/api/forms/${form.id}/reconcile`, { reconciled: true });
    const { body } = await put(form.id, asBody(form, { serviceOn: "2025-12-24" }));
    expect(body.form).toMatchObject({ reconciled: false, reconciledBy: null, reconciledAt: null });
  });
});

describe("server-side rules for a form", () => {
  const sections = async (type: (typeof formTypes)[number]["name"], place: "M" | "CT" = "M") =>
    // biome-ignore lint/suspicious/noExplicitAny: changes any part of a body
    (await fullForm(type, clientId, place)) as any;
  const saveForm = async (form: object) => {
    const { status, body } = await post(form);
    expect(status, JSON.stringify(body)).toBe(201);
    return body.form;
  };

  test.each([
    ["M", { pfaCourtEntry: null, magisterialEntry: expect.anything() }],
    ["CT", { pfaCourtEntry: expect.anything(), magisterialEntry: null }],
    ["PF", { pfaCourtEntry: null, magisterialEntry: null }],
  ])("the place of service %s clears the other court's entry", async (place, expected) => {
    const form = await sections("Legal Advocacy", "M");
    const pfa = (await sections("Legal Advocacy", "CT")).intakeFormAttributes.legalAdvocacyEntryAttributes;
    Object.assign(form.intakeFormAttributes.legalAdvocacyEntryAttributes, {
      placeOfService: place,
      pfaCourtEntryAttributes: pfa.pfaCourtEntryAttributes,
    });
    expect((await saveForm(form)).intakeForm.legalAdvocacyEntry).toMatchObject({
      placeOfService: place,
      ...expected,
    });
  });

  test("changing the place removes the stored entry of the other court", async () => {
    const { form } = await full("Legal Advocacy", "M");
    const legalAdvocacyEntry = {
      ...form.intakeForm.legalAdvocacyEntry,
      placeOfService: "PF",
      magisterialEntry: undefined,
    };
    const { body } = await put(
      form.id,
      asBody(form, { intakeForm: { ...form.intakeForm, legalAdvocacyEntry } }),
    );
    expect(body.form.intakeForm.legalAdvocacyEntry.magisterialEntry).toBeNull();
  });

  test("a court entry omitted from an update stays, and so does a legal section older than that field", async () => {
    const { form } = await full("Legal Advocacy", "M");
    const { magisterialEntry, ...legalAdvocacyEntry } = form.intakeForm.legalAdvocacyEntry;
    const response = await put(
      form.id,
      asBody(form, { intakeForm: { ...form.intakeForm, legalAdvocacyEntry } }),
    );
    expect(response.body.form.intakeForm.legalAdvocacyEntry.magisterialEntry).toEqual(magisterialEntry);

    await db().magisterialEntry.delete({ where: { id: magisterialEntry.id } });
    const { status, body } = await put(form.id, asBody(response.body.form, { intakeForm: undefined }));
    expect([status, body.form.intakeForm.legalAdvocacyEntry.magisterialEntry]).toEqual([200, null]);
  });

  test("descriptions on a phone form are cleared with their checkboxes", async () => {
    const form = await sections("Phone");
    Object.assign(form.intakeFormAttributes.phoneEntryAttributes, {
      previousPfas: false,
      relatedArrests: false,
    });
    expect((await saveForm(form)).intakeForm.phoneEntry).toMatchObject({
      previousPfasDescription: "",
      relatedArrestsDescription: "",
    });
  });

  test("a phone form gets the canine None, and so does a form without one", async () => {
    const none = (await db().canine.findUniqueOrThrow({ where: { name: "None" } })).id;
    const biscuit = (await db().canine.findUniqueOrThrow({ where: { name: "Biscuit" } })).id;
    expect((await saveForm({ ...(await sections("Phone")), canineId: biscuit })).canineId).toBe(none);
    expect((await saveForm({ ...(await sections("Service")), canineId: null })).canineId).toBe(none);
    expect((await saveForm({ ...(await sections("Service")), canineId: biscuit })).canineId).toBe(biscuit);
  });

  test("brain injury not assessed clears its answers, and no visit clears its date", async () => {
    const form = await sections("Survivor");
    const survivor = form.intakeFormAttributes.survivorEntryAttributes;
    survivor.brainInjuryEntryAttributes.emergencyVisit = false;
    expect((await saveForm(form)).intakeForm.survivorEntry.brainInjuryEntry).toMatchObject({
      emergencyVisitOn: null,
      injuredHead: true,
    });
    survivor.brainInjuryAssessed = false;
    expect((await saveForm(form)).intakeForm.survivorEntry.brainInjuryEntry).toMatchObject({
      injuredHead: false,
      lostConsciousness: false,
      physicalSymptoms: false,
      sensoryChanges: false,
      psychologicalChanges: false,
    });
  });

  test("the pet's description needs a pet checkbox", async () => {
    const form = await sections("Survivor");
    const offender = form.intakeFormAttributes.survivorEntryAttributes.offenderEntryAttributes;
    Object.assign(offender, { threatenedPet: false, harmedPet: false });
    expect((await saveForm(form)).intakeForm.survivorEntry.offenderEntry.petDescription).not.toBe("");
    offender.killedPet = false;
    expect((await saveForm(form)).intakeForm.survivorEntry.offenderEntry.petDescription).toBe("");
  });

  test("an intake-only form needs no referral", async () => {
    const form = await sections("Survivor");
    form.intakeFormAttributes.referralSourceName = "Somebody";
    expect((await saveForm(form)).intakeForm.referralSourceName).toBe("");
  });

  test("reasons exist only for clients who are not fully served, and are then required", async () => {
    const form = await sections("Service");
    expect((await saveForm({ ...form, serviceStatus: "Served" })).serviceStatusEntry).toBeNull();
    expect((await saveForm({ ...form, serviceStatus: "Not Served" })).serviceStatusEntry).not.toBeNull();
    const { serviceStatusEntryAttributes: _, ...without } = form;
    const { status, body } = await post(without);
    expect([status, Object.keys(body.fields)]).toEqual([422, ["form.serviceStatusEntryAttributes"]]);
  });

  test("reasons and court entries that the rules clear cause no errors, however invalid", async () => {
    const service = await sections("Service");
    service.serviceStatusEntryAttributes = { other: false };
    expect((await saveForm({ ...service, serviceStatus: "Served" })).serviceStatusEntry).toBeNull();

    const legal = await sections("Legal Advocacy");
    const entry = legal.intakeFormAttributes.legalAdvocacyEntryAttributes;
    Object.assign(entry, { placeOfService: "PF", pfaCourtEntryAttributes: { pfaGranted: "perhaps" } });
    expect((await saveForm(legal)).intakeForm.legalAdvocacyEntry.pfaCourtEntry).toBeNull();

    const unoffered = await db().serviceCode.create({ data: { code: "NOT-OFFERED" } });
    service.serviceStatusEntryAttributes = { other: true };
    service.serviceEntryAttributes.serviceProvidedEntriesAttributes.push({
      serviceCodeId: unoffered.id,
      minutes: 0,
    });
    const rows = (await saveForm(service)).serviceEntry.serviceProvidedEntries;
    expect(rows.map((row: { serviceCodeId: number }) => row.serviceCodeId)).not.toContain(unoffered.id);
  });

  test("rows with blank or zero minutes are dropped, and details stay only if their code asks for them", async () => {
    const form = await sections("Service");
    const entry = form.serviceEntryAttributes;
    const codes = await db().serviceCode.findMany();
    const codeOf = (row: { serviceCodeId: number }) => codes.find(({ id }) => id === row.serviceCodeId);
    const details = {
      videoconferencingEntryAttributes: { emergencyPfaGranted: true, reason: "not asked when granted" },
      hotelShelterEntryAttributes: { adults: 1 },
    };
    entry.serviceProvidedEntriesAttributes = entry.serviceProvidedEntriesAttributes.map(
      // biome-ignore lint/suspicious/noExplicitAny: rows of a body
      (row: any, index: number) => ({
        ...row,
        ...details,
        minutes: [0, null, "", undefined, 30][index] ?? (index < 4 ? undefined : 30),
      }),
    );
    const rows = (await saveForm(form)).serviceEntry.serviceProvidedEntries;
    expect(rows).toHaveLength(entry.serviceProvidedEntriesAttributes.length - 4);
    for (const row of rows) {
      const code = codeOf(row);
      expect([row.videoconferencingEntry !== null, row.hotelShelterEntry !== null]).toEqual([
        code?.videoconferencing,
        code?.hotelShelter,
      ]);
      if (code?.videoconferencing) expect(row.videoconferencingEntry.reason).toBe("");
    }
  });

  test("a section that the form type does not include is refused", async () => {
    const legal = await sections("Legal Advocacy");
    const survivor = await sections("Survivor");
    const { phoneEntryAttributes } = (await sections("Phone")).intakeFormAttributes;
    Object.assign(legal.intakeFormAttributes, { phoneEntryAttributes });
    survivor.serviceEntryAttributes = { otherService: "x" };
    for (const [form, field] of [
      [legal, "form.intakeFormAttributes.phoneEntryAttributes"],
      [survivor, "form.serviceEntryAttributes"],
    ]) {
      const { status, body } = await post(form);
      expect([status, Object.keys(body.fields)]).toEqual([422, [field]]);
    }
  });

  test("a code that the form type does not offer is refused, but a withdrawn one stays on an existing form", async () => {
    const group = await db().serviceCode.findUniqueOrThrow({ where: { code: "COUNSEL-GRP" } });
    const row = { serviceCodeId: group.id, minutes: 10 };
    const form = {
      ...minimalForm(clientId, await formTypeId("Phone")),
      serviceEntryAttributes: { serviceProvidedEntriesAttributes: [row] },
    };
    const field = "form.serviceEntryAttributes.serviceProvidedEntriesAttributes.0.serviceCodeId";
    const refused = await post(form);
    expect([refused.status, Object.keys(refused.body.fields)]).toEqual([422, [field]]);

    const response = await saveForm({ ...form, formTypeId: await formTypeId("Service") });
    const offer = { serviceCodeId: group.id, formTypeId: response.formTypeId };
    await db().serviceCodeFormType.delete({ where: { serviceCodeId_formTypeId: offer } });
    expect((await put(response.id, asBody(response))).status).toBe(200);
    const moved = await put(response.id, asBody(response, { formTypeId: await formTypeId("Phone") }));
    expect([moved.status, Object.keys(moved.body.fields)]).toEqual([422, [field]]);
    await db().serviceCodeFormType.create({ data: offer });
  });

  test("changing the form type removes the sections that the new type does not include", async () => {
    const { form } = await full("Legal Advocacy");
    const { body } = await put(form.id, minimalForm(clientId, await formTypeId("Survivor")));
    expect(body.form).toMatchObject({ serviceEntry: null, serviceStatusEntry: null });
    expect(body.form.intakeForm).toMatchObject({
      legalAdvocacyEntry: null,
      survivorEntry: form.intakeForm.survivorEntry,
      referralSourceId: null,
    });
  });
});

describe("access to forms", () => {
  test("hides other users' forms without All Forms, and shows every form with it", async () => {
    const form = await makeForm(ada);
    const url = `/api/forms/${form.id}`;
    const attempts = [
      ["GET", url, undefined],
      ["PUT", url, { form: minimalForm(clientId, form.formTypeId) }],
      ["POST", `${url}/reconcile`, { reconciled: true }],
      ["DELETE", url, undefined],
    ] as const;
    for (const [method, path, body] of attempts) {
      expect(await call(ben.cookie, method, path, body)).toMatchObject({
        status: 404,
        body: { error: "Not found" },
      });
    }
    expect(await get(form.id)).toEqual(form);
    for (const [method, path, body] of attempts) {
      expect((await call(supervisor.cookie, method, path, body)).status).toBe(
        method === "DELETE" ? 204 : 200,
      );
    }
  });

  test("keeps the owner when another user updates the form", async () => {
    const form = await makeForm(ada);
    const { body } = await put(form.id, minimalForm(clientId, form.formTypeId), supervisor);
    expect(body.form).toMatchObject({ userId: ada.id, lockVersion: 1 });
  });

  test("deletes nested entries together with their form", async () => {
    const { form } = await full("Legal Advocacy");
    expect((await call(ada.cookie, "DELETE", `/api/forms/${form.id}`)).status).toBe(204);
    for (const count of [
      db().intakeForm.count({ where: { formId: form.id } }),
      db().serviceEntry.count({ where: { formId: form.id } }),
      db().magisterialEntry.count({ where: { id: form.intakeForm.legalAdvocacyEntry.magisterialEntry.id } }),
    ]) {
      expect(await count).toBe(0);
    }
    expect((await call(ada.cookie, "GET", `/api/forms/${form.id}`)).status).toBe(404);
  });
});

describe("reconciling", () => {
  test("marks a form as reviewed, and unmarks it", async () => {
    const form = await makeForm(ada);
    for (const reconciled of [true, false]) {
      const { status, body } = await call(ada.cookie, "POST", `/api/forms/${form.id}/reconcile`, {
        reconciled,
      });
      expect(status).toBe(200);
      expect(body.form.reconciled).toBe(reconciled);
    }
    expect(
      (await call(ada.cookie, "POST", `/api/forms/${form.id}/reconcile`, {})).body.fields,
    ).toHaveProperty("reconciled");
  });

  test("counts as a change, so that a form opened before it is outdated", async () => {
    const form = await makeForm(ada);
    await call(supervisor.cookie, "POST", `/api/forms/${form.id}/reconcile`, { reconciled: true });
    expect((await put(form.id, asBody(form, { lockVersion: form.lockVersion }))).body.error).toBe(
      `This record was changed by ${supervisor.firstName} ${supervisor.lastName} since you opened it`,
    );
  });
});

describe("the Idempotency-Key of a new form", () => {
  test("creates one form when the request is sent twice", async () => {
    const send = (form: object) =>
      call(ada.cookie, "POST", "/api/forms", { form }, { headers: { "idempotency-key": "form-1" } });
    const form = await fullForm("On-Call Advocacy", clientId);
    const first = await send(form);
    expect(await send(form)).toMatchObject({ status: 201, body: first.body });
    expect((await send({ ...form, verbalConfirmation: false })).status).toBe(422);

    await put(first.body.form.id, asBody(first.body.form, { verbalConfirmation: false }));
    const again = await send(form);
    expect([again.status, again.body.form]).toMatchObject([
      201,
      { verbalConfirmation: false, lockVersion: 1 },
    ]);
    await call(ada.cookie, "DELETE", `/api/forms/${first.body.form.id}`);
    expect((await send(form)).status).toBe(404);
  });
});

describe("the list of forms", () => {
  let owner: Person;

  beforeAll(async () => {
    owner = await makeUser();
    const types = await db().formType.findMany({ orderBy: { id: "asc" } });
    for (let index = 0; index < 9; index++) {
      const client = await makeClient(owner, { name: `${["Zed", "amy", "Bo"][index % 3]} ${index}` });
      const form = await makeForm(
        owner,
        {
          formTypeId: types[index % types.length]?.id,
          serviceOn: `2026-01-0${1 + (index % 4)}`,
          serviceStatus: ["Served", "Not Served"][index % 2],
          serviceStatusEntryAttributes: { other: true },
        },
        client.id,
      );
      if (index >= 7)
        await call(owner.cookie, "POST", `/api/forms/${form.id}/reconcile`, { reconciled: true });
    }
  });

  const list = async (query: string, as = owner) => {
    const { status, body } = await call(as.cookie, "GET", `/api/forms?${query}`);
    expect(status, JSON.stringify(body)).toBe(200);
    // biome-ignore lint/suspicious/noExplicitAny: rows of an answer
    return body as { forms: any[]; meta: any };
  };

  test("starts with unreconciled forms, by serviceOn descending, and shows no more than a row needs", async () => {
    const { forms, meta } = await list("");
    expect(meta).toMatchObject({ totalCount: 7, sort: "serviceOn", order: "desc", perPage: 25 });
    const days = forms.map(({ serviceOn }) => serviceOn);
    expect(days).toEqual([...days].sort().reverse());
    expect(Object.keys(forms[0]).sort()).toEqual(
      ["client", "formType", "id", "isReturned", "reconciled", "serviceOn", "serviceStatus", "user"].sort(),
    );
  });

  test.each(["client", "advocate", "formType", "serviceStatus", "serviceOn"])(
    "sorts by %s in both directions without overlapping pages",
    async (sort) => {
      const ids: Record<string, number[]> = { asc: [], desc: [] };
      for (const order of ["asc", "desc"]) {
        for (let page = 1; page <= 4; page++) {
          const { forms } = await list(`sort=${sort}&order=${order}&perPage=2&page=${page}`);
          ids[order]?.push(...forms.map(({ id }) => id));
        }
        expect(new Set(ids[order]).size).toBe(7);
      }
      expect(ids.desc).toEqual(ids.asc?.toReversed());
    },
  );

  test("filters by status and by user, in both spellings", async () => {
    expect((await list("filters[formStatus]=reconciled")).meta.totalCount).toBe(2);
    expect((await list("filters.formStatus=reconciled")).forms.every(({ reconciled }) => reconciled)).toBe(
      true,
    );
    expect((await list(`filters[userId]=${owner.id}`, supervisor)).meta.totalCount).toBe(7);
    expect(
      (await list(`filters.userId=${owner.id}&filters.formStatus=reconciled`, supervisor)).meta.totalCount,
    ).toBe(2);
  });

  test("does not reveal other users' forms through a user filter", async () => {
    expect((await list(`filters[userId]=${owner.id}`, ben)).meta.totalCount).toBe(0);
    const all = await list("perPage=100", supervisor);
    expect(new Set(all.forms.map(({ user }) => user.id)).size).toBeGreaterThan(1);
  });

  test("searches the client's name", async () => {
    expect((await list("search=AMY")).forms.map(({ client }) => client.name.slice(0, 3))).toEqual([
      "amy",
      "amy",
    ]);
    expect((await list("search=%25")).forms).toEqual([]);
  });
});
