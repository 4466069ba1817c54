import { beforeAll, describe, expect, test, vi } from "vitest";
import { db } from "@/lib/core/database/client";
import { env } from "@/lib/core/process/env";
import { today } from "@/lib/core/text/format";
import {
  formsToPrint,
  NO_THREAD,
  suggestionsFor,
  threadOf,
  warningsOfClient,
} from "@/lib/forms/by-client/read";
import { type LastValue, threadQuery } from "@/lib/forms/by-client/schema";
import { draftsAbout } from "@/lib/forms/drafts/drafts";
import { homeOf } from "@/lib/home/home";
import { actorFor, call } from "@/tests/call";
import { formTypeId, fullForm, makeClient, makeForm, makeUser, type Person } from "@/tests/factories";

// A client's page reveals only facts that its reader may know about the client's forms.

let ada: Person;
let ben: Person;
let supervisor: Person;
let clientId: number;
const ids: number[] = [];

beforeAll(async () => {
  ada = await makeUser();
  ben = await makeUser();
  supervisor = await makeUser(["forms", "clients", "all-forms"]);
  clientId = (await makeClient(ada)).id;
  for (const serviceOn of ["2026-02-01", "2026-03-31", "2026-03-01"])
    ids.push((await makeForm(ada, { serviceOn }, clientId)).id);
  await makeForm(ben, { serviceOn: "2026-03-15", formTypeId: await formTypeId("Service") }, clientId);
});

const threadFor = async (person: Person, of = clientId, query: object = {}) =>
  threadOf(await actorFor(person), of, threadQuery.parse(query));
const idsIn = ({ entries }: Awaited<ReturnType<typeof threadFor>>) => entries.map(({ form }) => form?.id);

