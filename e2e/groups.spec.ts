import type { Page } from "@playwright/test";
import { audit, PHONE } from "@/e2e/audit";
import {
  button,
  DEMO,
  expect,
  expectNotification,
  makeAccount,
  signIn,
  test,
  uniqueName,
  waitUntilInteractive,
} from "@/e2e/fixtures";
import { createRecord, makeServiceForm } from "@/e2e/records";
import { date, today } from "@/lib/core/text/format";

// The screens of groups: a group, its roster, and a session that is recorded with few keys.

const people = (page: Page) => page.getByRole("list", { name: "People" });
const box = (page: Page, name: string) => people(page).getByRole("checkbox", { name, exact: true });

/** Creates clients, and a group of the signed-in user with them on its roster, through the API. */
async function makeGroup(page: Page, names: readonly string[]) {
  const clientIds: number[] = [];
  for (const name of names)
    clientIds.push((await createRecord(page, "/api/clients", { client: { name } })).client.id);
  const { userId } = await (await page.request.get("/api/me")).json();
  const { formTypes } = await (await page.request.get("/api/resource_lists/form_types")).json();
  const formTypeId = formTypes.find(({ name }: { name: string }) => name === "Service").id;
  const { serviceCodes } = await (
    await page.request.get(`/api/resource_lists/service_codes/${formTypeId}`)
  ).json();
  const { group } = await createRecord(page, "/api/groups", {
    group: {
      name: uniqueName("Evening"),
      formTypeId,
      usualMinutes: 90,
      leaderIds: [userId],
      clientIds,
      serviceCodeId: serviceCodes.find(({ code }: { code: string }) => code === "COUNSEL-GRP").id,
    },
  });
  return { group, clientIds };
}

/** Creates an account of a leader, and returns its email. */
async function makeLeader(database: Parameters<typeof makeAccount>[0]): Promise<string> {
  const email = `${uniqueName("leader").toLowerCase().replaceAll(" ", "-")}@example.org`;
  await makeAccount(database, email, ["forms", "clients", "groups"]);
  return email;
}

/** Presses keys one by one, and returns their number. */
async function press(page: Page, keys: readonly string[]): Promise<number> {
  for (const key of keys) await page.keyboard.press(key);
  return keys.length;
}
const times = (key: string, count: number) => Array.from({ length: count }, () => key);

const sessions = async (page: Page, groupId: number) =>
  (await (await page.request.get(`/api/groups/${groupId}/sessions`)).json()).groupSessions;

