import { mkdir, mkdtemp, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { backupFolder, backupTimes } from "@/lib/core/database/backup-files";
import { db } from "@/lib/core/database/client";
import { env } from "@/lib/core/process/env";
import { addDays, today } from "@/lib/core/text/format";
import { homeOf } from "@/lib/home/home";
import { inviteUser, sendNotice } from "@/lib/identity/accounts";
import { claimMail, mailFailed } from "@/lib/identity/mail/queue";
import { monthOf, quarterOf, weekOf } from "@/lib/reports/periods";
import { formTypes } from "@/prisma/seed-data";
import { actorFor, call } from "@/tests/call";
import { composeService } from "@/tests/compose";
import { fullForm, makeClient, makeForm, makeUser, type Person } from "@/tests/factories";

// The first page of a user.

const DAY_MS = 86_400_000;

let ada: Person;
let ben: Person;
let supervisor: Person;

beforeAll(async () => {
  ada = await makeUser();
  ben = await makeUser();
  supervisor = await makeUser(["forms", "all-forms"]);
});

const loadHome = async (person: Person) => homeOf(await actorFor(person));

describe("Home", () => {
  test("shows an advocate only their own minutes of the week, newest clients, drafts and returned forms", async () => {
    const { id: clientId } = await makeClient(ada, { name: "Ada's client" });
    const form = await makeForm(
      ada,
      { ...(await fullForm("Service", clientId)), serviceOn: today() },
      clientId,
    );
    const minutes = form.serviceEntry.serviceProvidedEntries.reduce(
      (total: number, row: { minutes: number }) => total + row.minutes,
      0,
    );
    await call(supervisor.cookie, "POST", `/api/forms/${form.id}/return`, { comment: "Really?" });
    await call(ada.cookie, "PUT", "/api/drafts/new-1", { draft: { formId: null, content: {} } });

    const mine = await loadHome(ada);
    expect(mine.week).toHaveLength(7);
    expect(mine.week?.[0]?.on).toBe(weekOf(today()).from);
    expect(mine.week?.filter((day) => day.minutes > 0)).toEqual([
      { on: today(), minutes, contactMinutes: 0, activityMinutes: 0, sessionMinutes: 0, eventMinutes: 0 },
    ]);
    expect(mine.clients?.map(({ name }) => name)).toEqual(["Ada's client"]);
    expect(mine.returned).toMatchObject({ forms: [{ id: form.id, comment: "Really?" }], total: 1 });
    expect(mine.drafts).toMatchObject([{ key: "new-1", formId: null }]);
    expect(mine.formTypes?.map(({ name }) => name)).toEqual(formTypes.map(({ name }) => name));
    expect(mine.isNew).toBe(false);
    expect([mine.waiting, mine.administration]).toEqual([null, null]);

    const others = await loadHome(ben);
    expect(others).toMatchObject({ clients: [], returned: { forms: [], total: 0 }, drafts: [], isNew: true });
    expect(others.week?.every((day) => day.minutes === 0)).toBe(true);
  });

  test("leaves out a client who is hidden from the user, and the client's forms and drafts", async () => {
    const advocate = await makeUser();
    const reviewer = await makeUser(["forms", "all-forms"]);
    const { id: clientId } = await makeClient(advocate);
    const values = { ...(await fullForm("Service", clientId)), serviceOn: today() };
    const form = await makeForm(advocate, values, clientId);
    await call(supervisor.cookie, "POST", `/api/forms/${form.id}/return`, { comment: "Really?" });
    await call(advocate.cookie, "PUT", "/api/drafts/new-1", {
      draft: { formId: null, content: { clientId } },
    });
    const shown = async () => {
      const { clients, returned, drafts, week } = await loadHome(advocate);
      const { waiting } = await loadHome(reviewer);
      return {
        clients: clients?.length,
        returned: returned?.total,
        drafts: drafts?.length,
        workdays: week?.filter(({ minutes }) => minutes > 0).length,
        isWaiting: waiting?.some(({ id }) => id === advocate.id),
      };
    };
    expect(await shown()).toEqual({ clients: 1, returned: 1, drafts: 1, workdays: 1, isWaiting: true });
    for (const { id: userId } of [advocate, reviewer])
      await db().clientRestriction.create({ data: { clientId, userId } });
    expect(await shown()).toEqual({ clients: 0, returned: 0, drafts: 0, workdays: 0, isWaiting: false });
  });

  test("shows who closes months those that have ended since the last closed one, equal to the count of their list", async () => {
    const closer = await makeUser(["forms", "all-forms", "close-periods"]);
    const closing = async () => (await loadHome(closer)).closing;
    const close = (closedThrough: string | null) =>
      call(closer.cookie, "PUT", "/api/closed_periods", { closedThrough });
    const { from: month, to } = monthOf(today(), -1);
    expect(await closing()).toBeNull();
    await makeForm(ada, { serviceOn: month });
    const before = addDays(month, -1);
    expect((await close(before)).status).toBe(200);
    const shown = await closing();
    expect(shown).toMatchObject({ from: month, to });
    const listed = await call(
      closer.cookie,
      "GET",
      `/api/forms?filters[formStatus]=unreconciled&filters[from]=${month}&filters[to]=${to}`,
    );
    expect(shown?.forms).toBe(listed.body.meta.totalCount);
    expect(shown?.forms).toBeGreaterThan(0);
    expect((await loadHome(supervisor)).closing).toBeNull();
    // Without All Forms, Home cannot say that all are reviewed.
    const onlyCloser = await makeUser(["close-periods"]);
    expect((await loadHome(onlyCloser)).closing).toEqual({ from: month, to, forms: null });
    await close(to);
    expect(await closing()).toBeNull();
    await close(null);
  });

  test("shows readers of reports those that are due soon or overdue, until they are submitted", async () => {
    const reader = await makeUser(["reports", "reports-setup", "all-forms"]);
    const quarter = quarterOf(today(), -1);
    const dueTo = async (person: Person) => (await loadHome(person)).due?.map(({ key, due }) => [key, due]);
    await db().reportSetting.deleteMany();
    const setting = (report: string, dueDays: number) =>
      db().reportSetting.create({ data: { report, dueFrom: new Date(quarter.from), dueDays, yearStart: 1 } });
    await setting("pmt", 0);
    const far = 300;
    await setting("fvpsa", far);
    expect(await dueTo(reader)).toContainEqual(["pmt", quarter.to]);
    expect((await dueTo(reader))?.map(([key]) => key)).not.toContain("fvpsa");
    expect((await loadHome(ada)).due).toBeNull();
    const submission = { from: quarter.from, to: quarter.to };
    const { status } = await call(reader.cookie, "POST", "/api/reports/pmt/submissions", { submission });
    expect(status).toBe(201);
    expect((await dueTo(reader))?.map(([key]) => key)).not.toContain("pmt");
    await db().reportSetting.deleteMany();
  });

  test("offers to move in only if there is a shelter, and contacts only with their permission", async () => {
    const night = await makeUser(["forms", "shelter", "contacts"]);
    const offered = async (person: Person) => {
      const { movesIn, entered } = await loadHome(person);
      return [movesIn, entered];
    };
    await db().shelter.create({ data: { name: "Offered House", kind: "In-house" } });
    expect(await offered(night)).toEqual([true, ["contacts"]]);
    expect(await offered(ada)).toEqual([false, []]);
  });

  test("adds up the minutes of the user's contacts without a form, also without the permission Contacts", async () => {
    const advocate = await makeUser(["forms", "clients", "contacts"]);
    const { id: contactKindId } = await db().contactKind.findFirstOrThrow();
    const { id: formId } = await makeForm(advocate);
    for (const contact of [{ minutes: 5 }, { minutes: 10 }, { minutes: 40, formId }]) {
      const body = { contact: { contactKindId, ...contact } };
      expect((await call(advocate.cookie, "POST", "/api/contacts", body)).status).toBe(201);
    }
    const contactDays = async () =>
      (await loadHome(advocate)).week?.filter(({ contactMinutes }) => contactMinutes > 0);
    const expected = [
      { on: today(), minutes: 0, contactMinutes: 15, activityMinutes: 0, sessionMinutes: 0, eventMinutes: 0 },
    ];
    expect(await contactDays()).toEqual(expected);
    const lost = { role: { users: { some: { id: advocate.id } } }, permission: { name: "Contacts" } };
    expect(await db().rolePermission.deleteMany({ where: lost })).toEqual({ count: 1 });
    expect(await contactDays()).toEqual(expected);
  });

  test("adds up the user's minutes of activities and of events as My Time does, also without their permissions", async () => {
    const recorder = await makeUser(["events"]);
    const advocate = await makeUser(["forms", "clients", "activities"]);
    const { id: eventKindId } = await db().eventKind.findFirstOrThrow();
    const { id: activityKindId } = await db().activityKind.findFirstOrThrow();
    const event = {
      heldOn: today(),
      eventKindId,
      title: "Talk",
      audience: "youth",
      attended: 9,
      staffAttributes: [{ userId: advocate.id, minutes: 75 }],
    };
    const activity = { occurredOn: today(), activityKindId, minutes: 20 };
    expect((await call(recorder.cookie, "POST", "/api/events", { event })).status).toBe(201);
    expect((await call(advocate.cookie, "POST", "/api/activities", { activity })).status).toBe(201);
    const lost = { role: { users: { some: { id: advocate.id } } }, permission: { name: "Activities" } };
    expect(await db().rolePermission.deleteMany({ where: lost })).toEqual({ count: 1 });
    const { from, to } = weekOf(today());
    const time = (await call(advocate.cookie, "GET", `/api/reports/time?from=${from}&to=${to}`)).body;
    expect(time).toMatchObject({ activityMinutes: 20, eventMinutes: 75 });
    const { week } = await loadHome(advocate);
    expect(week?.filter(({ on }) => on === today())).toEqual([
      {
        on: today(),
        minutes: 0,
        contactMinutes: 0,
        activityMinutes: 20,
        sessionMinutes: 0,
        eventMinutes: 75,
      },
    ]);
  });

  test("adds up all minutes of a form at magisterial court, as My Time does", async () => {
    const advocate = await makeUser(["forms", "clients", "reports"]);
    const codes = await db().serviceCode.findMany({
      where: { formTypes: { some: { formType: { name: "Legal Advocacy" } } } },
    });
    const [court, other] = [true, false].map((isCourt) =>
      codes.find(({ canBeMagistrate }) => canBeMagistrate === isCourt),
    );
    const values = await fullForm("Legal Advocacy", (await makeClient(advocate)).id);
    await makeForm(advocate, {
      ...values,
      serviceOn: today(),
      serviceEntryAttributes: {
        serviceProvidedEntriesAttributes: [
          { serviceCodeId: court?.id, minutes: 60 },
          { serviceCodeId: other?.id, minutes: 30 },
        ],
      },
    });
    const { week } = await loadHome(advocate);
    const { body } = await call(advocate.cookie, "GET", `/api/reports/time?from=${today()}&to=${today()}`);
    expect(body.minutes).toBe(90);
    expect(week?.find(({ on }) => on === today())?.minutes).toBe(90);
  });

  test("is recorded with the clients and the returned forms that it showed", async () => {
    const advocate = await makeUser();
    const { id, clientId } = await makeForm(advocate);
    await call(supervisor.cookie, "POST", `/api/forms/${id}/return`, { comment: "Really?" });
    await loadHome(advocate);
    const where = { userId: advocate.id, action: "listed" };
    expect(await db().auditEvent.findMany({ where, orderBy: { entity: "asc" } })).toMatchObject([
      { entity: "client", shown: [clientId] },
      { entity: "form", shown: [id] },
    ]);
  });

  test("shows reviewers the number and age of pending forms by advocate, equal to the counts of their lists", async () => {
    await makeForm(ben, { serviceOn: "2026-01-02" });
    await makeForm(ben, { serviceOn: "2026-01-05" });
    const { waiting } = await loadHome(supervisor);
    for (const advocate of waiting ?? []) {
      const listed = await call(supervisor.cookie, "GET", `/api/forms?filters[userId]=${advocate.id}`);
      expect(listed.body.meta.totalCount).toBe(advocate.forms);
    }
    expect(waiting?.find(({ id }) => id === ben.id)).toMatchObject({ forms: 2, oldest: "2026-01-02" });
  });

  test("shows administrators the number of open invitations, equal to the list of invited users", async () => {
    const administrator = await makeUser(["users"]);
    const before = (await loadHome(administrator)).administration;
    const { id } = await makeUser();
    const { id: formerId } = await makeUser();
    await db().user.update({ where: { id }, data: { activatedAt: null } });
    await db().user.update({ where: { id: formerId }, data: { activatedAt: null, active: false } });
    const after = await loadHome(administrator);
    expect(after.administration).toEqual({ ...before, invited: (before?.invited ?? 0) + 1 });
    expect([after.returned, after.drafts, after.week, after.clients, after.waiting]).toEqual(
      Array.from({ length: 5 }, () => null),
    );
    const invited = await call(administrator.cookie, "GET", "/api/users?filters[status]=invited");
    expect(invited.body.meta.totalCount).toBe(after.administration?.invited);
    const listed = invited.body.users.map((user: { id: number }) => user.id);
    expect([listed.includes(id), listed.includes(formerId)]).toEqual([true, false]);
  });

  test("shows administrators failed mail, whether a link or a password-change notice", async () => {
    const administrator = await makeUser(["users"]);
    const countFailedMail = async () => (await loadHome(administrator)).administration?.mailFailed;
    expect(await countFailedMail()).toBe(0);
    const newcomer = await makeUser();
    await db().$transaction((tx) => inviteUser(tx, newcomer));
    await db().$transaction((tx) => sendNotice(tx, "password", newcomer.email));
    expect(await countFailedMail()).toBe(0);
    for (const expected of [1, 2]) {
      await mailFailed(Number((await claimMail())?.id), "550 No such mailbox");
      expect(await countFailedMail()).toBe(expected);
    }
  });

  test("shows administrators the age of the newest complete backup, encrypted or not, from either backup tool", async () => {
    const administrator = await makeUser(["users"]);
    const lastBackup = async () => (await loadHome(administrator)).administration?.lastBackup;
    const namedAt = (days: number) =>
      `lanternbook-${new Date(Date.now() - days * DAY_MS - 60_000).toISOString().replace(/\.\d+|:/g, "")}`;
    const folder = backupFolder(env().DATA_DIR);
    expect(await lastBackup()).toBe("");
    await mkdir(folder, { recursive: true });
    for (const [name, age] of [
      [`${namedAt(30)}.gz`, "4 weeks ago"],
      [`${namedAt(9)}.backup`, "9 days ago"],
      [`${namedAt(8)}.dump`, "8 days ago"],
      [`${namedAt(7)}.dump.sha256`, "8 days ago"],
      [`${namedAt(6)}.dump.gpg.unfinished`, "8 days ago"],
      [`${namedAt(5)}.backup.unfinished`, "8 days ago"],
      [`${namedAt(2)}.dump.gpg`, "2 days ago"],
    ] as const) {
      await writeFile(path.join(folder, name), "");
      expect((await lastBackup())?.replace(/, \d\d\/\d\d\/\d\d \d\d:\d\d [AP]M$/, ""), name).toBe(age);
    }
    await rm(folder, { recursive: true });
  });

  test("names a backup that failed or was killed after the newest complete one, as /metrics do", async () => {
    const administrator = await makeUser(["users"]);
    const folder = await mkdtemp(path.join(tmpdir(), "lanternbook-backups-"));
    env().BACKUP_DIR = folder;
    const write = (name: string) => writeFile(path.join(folder, name), "");
    const shown = async () => {
      const { lastBackup, failedBackup } = (await loadHome(administrator)).administration ?? {};
      const { completedAt, failedAt } = await backupTimes();
      expect([lastBackup === "", failedBackup === ""]).toEqual([completedAt === null, failedAt === null]);
      return [completedAt, failedAt];
    };
    try {
      expect(await shown()).toEqual([null, null]);
      await write("lanternbook-2026-05-01T120000Z.failed");
      expect(await shown()).toEqual([null, "2026-05-01T12:00:00Z"]);
      await write("lanternbook-2026-05-02T120000Z.dump.gpg");
      expect(await shown()).toEqual(["2026-05-02T12:00:00Z", null]);
      await write("lanternbook-2026-05-03T120000Z.backup.unfinished");
      expect(await shown()).toEqual(["2026-05-02T12:00:00Z", null]);
      await utimes(path.join(folder, "lanternbook-2026-05-03T120000Z.backup.unfinished"), 0, 0);
      expect(await shown()).toEqual(["2026-05-02T12:00:00Z", "2026-05-03T12:00:00Z"]);
      await write("lanternbook-2026-05-04T120000Z.failed");
      expect((await loadHome(administrator)).administration?.failedBackup).toMatch(
        / ago, 05\/04\/26 05:00 AM$/,
      );
    } finally {
      env().BACKUP_DIR = undefined;
      await rm(folder, { recursive: true });
    }
  });

  test.each([
    ["a file", (folder: string) => writeFile(folder, "")],
    ["a loop of links", (folder: string) => symlink(folder, folder)],
  ])("says that the folder of backups cannot be read if it is %s", async (_, make) => {
    const administrator = await makeUser(["users"]);
    const parent = await mkdtemp(path.join(tmpdir(), "lanternbook-backups-"));
    const folder = path.join(parent, "backups");
    await make(folder);
    env().BACKUP_DIR = folder;
    try {
      const { lastBackup, failedBackup } = (await loadHome(administrator)).administration ?? {};
      expect([lastBackup, failedBackup]).toEqual(["Unknown", "The folder of backups cannot be read"]);
    } finally {
      env().BACKUP_DIR = undefined;
      await rm(parent, { recursive: true });
    }
  });

  test("finds backups in BACKUP_DIR, which docker-compose.yml sets to the folder of its backups", async () => {
    const administrator = await makeUser(["users"]);
    const folder = await mkdtemp(path.join(tmpdir(), "lanternbook-backups-"));
    env().BACKUP_DIR = folder;
    try {
      await writeFile(path.join(folder, "lanternbook-2026-05-02T120000Z.dump.gpg"), "");
      expect((await loadHome(administrator)).administration?.lastBackup).toMatch(
        / ago, 05\/02\/26 05:00 AM$/,
      );
    } finally {
      env().BACKUP_DIR = undefined;
      await rm(folder, { recursive: true });
    }
    const app = await composeService("app");
    expect(app).toMatch(/^ {6}BACKUP_DIR: \/backups$/m);
    expect(app).toMatch(/^ {6}- \$\{BACKUP_FOLDER:-\.\/backups\}:\/backups:ro$/m);
  });

  test("uses the same weeks as the time report, starting on Sunday like the calendar", () => {
    expect(weekOf("2026-11-22")).toEqual({ from: "2026-11-22", to: "2026-11-28" });
    expect(weekOf("2026-11-28", -1)).toEqual({ from: "2026-11-15", to: "2026-11-21" });
    expect(weekOf("2027-01-01")).toEqual({ from: "2026-12-27", to: "2027-01-02" });
  });

  test("opens for users without permissions, and shows them no data", async () => {
    const { userId, isNew, entered, movesIn, ...rest } = await loadHome(await makeUser([]));
    expect([isNew, entered, movesIn]).toEqual([false, [], false]);
    expect(Object.values(rest).every((part) => part === null)).toBe(true);
  });
});