describe("a client's thread", () => {
  test("shows an advocate their own forms, newest first, and no trace of a colleague's", async () => {
    const thread = await threadFor(ada);
    expect(idsIn(thread)).toEqual([ids[1], ids[2], ids[0]]);
    expect(thread).toMatchObject({ count: 3, years: [2026], latest: { serviceOn: "2026-03-31" } });
    expect(JSON.stringify(thread)).not.toContain(ben.lastName);
  });

  test("records its newest form as listed, also if the filters leave it out", async () => {
    const reader = await makeUser(["forms", "all-forms"]);
    const thread = await threadFor(reader, clientId, { year: "1999" });
    expect(thread).toMatchObject({ entries: [], latest: { serviceOn: "2026-03-31" } });
    const where = { entity: "form", clientId, action: "listed", userId: reader.id };
    expect(await db().auditEvent.findMany({ where })).toMatchObject([{ shown: [ids[1]] }]);
  });

  test("contains each form as the API returns it", async () => {
    for (const { form } of (await threadFor(ada)).entries)
      expect(form).toEqual((await call(ada.cookie, "GET", `/api/forms/${form?.id}`)).body.form);
  });

  test("shows only the date and type of colleagues' forms, and only if the organization allows it", async () => {
    const shows = vi.spyOn(env(), "SHOW_COLLEAGUES_FORMS", "get").mockReturnValue(true);
    try {
      const { entries, months } = await threadFor(ada);
      expect(entries.filter(({ form }) => !form)).toEqual([
        { serviceOn: "2026-03-15", formType: "Service", form: null },
      ]);
      expect(entries.map(({ serviceOn }) => serviceOn)).toEqual([
        "2026-03-31",
        "2026-03-15",
        "2026-03-01",
        "2026-02-01",
      ]);
      // The totals are those of forms that the reader may open.
      expect(months.reduce((sum, { forms }) => sum + forms, 0)).toBe(3);
      expect(idsIn(await threadFor(supervisor))).not.toContain(undefined);
    } finally {
      shows.mockRestore();
    }
  });

  test("shows holders of All Forms every form, and users without Forms none", async () => {
    expect((await threadFor(supervisor)).count).toBe(4);
    for (const permissions of [["clients"], ["clients", "all-forms"]] as const)
      expect(await threadFor(await makeUser(permissions))).toEqual(NO_THREAD);
  });

  test("filters by type and year, with the totals of what it shows", async () => {
    const client = await makeClient(ada);
    const survivor = { ...(await fullForm("Survivor", client.id)), serviceOn: "2025-12-30" };
    const made = await makeForm(ada, survivor, client.id);
    await makeForm(ada, { serviceOn: "2026-01-02" }, client.id);
    const type = String(made.formTypeId);
    for (const query of [{ type }, { year: "2025" }, { type, year: "2025" }]) {
      const thread = await threadFor(ada, client.id, query);
      expect(idsIn(thread)).toEqual([made.id]);
      expect(thread.months).toEqual([{ month: "2025-12", forms: 1, minutes: 0 }]);
      expect(thread.years).toEqual([2026, 2025]);
      expect(thread.types.map(({ name }) => name)).toEqual(["Service", "Survivor"]);
      expect(thread.latest?.serviceOn).toBe("2026-01-02");
    }
    expect((await threadFor(ada, client.id, { type, year: "2026" })).entries).toEqual([]);
  });

  test("shows the newest 50 of 300 forms first, more on request, and totals of all", async () => {
    const client = await makeClient(ada);
    const form = await makeForm(ada, { serviceOn: "2026-03-04" }, client.id);
    const { clientId: _, ...values } = await db().form.findUniqueOrThrow({ where: { id: form.id } });
    const { id: __, serviceOn, ...copied } = values;
    await db().form.createMany({
      data: Array.from({ length: 299 }, (_, index) => ({
        ...copied,
        custom: {},
        clientId: client.id,
        serviceOn: new Date(serviceOn.getTime() - (index + 1) * 86_400_000),
      })),
    });
    const first = await threadFor(ada, client.id);
    expect(first).toMatchObject({ count: 300, years: [2026, 2025] });
    expect(first.entries.length).toBe(50);
    expect(first.entries[49]?.serviceOn).toBe("2026-01-14");
    expect(first.months.reduce((sum, { forms }) => sum + forms, 0)).toBe(300);
    const more = await threadFor(ada, client.id, { shown: "350" });
    expect(more.entries.length).toBe(300);
    expect(more.entries.slice(0, 50)).toEqual(first.entries);
  });

  test("totals the same minutes that each form's own total counts", async () => {
    const client = await makeClient(ada);
    const totals: number[] = [];
    for (const [place, serviceOn] of [
      ["M", "2026-02-04"],
      ["CT", "2026-03-04"],
    ] as const) {
      const values = { ...(await fullForm("Legal Advocacy", client.id, place)), serviceOn };
      const form = await makeForm(ada, values, client.id);
      const rows: { minutes: number; serviceCode: { canBeMagistrate: boolean } }[] =
        form.serviceEntry.serviceProvidedEntries;
      const counted = rows.filter(({ serviceCode }) => place === "CT" || serviceCode.canBeMagistrate);
      totals.push(counted.reduce((sum, { minutes }) => sum + minutes, 0));
    }
    const { months } = await threadFor(ada, client.id);
    expect(months.toSorted((a, b) => (a.month < b.month ? -1 : 1)).map(({ minutes }) => minutes)).toEqual(
      totals,
    );
    expect(new Set(totals).size).toBe(2);
  });
});

/** Values by the last part of their path. */
const byName = (values: readonly LastValue[]) =>
  Object.fromEntries(
    values.map(({ path, value, serviceOn }) => [path.split(".").at(-1), [value, serviceOn]]),
  );

