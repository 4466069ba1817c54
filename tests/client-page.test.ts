import { beforeAll, describe, expect, test, vi } from "vitest";
import { db } from "@/lib/database/client";
import { formsOfClient } from "@/lib/forms/by-client/data";
import { env } from "@/lib/server/env";
import { actorFor, call } from "@/tests/call";
import { formTypeId, fullForm, makeClient, makeForm, makeUser, type Person } from "@/tests/factories";

// What a client's page may tell of their forms (contract §9).

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

  test("tells the date and type of colleagues' forms and no more, where the organisation allows it", async () => {
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

  test("shows holders of All Forms every form, and those without Forms none", async () => {
    expect((await formsFor(supervisor)).totalForms).toBe(4);
    for (const permissions of [["clients"], ["clients", "all-forms"]] as const)
      expect(await formsFor(await makeUser(permissions))).toEqual({
        forms: [],
        totalForms: 0,
        totalMinutes: 0,
        colleagues: [],
      });
  });

  test("adds up the minutes that the form's own total counts", async () => {
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

test("that a phone number was shown is recorded", async () => {
  const url = `/api/clients/${clientId}/revealed`;
  expect((await call(ben.cookie, "POST", url)).status).toBe(204);
  const where = { entity: "client", entityId: clientId, action: "revealed" };
  expect(await db().auditEvent.findMany({ where })).toMatchObject([{ userId: ben.id }]);
  expect((await call(ben.cookie, "POST", "/api/clients/999999/revealed")).status).toBe(404);
});
