import { beforeAll, expect, test } from "vitest";
import { PERMISSION_NAMES, type Permission, permissionKey } from "@/lib/core/access/permissions";
import { rows } from "@/lib/core/database/client";
import { identifier, sql } from "@/lib/core/sql";
import { isSetUp, isToBeSetUp, setUpOf } from "@/lib/home/set-up";
import { lookupKeys } from "@/lib/lookups/registry";
import { call } from "@/tests/call";
import { makeClient, makeUser, type Person } from "@/tests/factories";

// The list of what to set up. Each step is done by what is stored.

let admin: Person;

beforeAll(async () => {
  admin = await makeUser(PERMISSION_NAMES.map((name) => permissionKey(name) as Permission));
});

const actorWith = (permissions: readonly string[]) => ({
  userId: admin.id,
  firstName: "First",
  lastName: "Administrator",
  email: "",
  permissions: permissions.map((name, at) => ({ id: at + 1, name })),
  twoStepRequired: false,
  hiddenClients: [],
});
const stepsFor = (permissions: readonly string[] = PERMISSION_NAMES) => setUpOf(actorWith(permissions));
const doneTitles = async () => (await stepsFor()).filter(({ isDone }) => isDone).map(({ title }) => title);
const put = (path: string, body: object) => call(admin.cookie, "PUT", path, body);
const post = (path: string, body: object) => call(admin.cookie, "POST", path, body);

test("each step is done as soon as its result is stored, and none before", async () => {
  await makeOlder();
  expect(await doneTitles()).toEqual([]);

  await put("/api/organization", { organization: { color: "#7a1f5c" } });
  expect(await doneTitles()).toEqual([]);
  await put("/api/organization", { organization: { name: "Safe Harbor" } });
  expect(await doneTitles()).toEqual(["Name and logo"]);

  const chief = await makeUser(["roles", "users"]);
  expect(await doneTitles()).toEqual(["Name and logo", "Invite staff"]);
  const advocate = await makeUser(["forms", "clients"]);
  expect(await doneTitles()).toEqual(["Name and logo", "Invite staff", "Assign roles"]);
  await rows(sql`UPDATE users SET active = FALSE WHERE id IN (${chief.id}, ${advocate.id})`);
  expect(await doneTitles()).toEqual(["Name and logo"]);
  await rows(sql`UPDATE users SET active = TRUE WHERE id = ${advocate.id}`);

  await post("/api/ethnicities", { ethnicity: { name: "Romani" } });
  expect(await doneTitles()).toEqual(["Name and logo", "Invite staff", "Assign roles", "Adapt the lists"]);
  await post("/api/fields", { field: { record: "form", section: "", label: "Housing need", kind: "text" } });
  expect(await doneTitles()).toContain("Add fields of your own");
  expect(await doneTitles()).not.toContain("Choose form types");
  await post("/api/form_types", { formType: { name: "Walk-In" } });
  expect(await doneTitles()).toContain("Choose form types");
  await post("/api/shelters", { shelter: { name: "East House", kind: "In-house", beds: 6 } });
  expect(await doneTitles()).toContain("Add shelters");
  const { setup } = (await call(admin.cookie, "GET", "/api/reports/pmt/setup")).body;
  expect(await doneTitles()).not.toContain("Check the funder reports");
  await put("/api/reports/pmt/setup", { setup: { ...setup, dueDays: 45 } });
  expect(await doneTitles()).toContain("Check the funder reports");
  await makeClient(admin);
  expect(await doneTitles()).toEqual([
    "Name and logo",
    "Invite staff",
    "Assign roles",
    "Adapt the lists",
    "Choose form types",
    "Add fields of your own",
    "Add shelters",
    "Check the funder reports",
    "Import your records",
  ]);
  const named = await setUpOf({ ...actorWith(PERMISSION_NAMES), firstName: "Pat" });
  expect(named.find(({ title }) => title === "Your name")).toMatchObject({ isDone: true });
  const steps = named;
  // Backups are left, and nothing stored can tell of practice.
  expect(isSetUp(steps)).toBe(false);
  expect(isSetUp(steps.filter(({ title }) => title !== "Back up every night"))).toBe(true);
});

test("an administrator sets up only an organization without clients", async () => {
  expect(await isToBeSetUp(actorWith(PERMISSION_NAMES))).toBe(false);
  const hiddenClients = (await rows<{ id: number }>(sql`SELECT id FROM clients`)).map(({ id }) => id);
  expect(await isToBeSetUp({ ...actorWith(PERMISSION_NAMES), hiddenClients })).toBe(true);
  expect(await isToBeSetUp({ ...actorWith(["Forms", "Clients"]), hiddenClients })).toBe(false);
});

test("only steps that the reader may do are listed, and only for holders of Organization", async () => {
  const titles = (await stepsFor(["Organization", "Users"])).map(({ title }) => title);
  expect(titles).toEqual([
    "Your name",
    "Name and logo",
    "Invite staff",
    "Let staff practice",
    "Back up every night",
  ]);
  await expect(stepsFor(["Users", "Roles"])).rejects.toMatchObject({ code: "forbidden" });
});

/** Makes the rows of a new database a day older, so that the changes of this test come long after them. */
async function makeOlder(): Promise<void> {
  for (const list of lookupKeys.filter((key) => key !== "users" && key !== "roles"))
    await rows(
      sql`UPDATE ${identifier(list)} SET created_at = created_at - interval '1 day', updated_at = updated_at - interval '1 day'`,
    );
}
