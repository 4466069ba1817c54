import { beforeAll, describe, expect, test, vi } from "vitest";
import { db } from "@/lib/core/database/client";
import { today } from "@/lib/core/fields/format";
import { env } from "@/lib/core/server/env";
import { formsOfClient, formsToPrint } from "@/lib/forms/by-client/read";
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

const formsFor = async (person: Person) => formsOfClient(await actorFor(person), clientId);

describe("a client's page", () => {
  test("shows an advocate their own forms, newest first, and no trace of a colleague's", async () => {
    const { forms, totalForms, colleagues } = await formsFor(ada);
    expect(forms.map(({ id }) => id)).toEqual([ids[1], ids[2], ids[0]]);
    expect(totalForms).toBe(3);
    expect(colleagues).toEqual([]);
    expect(JSON.stringify(await formsFor(ada))).not.toContain(ben.lastName);
  });

  test("shows only the date and type of colleagues' forms, and only if the organization allows it", async () => {
    const shows = vi.spyOn(env(), "SHOW_COLLEAGUES_FORMS", "get").mockReturnValue(true);
    try {
      const { totalForms, colleagues } = await formsFor(ada);
      expect(totalForms).toBe(3);
      expect(colleagues).toEqual([{ serviceOn: "2026-03-15", formType: "Service" }]);
      expect((await formsFor(supervisor)).colleagues).toEqual([]);
    } finally {
      shows.mockRestore();
    }
  });

  test("shows holders of All Forms every form, and users without Forms none", async () => {
    expect((await formsFor(supervisor)).totalForms).toBe(4);
    for (const permissions of [["clients"], ["clients", "all-forms"]] as const)
      expect(await formsFor(await makeUser(permissions))).toEqual({
        forms: [],
        totalForms: 0,
        totalMinutes: 0,
        colleagues: [],
      });
  });

  test("totals the same minutes that each form's own total counts", async () => {
    const client = await makeClient(ada);
    const totals: number[] = [];
    for (const place of ["M", "CT"] as const) {
      const form = await makeForm(ada, await fullForm("Legal Advocacy", client.id, place), client.id);
      const rows: { minutes: number; serviceCode: { canBeMagistrate: boolean } }[] =
        form.serviceEntry.serviceProvidedEntries;
      const counted = rows.filter(({ serviceCode }) => place === "CT" || serviceCode.canBeMagistrate);
      totals.push(counted.reduce((sum, { minutes }) => sum + minutes, 0));
    }
    const { forms, totalMinutes } = await formsOfClient(await actorFor(ada), client.id);
    expect(forms.map(({ minutes }) => minutes).sort()).toEqual(totals.sort());
    expect(new Set(totals).size).toBe(2);
    expect(totalMinutes).toBe((totals[0] ?? 0) + (totals[1] ?? 0));
  });
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
      page: await formsOfClient(actor, client.id),
      print: await formsToPrint(actor, client.id),
      home: await homeOf(actor),
      clients: await get(`/api/clients?filters[userId]=${reader.id}`),
      forms: await get(`/api/forms?${ofClient}`),
      formsFile: await get(`/api/forms.csv?${ofClient}`),
      clientsFile: await get(`/api/clients.csv?filters[userId]=${reader.id}`),
    };
  };
  const before = await visibleData();
  expect(before.page.totalForms).toBe(1);
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