test("a long name without blanks wraps in a session, in the forms list's filter, and in a print", async ({
  page,
}) => {
  await signIn(page, DEMO.advocate);
  const name = uniqueName("Abcdefghij".repeat(12));
  const { group, clientIds } = await makeGroup(page, [name]);
  await makeServiceForm(page, { client: { id: clientIds[0] ?? 0 }, serviceOn: "2026-03-05" });
  await page.setViewportSize(PHONE);
  for (const path of [
    `/groups/${group.id}/sessions/new`,
    `/forms?filters[clientId]=${clientIds[0]}`,
    `/clients/${clientIds[0]}/print`,
  ]) {
    await page.goto(path);
    await expect(page.getByText(name).first()).toBeAttached();
    expect.soft(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(PHONE.width);
  }
});

test("twelve people of fifteen, one new and one with other minutes, take at most 30 keys, and twelve of fifteen the next time at most 20", async ({
  page,
}) => {
  await signIn(page, DEMO.advocate);
  const names = Array.from({ length: 15 }, (_, at) => uniqueName(`Person ${String.fromCharCode(65 + at)}`));
  const { group } = await makeGroup(page, names);

  await page.goto(`/groups/${group.id}/sessions/new`);
  await waitUntilInteractive(page);
  await expect(box(page, names[0] ?? "")).toBeFocused();
  await expect(people(page).getByRole("checkbox", { checked: true })).toHaveCount(0);
  // Four of fifteen are absent (C, F, H, L), the second has other minutes, and one person is new: twelve in all.
  let keys = await press(page, ["a", "ArrowDown", "m", ..."45", "Enter", "ArrowDown", "Space"]);
  await expect(box(page, names[2] ?? "")).not.toBeChecked();
  keys += await press(page, [...times("ArrowDown", 3), "Space", ...times("ArrowDown", 2), "Space"]);
  keys += await press(page, [...times("ArrowDown", 4), "Space"]);
  keys += await press(page, ["+"]);
  const search = page.getByRole("combobox", { name: "Add someone" });
  await expect(search).toBeFocused();
  keys += await press(page, [..."Zxq"]);
  await expect(page.getByRole("option", { name: "New client: Zxq", selected: true })).toBeVisible();
  keys += await press(page, ["Enter"]);
  await expect(box(page, "Zxq")).toBeChecked();
  await expect(page.getByText("12 of 16")).toBeVisible();
  keys += await press(page, ["Enter"]);
  await expectNotification(page, "Created session successfully");
  expect(keys).toBeLessThanOrEqual(30);

  const [first] = await sessions(page, group.id);
  expect(first.attendances).toHaveLength(12);
  expect(first).toMatchObject({ heldOn: today(), minutes: 90, leaders: [{ minutes: 90 }] });
  expect(first.attendances.filter(({ minutes }: { minutes: number | null }) => minutes === 45)).toHaveLength(
    1,
  );
  expect(first.attendances.map(({ client }: { client: { name: string } }) => client.name)).toContain("Zxq");

  // The next week.
  await page.goto(`/groups/${group.id}/sessions/new`);
  await waitUntilInteractive(page);
  await expect(box(page, names[0] ?? "")).toBeFocused();
  const next = await press(page, [
    ...["a", ...times("ArrowDown", 3), "Space", ...times("ArrowDown", 4), "Space"],
    ...[...times("ArrowDown", 5), "Space", "Enter"],
  ]);
  await expectNotification(page, "Created session successfully");
  expect(next).toBeLessThanOrEqual(20);
  const recorded = await sessions(page, group.id);
  expect(recorded.map(({ attendances }: { attendances: unknown[] }) => attendances.length)).toEqual([12, 12]);
});

test("a group is set up with its roster, and a session is recorded, changed, and removed on a phone", async ({
  page,
}) => {
  await page.setViewportSize(PHONE);
  await signIn(page, DEMO.advocate);
  const anna = uniqueName("Anna");
  const berta = uniqueName("Berta");
  for (const name of [anna, berta]) await createRecord(page, "/api/clients", { client: { name } });
  await page.goto("/groups/new");
  await waitUntilInteractive(page);
  const name = uniqueName("Thursday");
  await page.getByLabel("Name *").fill(name);
  await page.getByLabel("Usual Minutes *").fill("1:30");
  await page.getByLabel("Form Type *").selectOption("Service");
  await page.getByLabel("Service Code *").selectOption("COUNSEL-GRP");
  await audit(page, "a new group");
  await button(page, "Save").click();
  await expectNotification(page, "Created group successfully");
  await expect(page.getByRole("heading", { level: 1 })).toContainText(name);
  const search = page.getByRole("combobox", { name: "Add people by name" });
  for (const person of [anna, berta]) {
    await search.fill(person);
    await page.getByRole("option", { name: person }).click();
    await expect(
      page.getByRole("list", { name: "Roster" }).getByRole("link", { name: person }),
    ).toBeVisible();
  }
  await audit(page, "a group");
  await page.getByRole("link", { name: "New Session" }).first().click();
  await waitUntilInteractive(page);
  await box(page, anna).check();
  await page.getByLabel("Minutes *").fill("abc");
  await expect(button(page, `Minutes : other minutes for ${berta}`)).toBeVisible();
  await page.getByLabel("Minutes *").fill("1:30");
  await expect(button(page, `1 h 30 min : other minutes for ${berta}`)).toBeVisible();
  await page.getByLabel("People without a Record").fill("2");
  await expect(page.getByText("Not in reports: make a record to count a person.")).toBeVisible();
  await audit(page, "a new session");
  await button(page, "Save").click();
  await expectNotification(page, "Created session successfully");
  await expect(page.getByRole("table", { name: "Sessions" }).getByText("01:30")).toBeVisible();

  await page.getByRole("link", { name: date(today()) }).click();
  await waitUntilInteractive(page);
  await box(page, berta).check();
  await button(page, "Update").click();
  await expectNotification(page, "Updated session successfully");
  await page.getByRole("link", { name: date(today()) }).click();
  await waitUntilInteractive(page);
  await button(page, "Remove").click();
  await expect(page.getByRole("dialog")).toContainText("2 forms");
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expectNotification(page, "Removed session successfully");
});

test("the forms of a session are together in the review, and one key reconciles them", async ({
  page,
  database,
}) => {
  await signIn(page, await makeLeader(database));
  const { group, clientIds } = await makeGroup(page, [uniqueName("Ada"), uniqueName("Bea")]);
  const { userId } = await (await page.request.get("/api/me")).json();
  const { groupSession } = await createRecord(page, `/api/groups/${group.id}/sessions`, {
    groupSession: {
      minutes: 90,
      leadersAttributes: [{ userId, minutes: 90 }],
      attendancesAttributes: clientIds.map((clientId) => ({ clientId })),
    },
  });
  const ids = groupSession.attendances.map(({ formId }: { formId: number }) => formId);
  await signIn(page, DEMO.administrator);
  await page.goto(`/forms/review?ids=${ids.join(",")}`);
  await waitUntilInteractive(page);
  await expect(page.getByText(`${group.name}, ${date(today())} · 2 forms`)).toBeVisible();
  await expect(button(page, "Reconcile this session (2)")).toBeVisible();
  await page.keyboard.press("s");
  await expect(page).not.toHaveURL(/review/);
  for (const id of ids) {
    const { form } = await (await page.request.get(`/api/forms/${id}`)).json();
    expect(form.reconciled).toBe(true);
  }
});

test("a form of a session leads to it, and the sheet to sign has blank lines or first names", async ({
  page,
  database,
}) => {
  await signIn(page, await makeLeader(database));
  const name = `${uniqueName("Cecilia")} Lastname`;
  const { group, clientIds } = await makeGroup(page, [name]);
  const { userId } = await (await page.request.get("/api/me")).json();
  const { groupSession } = await createRecord(page, `/api/groups/${group.id}/sessions`, {
    groupSession: {
      minutes: 90,
      leadersAttributes: [{ userId, minutes: 90 }],
      attendancesAttributes: [{ clientId: clientIds[0] }],
    },
  });
  await page.goto(`/clients/${clientIds[0]}`);
  await expect(page.getByText(`${group.name} session`)).toBeVisible();
  await page.goto(`/forms/${groupSession.attendances[0].formId}`);
  await page.getByRole("link", { name: "Session", exact: true }).click();
  await expect(page).toHaveURL(`/groups/${group.id}/sessions/${groupSession.id}`);

  await page.goto(`/groups/${group.id}/sign_in`);
  await waitUntilInteractive(page);
  const lines = page.getByRole("list", { name: "Lines" });
  await expect(lines).not.toContainText("Cecilia");
  await button(page, "First names").click();
  await expect(lines).toContainText("Cecilia");
  await expect(lines).not.toContainText("Lastname");
  await audit(page, "a sign-in sheet");
});

test("two changes of a group at the same time are compared, and nothing typed is lost", async ({
  page,
  browser,
  baseURL,
}) => {
  await signIn(page, DEMO.advocate);
  const { group } = await makeGroup(page, []);
  await page.goto(`/groups/${group.id}/edit`);
  await waitUntilInteractive(page);
  await page.getByLabel("Usual Minutes").fill("75");
  const other = await browser.newPage({ baseURL });
  await signIn(other);
  const {
    id,
    name: _,
    ...values
  } = (await (await other.request.get(`/api/groups/${group.id}`)).json()).group;
  const name = uniqueName("Renamed");
  const saved = await other.request.put(`/api/groups/${id}`, {
    data: { group: { ...values, name, usualMinutes: 60 } },
  });
  expect(saved.status()).toBe(200);
  await other.close();
  await button(page, "Update").click();
  await button(page, "Compare and choose").click();
  const dialog = page.getByRole("dialog", { name: "Changed by someone else" });
  await expect(
    dialog.getByRole("group", { name: "Usual Minutes" }).getByRole("radio", { name: /^Mine/ }),
  ).toBeChecked();
  await audit(page, "group, conflict");
  await dialog.getByRole("button", { name: "Use these" }).click();
  await expect(page.getByLabel("Name")).toHaveValue(name);
  await expect(page.getByLabel("Usual Minutes")).toHaveValue("75");
  await button(page, "Update").click();
  await expectNotification(page, "Updated group successfully");
  const { group: stored } = await (await page.request.get(`/api/groups/${group.id}`)).json();
  expect(stored).toMatchObject({ name, usualMinutes: 75 });
});

test("two changes of a session at the same time are compared person by person, and nothing typed is lost", async ({
  page,
  browser,
  baseURL,
  database,
}) => {
  await signIn(page, await makeLeader(database));
  const names = ["Ada", "Bea", "Cleo", "Dora", "Elsa"].map((name) => uniqueName(name));
  const [ada = "", bea = "", cleo = "", dora = "", elsa = ""] = names;
  const { group, clientIds } = await makeGroup(page, names.slice(0, 4));
  const [adaId, beaId, cleoId, doraId] = clientIds;
  const { userId } = await (await page.request.get("/api/me")).json();
  const { groupSession } = await createRecord(page, `/api/groups/${group.id}/sessions`, {
    groupSession: {
      minutes: 90,
      leadersAttributes: [{ userId, minutes: 90 }],
      attendancesAttributes: [{ clientId: adaId }, { clientId: beaId }],
    },
  });
  const path = `/groups/${group.id}/sessions/${groupSession.id}`;
  await page.goto(path);
  await waitUntilInteractive(page);
  // Here: Ada has other minutes, Bea did not come, Dora came, and the session was shorter.
  await button(page, `1 h 30 min : other minutes for ${ada}`).click();
  await page.getByLabel(`Minutes of ${ada}`).fill("45");
  await box(page, bea).uncheck();
  await box(page, dora).check();
  await page.getByLabel("Minutes *").fill("75");

  // There: Ada did not come, Bea has other minutes, Cleo and someone who is not on the roster came, and two without a
  // record. A new leader of the group led, too.
  const other = await browser.newPage({ baseURL });
  await signIn(other);
  const elsaId = (await createRecord(other, "/api/clients", { client: { name: elsa } })).client.id;
  const { userId: otherId } = await (await other.request.get("/api/me")).json();
  await other.request.put(`/api/groups/${group.id}`, { data: { group: { leaderIds: [userId, otherId] } } });
  const saved = await other.request.put(`/api${path}`, {
    data: {
      groupSession: {
        unnamed: 2,
        leadersAttributes: [
          { userId, minutes: 90 },
          { userId: otherId, minutes: 30 },
        ],
        attendancesAttributes: [
          { clientId: beaId, minutes: 30 },
          { clientId: cleoId },
          { clientId: elsaId, minutes: 60 },
        ],
      },
    },
  });
  expect(saved.status()).toBe(200);
  await other.close();

  await button(page, "Update").click();
  await button(page, "Compare and choose").click();
  const dialog = page.getByRole("dialog", { name: "Changed by someone else" });
  const choice = (name: string, side: RegExp) =>
    dialog.getByRole("group", { name }).getByRole("radio", { name: side });
  await expect(choice(ada, /Theirs\s*Came → Did not come/)).not.toBeChecked();
  await expect(choice(ada, /Mine\s*Came → Came, 45 min/)).toBeChecked();
  await expect(choice(bea, /Mine\s*Came → Did not come/)).toBeChecked();
  await expect(choice(cleo, /Theirs\s*Did not come → Came/)).toBeChecked();
  await expect(choice(elsa, /Theirs\s*Did not come → Came, 1 h/)).toBeChecked();
  await expect(choice("People without a Record", /Theirs\s*0 → 2/)).toBeChecked();
  await expect(choice("Alex Admin", /Theirs\s*Did not lead → Led, 30 min/)).toBeChecked();
  // Nobody asks about values that changed only here.
  await expect(dialog.getByRole("group")).toHaveCount(6);
  await audit(page, "session, conflict");
  await choice(bea, /^Theirs/).check();
  await dialog.getByRole("button", { name: "Use these" }).click();

  await expect(page.getByLabel("Minutes *")).toHaveValue("75");
  await expect(page.getByLabel(`Minutes of ${ada}`)).toHaveValue("45");
  await expect(page.getByLabel(`Minutes of ${bea}`)).toHaveValue("30");
  await expect(page.getByLabel("Minutes of Alex Admin")).toHaveValue("30");
  await expect(people(page).getByRole("checkbox", { checked: true })).toHaveCount(5);
  await button(page, "Update").click();
  await expectNotification(page, "Updated session successfully");
  const stored = (await (await page.request.get(`/api${path}`)).json()).groupSession;
  expect(stored).toMatchObject({ minutes: 75, unnamed: 2 });
  expect(stored.leaders).toHaveLength(2);
  expect(stored.leaders).toContainEqual(expect.objectContaining({ userId: otherId, minutes: 30 }));
  const came = stored.attendances.map((one: { client: { id: number }; minutes: number | null }) => [
    one.client.id,
    one.minutes,
  ]);
  expect(Object.fromEntries(came)).toEqual({
    ...{ [Number(adaId)]: 45, [Number(beaId)]: 30, [Number(cleoId)]: null },
    ...{ [Number(doraId)]: null, [elsaId]: 60 },
  });
});

test("a leader who did not lead a session adds someone who was forgotten, and a removal names what goes with it", async ({
  page,
  database,
}) => {
  const [absent, substitute] = [await makeLeader(database), await makeLeader(database)];
  await signIn(page, substitute);
  const { userId: substituteId } = await (await page.request.get("/api/me")).json();
  await signIn(page, absent);
  const names = [uniqueName("Ada"), uniqueName("Bea")];
  const [ada = "", bea = ""] = names;
  const { group, clientIds } = await makeGroup(page, names);
  const { userId } = await (await page.request.get("/api/me")).json();
  const added = await page.request.put(`/api/groups/${group.id}`, {
    data: { group: { leaderIds: [userId, substituteId] } },
  });
  expect(added.status()).toBe(200);
  await signIn(page, substitute);
  const { groupSession } = await createRecord(page, `/api/groups/${group.id}/sessions`, {
    groupSession: {
      minutes: 90,
      leadersAttributes: [{ userId: substituteId, minutes: 90 }],
      attendancesAttributes: [{ clientId: clientIds[0] }],
    },
  });
  await signIn(page, absent);
  const path = `/groups/${group.id}/sessions/${groupSession.id}`;
  await page.goto(path);
  await waitUntilInteractive(page);
  await box(page, bea).check();
  await button(page, "Update").click();
  await expectNotification(page, "Updated session successfully");
  const stored = (await (await page.request.get(`/api${path}`)).json()).groupSession;
  expect(stored.attendances).toHaveLength(2);
  expect(stored.leaders).toMatchObject([{ userId: substituteId }]);
  await page.goto(path);
  await waitUntilInteractive(page);
  await button(page, "Remove").click();
  await expect(page.getByRole("dialog")).toContainText(
    `This also removes 2 forms (${ada}, ${bea}) and the minutes of 1 leader in My Time.`,
  );
});

test("a session of a closed month says so, and no key changes it", async ({ page, database }) => {
  await signIn(page, await makeLeader(database));
  const name = uniqueName("Ada");
  const { group, clientIds } = await makeGroup(page, [name, uniqueName("Bea")]);
  const { userId } = await (await page.request.get("/api/me")).json();
  const { groupSession } = await createRecord(page, `/api/groups/${group.id}/sessions`, {
    groupSession: {
      heldOn: "2001-03-04",
      minutes: 90,
      leadersAttributes: [{ userId, minutes: 90 }],
      attendancesAttributes: [{ clientId: clientIds[0] }],
    },
  });
  await signIn(page);
  const close = (closedThrough: string | null) =>
    page.request.put("/api/closed_periods", { data: { closedThrough } });
  await close("2001-03-31");
  try {
    await page.goto(`/groups/${group.id}/sessions/${groupSession.id}`);
    await waitUntilInteractive(page);
    await expect(page.getByText("March 2001 and earlier are closed")).toBeVisible();
    await expect(box(page, name)).toBeDisabled();
    await page.keyboard.press("a");
    await expect(page.getByText("1 of 2")).toBeVisible();
    await expect(button(page, "Update").or(button(page, "Remove"))).toHaveCount(0);
    await audit(page, "session, closed month");
  } finally {
    await close(null);
  }
});

test("a new client who is added twice is one person", async ({ page, database }) => {
  await signIn(page, await makeLeader(database));
  const { group } = await makeGroup(page, []);
  await page.goto(`/groups/${group.id}/sessions/new`);
  await waitUntilInteractive(page);
  const name = uniqueName("Zora");
  for (const _ of ["first", "second"]) {
    await page.getByRole("combobox", { name: "Add someone" }).fill(name);
    await page.getByRole("option", { name: `New client: ${name}` }).click();
    await expect(page.getByText("1 of 1")).toBeVisible();
  }
  await button(page, "Save").click();
  await expectNotification(page, "Created session successfully");
  const [session] = await sessions(page, group.id);
  expect(session.attendances).toHaveLength(1);
});

test("a person who was hidden since is named in a session that is saved, and does not block the roster", async ({
  page,
  database,
}) => {
  await signIn(page, await makeLeader(database));
  const names = ["Ines", "Jana", "Karl"].map((name) => uniqueName(name));
  const [ines = "", jana = "", karl = ""] = names;
  const { group, clientIds } = await makeGroup(page, [ines, jana]);
  await createRecord(page, "/api/clients", { client: { name: karl } });
  const { userId } = await (await page.request.get("/api/me")).json();
  const roster = await page.context().newPage();
  await roster.goto(`/groups/${group.id}`);
  await waitUntilInteractive(roster);
  await page.goto(`/groups/${group.id}/sessions/new`);
  await waitUntilInteractive(page);
  await database.query("INSERT INTO client_restrictions (client_id, user_id) VALUES ($1, $2)", [
    clientIds[1],
    userId,
  ]);

  await button(page, "Tick everyone").click();
  await button(page, "Save").click();
  await expect(
    page.getByText(`${jana} was not found: merged, removed, or hidden since.`).first(),
  ).toBeVisible();
  await box(page, jana).uncheck();
  await button(page, "Save").click();
  await expectNotification(page, "Created session successfully");
  expect(await sessions(page, group.id)).toMatchObject([{ attendances: [{ client: { name: ines } }] }]);

  await roster.getByLabel("Add people by name").fill(karl);
  await roster.getByRole("option", { name: new RegExp(karl) }).click();
  const listed = roster.getByRole("list", { name: "Roster" }).getByRole("listitem");
  await expect(listed).toHaveCount(2);
  await expect(listed.filter({ hasText: karl })).toBeVisible();
});

test("people with the same name are distinguished on the roster and in a session", async ({
  page,
  database,
}) => {
  await signIn(page, await makeLeader(database));
  const name = uniqueName("Nele");
  const other = uniqueName("Olga");
  const { group, clientIds } = await makeGroup(page, [name, name, other]);
  await database.query(
    "INSERT INTO client_biographical_entries (client_id, date_of_birth) VALUES ($1, '1990-02-03')",
    [clientIds[0]],
  );
  const since = `${name} · since ${date(today())}`;
  await page.goto(`/groups/${group.id}`);
  const roster = page.getByRole("list", { name: "Roster" });
  for (const shown of [`${name} · born 1990`, since, other])
    await expect(roster.getByRole("link", { name: shown, exact: true })).toBeVisible();
  await expect(button(page, `Take off : ${name} · born 1990`)).toBeVisible();

  await page.goto(`/groups/${group.id}/sessions/new`);
  await waitUntilInteractive(page);
  await box(page, since).check();
  await box(page, other).check();
  // A third one has no year of birth either, and was recorded on the same day as the second.
  const third = (await createRecord(page, "/api/clients", { client: { name } })).client.id;
  await page.getByRole("combobox", { name: "Add someone" }).fill(name);
  await page.getByRole("option", { name: `client ${third}` }).click();
  await expect(box(page, `${since}, client ${third}`)).toBeChecked();
  await box(page, `${since}, client ${third}`).uncheck();
  await expect(box(page, `${since}, client ${clientIds[1]}`)).toBeChecked();
  await button(page, "Save").click();
  await expectNotification(page, "Created session successfully");
  // Someone who is no longer on the roster is distinguished as well.
  const data = { group: { clientIds: [clientIds[0]] } };
  expect((await page.request.put(`/api/groups/${group.id}`, { data })).status()).toBe(200);
  const [session] = await sessions(page, group.id);
  await page.goto(`/groups/${group.id}/sessions/${session.id}`);
  await expect(box(page, since)).toBeChecked();
  await expect(box(page, `${name} · born 1990`)).not.toBeChecked();
});
