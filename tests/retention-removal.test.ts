import { beforeAll, expect, test } from "vitest";
import { rows } from "@/lib/database/client";
import { call } from "@/tests/call";
import { makeClient, makeForm, makeUser, type Person } from "@/tests/factories";

// What retention does beside its own screens: to ordinary removals, to those who may not see clients, to hand-overs.

let keeper: Person;
let owner: Person;

beforeAll(async () => {
  keeper = await makeUser(["retention"]);
  owner = await makeUser(["forms", "clients"]);
});

const hold = (id: number, reason = "Subpoena") =>
  call(keeper.cookie, "PUT", `/api/clients/${id}/hold`, { hold: { reason } });
const remove = (path: string) => call(owner.cookie, "DELETE", path);

test("A client under a legal hold and the client's forms are not removed by an ordinary DELETE", async () => {
  const { id } = await makeClient(owner);
  const form = await makeForm(owner, {}, id);
  const { id: formless } = await makeClient(owner);
  await hold(id);
  await hold(formless);
  const held = { error: "A legal hold stands on this client.", code: "conflict_in_use" };
  for (const path of [`/api/forms/${form.id}`, `/api/clients/${id}`, `/api/clients/${formless}`])
    expect(await remove(path), path).toMatchObject({ status: 409, body: held });

  await expect(rows("DELETE FROM clients WHERE id = $1", [formless])).rejects.toThrow();
  await call(keeper.cookie, "DELETE", `/api/clients/${formless}/hold`);
  expect((await remove(`/api/clients/${formless}`)).status).toBe(204);
});

test("Of a legal hold and a removal at the same moment one is refused", async () => {
  const { id } = await makeClient(owner);
  const statuses = (await Promise.all([hold(id), remove(`/api/clients/${id}`)])).map(({ status }) => status);
  expect([
    [200, 409],
    [404, 204],
  ]).toContainEqual(statuses);
});
