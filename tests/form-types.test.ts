import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import { check } from "@/components/forms/check";
import { openedAs, readForm } from "@/components/forms/reading";
import { PERMISSION_NAMES, type Permission, permissionKey } from "@/lib/core/access/permissions";
import { db } from "@/lib/core/database/client";
import { toWire } from "@/lib/core/fields/wire";
import type { Form } from "@/lib/forms/api-schema";
import { formSchema } from "@/lib/forms/schema";
import { homeOf } from "@/lib/home/home";
import { formLists } from "@/lib/lookups/resources/lists";
import type { FormTypeFlags } from "@/lib/lookups/types";
import { runImports } from "@/lib/transfer/imports/run";
import type { FormTypeName } from "@/prisma/seed-data";
import { actorFor, call } from "@/tests/call";
import { formTypeId, fullForm, makeClient, makeForm, makeUser, minimalForm } from "@/tests/factories";

const ALL = PERMISSION_NAMES.map((name) => permissionKey(name) as Permission);
const admin = await makeUser(ALL);
const actor = await actorFor(admin);

const send = (method: "GET" | "POST" | "PUT" | "DELETE", path: string, body?: unknown) =>
  call(admin.cookie, method, path, body);

const formOf = async (id: number): Promise<Form> => (await send("GET", `/api/forms/${id}`)).body.form;
/** Returns the form's own values, without what a save sets and what follows from the place of service. */
const contentOf = ({ lockVersion: _, formType, serviceEntry, ...form }: Form) => ({
  ...form,
  serviceEntry: serviceEntry && {
    ...serviceEntry,
    serviceProvidedEntries: serviceEntry.serviceProvidedEntries.map(
      ({ serviceCode, magisterial, ...row }) => row,
    ),
  },
});

async function screenOf(form: Form) {
  const { client } = (await send("GET", `/api/clients/${form.clientId}`)).body;
  return openedAs(form, client, await formLists(actor));
}

/** Returns the form as it is read, in one string. */
async function readingOf(id: number): Promise<string> {
  const { values, rules } = await screenOf(await formOf(id));
  return JSON.stringify(readForm(values, rules));
}

/** Saves a form with the values that its screen sends. */
async function resave(id: number, change: object = {}) {
  const form = await formOf(id);
  const { values, rules } = await screenOf(form);
  const checked = check({ ...values, form: { ...values.form, ...change } }, rules);
  if ("problems" in checked) throw new Error(JSON.stringify(checked.problems));
  const sent = toWire(formSchema, { ...checked.payload.form, clientId: form.clientId });
  const { status, body } = await send("PUT", `/api/forms/${id}`, { form: sent });
  expect(status, JSON.stringify(body)).toBe(200);
}

async function makeFull(type: FormTypeName, place: "M" | "CT" = "M"): Promise<Form> {
  const form = await fullForm(type, (await makeClient(admin)).id, place);
  const { status, body } = await send("POST", "/api/forms", { form });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.form;
}

/** Exports a form with all columns and imports it as a new form. Returns the new form, or the problems of the import. */
async function importedAgain(id: number): Promise<Form | string[]> {
  const csv = (await send("GET", "/api/forms.csv?columns=all&filters[formStatus]=all")).body;
  const [headings = [], ...lines]: string[][] = parse(csv, { bom: true });
  const cells = (line: readonly string[]) => line.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",");
  const raw = [headings, ...lines.filter(([first]) => first === String(id))].map(cells).join("\r\n");
  const headers = { "content-type": "text/csv" };
  const { body } = await call(admin.cookie, "POST", "/api/imports?kind=forms", undefined, { raw, headers });
  // The client was not imported earlier, so the import finds it by name.
  const matches = body.import.matches.map((key: string) => (key === "client.id" ? "" : key));
  await send("POST", `/api/imports/${body.import.id}/start`, {
    import: { dryRun: false, matches, ownerId: null },
  });
  await runImports(new AbortController().signal);
  const done = (await send("GET", `/api/imports/${body.import.id}`)).body.import;
  if (done.failed > 0) return done.notes.map(({ problem }: { problem: string }) => problem);
  expect(done, JSON.stringify(done)).toMatchObject({ status: "done", created: 1 });
  const made = await db().form.findFirstOrThrow({ orderBy: { id: "desc" } });
  return formOf(made.id);
}

/** Returns the form's own values without ids. */
const valuesOf = (form: Form) =>
  JSON.parse(
    JSON.stringify(contentOf(form), (key, value) =>
      key === "id" || key === "serviceEntryId" ? undefined : value,
    ),
  );

const putType = (id: number, values: object) =>
  send("PUT", `/api/form_types/${id}`, { formType: { name: `Type ${id}`, ...values } });