describe("the warnings of a client", () => {
  const warningsFor = async (person: Person, of: number) =>
    byName(await warningsOfClient(await actorFor(person), of));
  const phone = async (owner: Person, client: number, serviceOn: string, entry: object) =>
    makeForm(
      owner,
      {
        serviceOn,
        formTypeId: await formTypeId("Phone"),
        intakeFormAttributes: { phoneEntryAttributes: { currentPfaOrder: "None", ...entry } },
      },
      client,
    );

  test("are the last reported values with their days, which a later blank or None does not end", async () => {
    const { id } = await makeClient(ada);
    await phone(ada, id, "2026-03-01", { guns: true, currentPfaOrder: "Final" });
    await phone(ada, id, "2026-03-05", { guns: true, currentPfaOrder: "Temporary" });
    await phone(ada, id, "2026-03-09", { guns: false, otherWeapons: false });
    expect(await warningsFor(ada, id)).toEqual({
      guns: [true, "2026-03-05"],
      currentPfaOrder: ["Temporary", "2026-03-05"],
    });
  });

  test("come only from forms that the reader may see", async () => {
    const { id } = await makeClient(ada);
    await phone(ben, id, "2026-03-01", { guns: true });
    const { id: formId } = await phone(ada, id, "2026-03-02", { otherWeapons: true });
    const shows = vi.spyOn(env(), "SHOW_COLLEAGUES_FORMS", "get").mockReturnValue(true);
    expect(await warningsFor(ada, id)).toEqual({ otherWeapons: [true, "2026-03-02"] });
    shows.mockRestore();
    expect(Object.keys(await warningsFor(supervisor, id))).toEqual(["otherWeapons", "guns"]);
    expect(await warningsFor(await makeUser(["clients", "all-forms"]), id)).toEqual({});
    const where = { entity: "form", clientId: id, action: "listed", userId: ada.id };
    expect(await db().auditEvent.findMany({ where })).toMatchObject([{ shown: [formId] }]);
  });

  test("of a client hidden from the reader are none", async () => {
    const { id } = await makeClient(ada);
    await phone(ada, id, "2026-03-01", { guns: true });
    await db().clientRestriction.create({ data: { clientId: id, userId: supervisor.id } });
    try {
      expect(await warningsFor(supervisor, id)).toEqual({});
      expect((await suggestionsFor(await actorFor(supervisor), id)).values).toEqual([]);
      expect(await threadFor(supervisor, id)).toEqual(NO_THREAD);
    } finally {
      await db().clientRestriction.deleteMany({ where: { clientId: id } });
    }
    expect(await warningsFor(supervisor, id)).toEqual({ guns: [true, "2026-03-01"] });
  });

  test("are found in every section", async () => {
    const { id } = await makeClient(ada);
    for (const type of ["Phone", "Legal Advocacy", "Service"] as const)
      await makeForm(ada, await fullForm(type, id, "CT"), id);
    expect(Object.keys(await warningsFor(ada, id)).sort()).toEqual([
      "currentPfaOrder",
      "guns",
      "harmedPet",
      "killedPet",
      "lostConsciousness",
      "otherWeapons",
      "pfaGranted",
      "relatedArrests",
      "threatenedPet",
    ]);
  });
});

describe("the values that a new form suggests", () => {
  test("are the last ones of each field, only from forms that the reader may see", async () => {
    const { id } = await makeClient(ada);
    const full = await fullForm("Legal Advocacy", id);
    const survivorEntryAttributes = {
      ...full.intakeFormAttributes.survivorEntryAttributes,
      childAges: "4, 8",
    };
    const intakeFormAttributes = { ...full.intakeFormAttributes, survivorEntryAttributes };
    await makeForm(ada, { ...full, serviceOn: "2026-03-01" }, id);
    await makeForm(ada, { ...full, serviceOn: "2026-03-02", intakeFormAttributes }, id);
    await makeForm(ada, { serviceOn: "2026-03-03" }, id);
    const { referralSourceId, survivorEntryAttributes: entry } = full.intakeFormAttributes;
    const suggestedTo = async (person: Person) =>
      byName((await suggestionsFor(await actorFor(person), id)).values);
    expect(await suggestedTo(ada)).toEqual({
      referralSourceId: [referralSourceId, "2026-03-02"],
      custodyStatusId: [entry?.custodyStatusId, "2026-03-02"],
      offenderRelationshipId: [entry?.offenderRelationshipId, "2026-03-02"],
      childAges: ["4, 8", "2026-03-02"],
    });
    expect(await suggestedTo(ben)).toEqual({});
    expect(Object.keys(await suggestedTo(supervisor)).length).toBe(4);
    for (const none of [undefined, "", "abc", 999_999])
      expect((await suggestionsFor(await actorFor(ada), none)).values).toEqual([]);
    // The same for a client who is chosen on the form's screen.
    const called = async (person: Person, of = id) =>
      call(person.cookie, "GET", `/api/clients/${of}/suggestions`);
    expect(byName((await called(ada)).body.suggestions)).toEqual(await suggestedTo(ada));
    expect((await called(ben)).body).toEqual({ suggestions: [] });
    expect((await called(ada, 999_999)).status).toBe(404);
  });
});

