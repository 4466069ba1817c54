import { beforeAll, expect, test } from "vitest";
import { endpoints } from "@/lib/api/endpoints";
import { PERMISSION_NAMES, type Permission, permissionKey } from "@/lib/auth/permissions";
import { db } from "@/lib/database/client";
import { call, type Method } from "@/tests/call";
import { formTypeId, makeUser, minimalForm, type Person } from "@/tests/factories";

// What the declarations of endpoints promise beside their answers, which every call of the tests is compared with
// (tests/call.ts), and their access (tests/access.test.ts).

let admin: Person;

beforeAll(async () => {
  admin = await makeUser(PERMISSION_NAMES.map((name) => permissionKey(name) as Permission));
});

const lastEvent = async () => (await db().auditEvent.findFirst({ orderBy: { id: "desc" } }))?.id ?? 0n;

test("a success writes into the audit trail what its endpoint declares, and nothing else", async () => {
  const seen = new Set<string>();
  /** The call's answer; `path` is the endpoint's, with `{id}` in place of the record's. */
  async function calling(method: Method, path: string, body?: object, id?: number) {
    const before = await lastEvent();
    const answer = await call(admin.cookie, method, path.replace("{id}", String(id)), body);
    expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    const events = await db().auditEvent.findMany({ where: { id: { gt: before } } });
    const declared = endpoints.find((endpoint) => endpoint.method === method && endpoint.path === path);
    expect(declared, path).toBeDefined();
    const { entity, action } = declared?.audit ?? {};
    expect(events.length, `${method} ${path}`).toBe(entity ? 1 : 0);
    for (const event of events) {
      expect([event.entity, event.userId]).toEqual([entity, admin.id]);
      expect([action].flat(), `${method} ${path}`).toContain(event.action);
    }
    if (entity) seen.add(`${method} ${path}`);
    return answer.body;
  }

  const { client } = await calling("POST", "/api/clients", { client: { name: "Ada" } });
  await calling("GET", "/api/clients");
  await calling("POST", "/api/clients/search", { search: "Ada" });
  await calling("GET", "/api/clients/{id}", undefined, client.id);
  await calling("POST", "/api/clients/{id}/revealed", undefined, client.id);
  await calling("PUT", "/api/clients/{id}", { client: { name: "Ada Lovelace" } }, client.id);

  const sent = { form: minimalForm(client.id, await formTypeId("Service")) };
  const { form } = await calling("POST", "/api/forms", sent);
  await calling("GET", "/api/forms");
  await calling("GET", "/api/forms/{id}", undefined, form.id);
  await calling("PUT", "/api/forms/{id}", { form: { ...sent.form, verbalConfirmation: false } }, form.id);
  for (const reconciled of [true, false])
    await calling("POST", "/api/forms/{id}/reconcile", { reconciled }, form.id);
  await calling("POST", "/api/forms/reconcile", { ids: [form.id], reconciled: true });
  await calling("POST", "/api/forms/{id}/return", { comment: "Why?" }, form.id);
  for (const closedThrough of ["2020-12-31", null])
    await calling("PUT", "/api/closed_periods", { closedThrough });
  await calling("DELETE", "/api/forms/{id}", undefined, form.id);
  await calling("DELETE", "/api/clients/{id}", undefined, client.id);

  const { canine } = await calling("POST", "/api/canines", { canine: { name: "Rex" } });
  await calling("DELETE", "/api/canines/{id}", undefined, canine.id);

  const { role } = await calling("POST", "/api/roles", { role: { name: "Intern", permissionIds: [] } });
  await calling("PUT", "/api/roles/{id}", { role: { name: "Trainee" } }, role.id);
  const grace = { firstName: "Grace", lastName: "Hopper", email: "grace@example.org", roleId: role.id };
  const { user } = await calling("POST", "/api/users", { user: grace });
  await calling("PUT", "/api/users/{id}", { user: { ...grace, lastName: "Murray" } }, user.id);
  await calling("DELETE", "/api/users/{id}", undefined, user.id);
  await calling("DELETE", "/api/roles/{id}", undefined, role.id);

  const { firstName, lastName, email } = admin;
  await calling("PUT", "/api/profile", { profile: { firstName, lastName, email } });

  const audited = endpoints.filter(({ audit }) => audit).map(({ method, path }) => `${method} ${path}`);
  expect([...seen].sort()).toEqual(audited.sort());
});

test("no two endpoints have the same method and path", () => {
  const names = endpoints.map(({ method, path }) => `${method} ${path}`);
  expect(names.length).toBe(new Set(names).size);
});