/** The flags whose change takes a part away: a type with it, the change, and how screens call the part. */
const PARTS: [FormTypeName, Partial<FormTypeFlags>, string, string][] = [
  ["Phone", { phoneEntry: false }, "Phone", "Current PFA Order"],
  ["Phone", { serviceEntry: false }, "Services", "Childcare during the hearing"],
  ["On-Call Advocacy", { onCallAdvocacyEntry: false }, "On-Call Advocacy", "Saint Vincent"],
  ["On-Call Advocacy", { phone: true }, "Canine Assistance", "Biscuit"],
  ["Legal Advocacy", { legalAdvocacyEntry: false }, "Legal Advocacy", "District Court 06-1-01"],
  ["Legal Advocacy", { intakeOnly: true }, "Referral Source", "Officer Kim"],
  ["Survivor", { survivorEntry: false }, "Survivor", "Doxxing"],
];

describe("a part that is taken from a form type", () => {
  test.each(PARTS)(
    "of %s by %j needs a confirmation, and earlier forms keep it",
    async (type, change, label, word) => {
      const typeId = await formTypeId(type);
      const stored = await db().formType.findUniqueOrThrow({ where: { id: typeId } });
      const before = [await makeFull(type), await makeFull(type, "CT")];
      const ids = before.map(({ id }) => id);
      const count = await db().form.count({ where: { formTypeId: typeId } });

      const refused = await send("PUT", `/api/form_types/${typeId}`, { formType: { name: type, ...change } });
      expect([refused.status, refused.body]).toEqual([
        409,
        { error: [`${count} forms have values in ${label}.`], code: "conflict_in_use" },
      ]);
      expect(await db().formType.findUniqueOrThrow({ where: { id: typeId } })).toEqual(stored);

      const formType = { name: type, ...change, confirmed: true };
      const { status, body } = await send("PUT", `/api/form_types/${typeId}`, { formType });
      const { createdAt, updatedAt, formerFlags, ...flags } = stored;
      expect([status, body.formType]).toEqual([200, { ...flags, ...change }]);

      for (const id of ids) expect(await readingOf(id)).toContain(word);
      for (const id of ids) await resave(id);
      expect((await Promise.all(ids.map(formOf))).map(contentOf)).toEqual(before.map(contentOf));
      for (const id of ids) await resave(id, { verbalConfirmation: false });
      expect((await Promise.all(ids.map(formOf))).map(contentOf)).toEqual(
        before.map((form) => ({ ...contentOf(form), verbalConfirmation: false })),
      );
      for (const id of ids) {
        const again = await importedAgain(id);
        if (Array.isArray(again)) throw new Error(again.join("\n"));
        expect(valuesOf(again)).toEqual(valuesOf(await formOf(id)));
      }
      await db().formType.update({ where: { id: typeId }, data: flags });
    },
  );

  test("that the type never had is refused in an imported row", async () => {
    const form = await makeFull("Survivor");
    const headings = "Client,Form Type,Service On,Service Status,Survivor: Offender Relationship";
    const raw = `${headings}\r\n${form.client.name},Service,03/04/2026,Served,Spouse`;
    const headers = { "content-type": "text/csv" };
    const { body } = await call(admin.cookie, "POST", "/api/imports?kind=forms", undefined, { raw, headers });
    const { id, matches } = body.import;
    await send("POST", `/api/imports/${id}/start`, { import: { dryRun: false, matches, ownerId: null } });
    await runImports(new AbortController().signal);
    const done = (await send("GET", `/api/imports/${id}`)).body.import;
    expect(done).toMatchObject({ created: 0, failed: 1 });
    expect(done.notes[0].problem).toContain("Survivor is not part of this form type");
  });

  test("is refused on new forms, and removed by a null or by another form type", async () => {
    const first = await makeFull("Survivor");
    const second = await makeFull("Survivor");
    const typeId = first.formTypeId;
    const full = await fullForm("Survivor", first.clientId);
    expect((await putType(typeId, { survivorEntry: false, confirmed: true })).status).toBe(200);
    const put = (id: number, values: object) =>
      send("PUT", `/api/forms/${id}`, { form: { ...minimalForm(first.clientId, typeId), ...values } });

    const made = await send("POST", "/api/forms", { form: full });
    const path = "form.intakeFormAttributes.survivorEntryAttributes";
    expect([made.status, Object.keys(made.body.fields)]).toEqual([422, [path]]);

    const kept = await put(first.id, { intakeFormAttributes: { referralSourceName: "" } });
    expect(kept.body.form.intakeForm.survivorEntry).toEqual(first.intakeForm?.survivorEntry);
    const removed = await put(first.id, { intakeFormAttributes: { survivorEntryAttributes: null } });
    expect(removed.body.form.intakeForm.survivorEntry).toBeNull();
    const moved = await put(second.id, { formTypeId: await formTypeId("Service") });
    expect(moved.body.form.intakeForm.survivorEntry).toBeNull();
    const back = { name: "Survivor", survivorEntry: true };
    expect((await send("PUT", `/api/form_types/${typeId}`, { formType: back })).status).toBe(200);
  });

  test("still counts in reports", async () => {
    const { formTypeId: typeId } = await makeFull("On-Call Advocacy");
    const read = async () =>
      (await send("GET", "/api/reports/pmt?from=2026-01-01&to=2026-03-31")).body.report;
    const before = await read();
    const { lines } = before.sections.find(({ key }: { key: string }) => key === "victimization");
    expect(lines.filter(({ count }: { count: number }) => count > 0)).not.toEqual([]);
    expect((await putType(typeId, { survivorEntry: false, confirmed: true })).status).toBe(200);
    expect(await read()).toEqual(before);
    expect((await putType(typeId, { name: "On-Call Advocacy", survivorEntry: true })).status).toBe(200);
  });

  test("shows only that other forms have values if their clients are hidden from the administrator", async () => {
    const formType = { name: "For a hidden client", serviceEntry: true };
    const { id: typeId } = (await send("POST", "/api/form_types", { formType })).body.formType;
    // Two others must still see the client.
    const [colleague] = [await makeUser(ALL), await makeUser(ALL)];
    const { id: clientId } = await makeClient(colleague);
    await makeForm(colleague, { formTypeId: typeId, serviceEntryAttributes: {} }, clientId);
    const hidden = { userIds: [admin.id] };
    const restriction = await call(colleague.cookie, "PUT", `/api/clients/${clientId}/restrictions`, hidden);
    expect(restriction.status, JSON.stringify(restriction.body)).toBe(200);
    const refused = await putType(typeId, { serviceEntry: false });
    expect([refused.status, refused.body.error]).toEqual([409, ["Other forms have values in Services."]]);
    const removal = await send("DELETE", `/api/form_types/${typeId}`);
    expect([removal.status, removal.body.error]).toEqual([
      409,
      "This form type is used by other records and cannot be removed",
    ]);
  });
});