test("a client's page offers only the reader's own drafts of forms for that client", async () => {
  const mine = await makeClient(ada);
  const other = await makeClient(ada);
  const form = await makeForm(ada, {}, mine.id);
  const put = (person: Person, key: string, clientId: number, formId: number | null = null) =>
    call(person.cookie, "PUT", `/api/drafts/${key}`, { draft: { formId, content: { clientId } } });
  await put(ada, "new-one", mine.id);
  await put(ada, "edited", mine.id, form.id);
  await put(ada, "elsewhere", other.id);
  await put(ben, "of-ben", mine.id);
  const drafts = await draftsAbout(await actorFor(ada), mine.id);
  expect(drafts.map(({ key }) => key).sort()).toEqual(["edited", "new-one"]);
});

describe("the printed whole record of a client", () => {
  test("contains every form its reader may see in full, in order of service, each recorded as printed", async () => {
    const forms = await formsToPrint(await actorFor(ada), clientId);
    expect(forms.map(({ id }) => id)).toEqual([ids[0], ids[2], ids[1]]);
    for (const form of forms)
      expect(form).toEqual((await call(ada.cookie, "GET", `/api/forms/${form.id}`)).body.form);
    const where = { entity: "form", clientId, action: "printed" };
    const recorded = await db().auditEvent.findMany({ where, orderBy: { entityId: "asc" } });
    expect(recorded.map(({ userId, entityId }) => [userId, entityId])).toEqual(
      [...ids].sort((a, b) => a - b).map((id) => [ada.id, id]),
    );
  });

  test("contains only the forms in the chosen date range", async () => {
    const [first, second, third] = await formsToPrint(await actorFor(ada), clientId);
    const between = async (days: { from?: string; to?: string }) =>
      (await formsToPrint(await actorFor(ada), clientId, days)).map(({ id }) => id);
    expect(await between({ from: second?.serviceOn })).toEqual([second?.id, third?.id]);
    expect(await between({ from: second?.serviceOn, to: second?.serviceOn })).toEqual([second?.id]);
    expect(await between({ to: second?.serviceOn })).toEqual([first?.id, second?.id]);
  });

  test("contains colleagues' forms for holders of All Forms, and no forms for users without Forms", async () => {
    const countPrinted = async (person: Person) =>
      (await formsToPrint(await actorFor(person), clientId)).length;
    expect(await countPrinted(supervisor)).toBe(4);
    expect(await countPrinted(await makeUser(["clients", "all-forms"]))).toBe(0);
  });
});

test("an inaccessible form leaves no trace in a client's page, totals and print, in Home, in lists or in files", async () => {
  const reader = await makeUser(["forms", "clients", "export"]);
  const client = await makeClient(reader);
  await makeForm(reader, await fullForm("Service", client.id), client.id);
  const visibleData = async () => {
    const actor = await actorFor(reader);
    const get = async (path: string) => (await call(reader.cookie, "GET", path)).body;
    const ofClient = `filters[clientId]=${client.id}&filters[formStatus]=all`;
    return {
      client: await get(`/api/clients/${client.id}`),
      page: await threadFor(reader, client.id),
      warnings: await warningsOfClient(actor, client.id),
      suggested: await suggestionsFor(actor, client.id),
      suggestions: await get(`/api/clients/${client.id}/suggestions`),
      print: await formsToPrint(actor, client.id),
      home: await homeOf(actor),
      clients: await get(`/api/clients?filters[userId]=${reader.id}`),
      forms: await get(`/api/forms?${ofClient}`),
      formsFile: await get(`/api/forms.csv?${ofClient}`),
      clientsFile: await get(`/api/clients.csv?filters[userId]=${reader.id}`),
    };
  };
  const before = await visibleData();
  expect(before.page.count).toBe(1);
  const otherForm = await makeForm(
    ben,
    { ...(await fullForm("Service", client.id)), serviceOn: today() },
    client.id,
  );
  await call(supervisor.cookie, "POST", `/api/forms/${otherForm.id}/return`, { comment: "Which day?" });
  expect(await visibleData()).toEqual(before);
});

test("showing a phone number is recorded", async () => {
  const url = `/api/clients/${clientId}/revealed`;
  expect((await call(ben.cookie, "POST", url)).status).toBe(204);
  const where = { entity: "client", entityId: clientId, action: "revealed" };
  expect(await db().auditEvent.findMany({ where })).toMatchObject([{ userId: ben.id }]);
  expect((await call(ben.cookie, "POST", "/api/clients/999999/revealed")).status).toBe(404);
});