test.each([
  ["hotelShelter", "Hotel Shelter", "Shelter full"],
  ["videoconferencing", "Videoconferencing", "Judge unreachable"],
])(
  "the details that %s gives a service code need a confirmation, and earlier forms keep them",
  async (flag, label, word) => {
    const form = await makeFull("Service");
    const code = await db().serviceCode.findFirstOrThrow({ where: { [flag]: true } });
    const put = async (values: object) =>
      send("PUT", `/api/service_codes/${code.id}`, { serviceCode: { code: code.code, ...values } });
    expect((await put({ canBeMagistrate: true })).body.serviceCode).toMatchObject({ [flag]: true });
    const refused = await put({ [flag]: false });
    expect([refused.status, refused.body.code]).toEqual([409, "conflict_in_use"]);
    expect(refused.body.error).toEqual([
      expect.stringMatching(new RegExp(`^\\d+ forms? ha(s|ve) values in ${label}\\.$`)),
    ]);
    expect((await put({ [flag]: false, confirmed: true })).body.serviceCode).toMatchObject({ [flag]: false });

    expect(await readingOf(form.id)).toContain(word);
    await resave(form.id, { verbalConfirmation: false });
    expect(contentOf(await formOf(form.id))).toEqual({ ...contentOf(form), verbalConfirmation: false });
    // A new form has none: only rows of codes with the flag do.
    const sent = JSON.parse(
      JSON.stringify(toWire(formSchema, { ...form, lockVersion: undefined })),
      (key, value) => (key === "id" ? undefined : value),
    );
    const { body } = await send("POST", "/api/forms", { form: sent });
    const row = body.form.serviceEntry.serviceProvidedEntries.find(
      ({ serviceCode }: { serviceCode: { id: number } }) => serviceCode.id === code.id,
    );
    expect(row[`${flag}Entry`]).toBeNull();
    const again = await importedAgain(form.id);
    if (Array.isArray(again)) throw new Error(again.join("\n"));
    expect(valuesOf(again)).toEqual(valuesOf(await formOf(form.id)));
    expect((await put({ [flag]: true })).status).toBe(200);
  },
);

describe("a new form type", () => {
  test("is offered, filled in, listed, exported, imported, and reported like the others, until it is used", async () => {
    const name = "Safety Check";
    const formType = { name, sortOrder: 15, serviceEntry: true, phone: true };
    const { status, body } = await send("POST", "/api/form_types", { formType });
    expect([status, body.formType]).toMatchObject([201, { ...formType, survivorEntry: false }]);
    const { id } = body.formType;
    const code = await db().serviceCode.findUniqueOrThrow({
      where: { code: "SAFETY" },
      include: { formTypes: true },
    });
    const formTypeIds = [...code.formTypes.map((offer) => offer.formTypeId), id];
    const offered = await send("PUT", `/api/service_codes/${code.id}`, {
      serviceCode: { code: "SAFETY", formTypeIds },
    });
    expect(offered.status).toBe(200);
    const codes = await send("GET", `/api/resource_lists/service_codes/${id}`);
    expect(codes.body.serviceCodes).toMatchObject([{ code: "SAFETY" }]);

    const { formTypes } = (await send("GET", "/api/resource_lists/form_types")).body;
    expect(formTypes.map((type: { name: string }) => type.name).slice(0, 3)).toEqual([
      "Phone",
      name,
      "On-Call Advocacy",
    ]);
    expect((await homeOf(actor)).formTypes?.[1]).toEqual({ id, name });

    const client = await makeClient(admin, { name: "Nora Checked" });
    const serviceProvidedEntriesAttributes = [{ serviceCodeId: code.id, minutes: 35 }];
    const form = await makeForm(
      admin,
      { formTypeId: id, serviceEntryAttributes: { serviceProvidedEntriesAttributes } },
      client.id,
    );
    expect(form.formType).toMatchObject({ id, name, serviceEntry: true });
    // A form by phone has no dog.
    expect(form.canineId).toBe((await db().canine.findUniqueOrThrow({ where: { name: "None" } })).id);

    const list = `filters[formTypeId]=${id}`;
    expect((await send("GET", `/api/forms?${list}`)).body.forms).toMatchObject([
      { id: form.id, formType: { name } },
    ]);
    const file: string = (await send("GET", `/api/forms.csv?columns=all&${list}`)).body;
    expect(file).toContain(`,${name},`);
    const report = await send("GET", `/api/reports/pmt?from=2026-01-01&to=2026-03-31&formTypeId=${id}`);
    const lines = report.body.report.sections.flatMap((section: { lines: object[] }) => section.lines);
    expect(lines).toContainEqual(expect.objectContaining({ key: "individuals_served", count: 1 }));

    const raw = `Id,Client Id,Client,Form Type,Service On,Service Status,Services: Code,Services: Minutes
x1,,Nora Checked,safety check,03/05/2026,Served,SAFETY,20`;
    const headers = { "content-type": "text/csv" };
    const upload = await call(admin.cookie, "POST", "/api/imports?kind=forms", undefined, { raw, headers });
    const { id: importId, matches } = upload.body.import;
    await send("POST", `/api/imports/${importId}/start`, { import: { dryRun: false, matches } });
    await runImports(new AbortController().signal);
    expect((await send("GET", `/api/imports/${importId}`)).body.import).toMatchObject({
      created: 1,
      notes: [],
    });
    expect(await db().form.count({ where: { formTypeId: id } })).toBe(2);

    const used = await send("DELETE", `/api/form_types/${id}`);
    expect([used.status, used.body]).toEqual([
      409,
      { error: "This form type is used by 3 records and cannot be removed", code: "conflict_in_use" },
    ]);
  });

  test("comes last without a sort order, and can be removed while nothing uses it", async () => {
    const { body } = await send("POST", "/api/form_types", { formType: { name: "Never used" } });
    expect(body.formType).toMatchObject({ sortOrder: 100, serviceEntry: false });
    const { formTypes } = (await send("GET", "/api/form_types?perPage=100")).body;
    expect(formTypes.at(-1)).toEqual(body.formType);
    expect((await send("DELETE", `/api/form_types/${body.formType.id}`)).status).toBe(204);
  });

  test("can be removed once the custom field that names it is removed", async () => {
    const { body } = await send("POST", "/api/form_types", { formType: { name: "Named once" } });
    const { id } = body.formType;
    const field = { record: "form", section: "", label: "Only there", kind: "text", formTypeIds: [id] };
    const created = await send("POST", "/api/fields", { field });
    expect(created.status, JSON.stringify(created.body)).toBe(201);
    expect((await send("DELETE", `/api/form_types/${id}`)).status).toBe(409);
    expect((await send("DELETE", `/api/fields/${created.body.field.id}`)).status).toBe(204);
    expect((await send("DELETE", `/api/form_types/${id}`)).status).toBe(204);
  });
});
