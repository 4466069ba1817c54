import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { db } from "@/lib/database/client";
import { today } from "@/lib/fields/format";
import { homeOf } from "@/lib/home/data";
import { weekOf } from "@/lib/reports/periods";
import { backupFolder } from "@/lib/server/backup-files";
import { env } from "@/lib/server/env";
import { actorFor, call } from "@/tests/call";
import { fullForm, makeClient, makeForm, makeUser, type Person } from "@/tests/factories";

// What a person begins with (contract §9).

let ada: Person;
let ben: Person;
let supervisor: Person;

beforeAll(async () => {
  ada = await makeUser();
  ben = await makeUser();
  supervisor = await makeUser(["forms", "all-forms"]);
});

const home = async (person: Person) => homeOf(await actorFor(person));

describe("home", () => {
  test("shows an advocate their own minutes of the week, newest clients, drafts and returned forms, and nobody else's", async () => {
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

    const mine = await home(ada);
    expect(mine.week).toHaveLength(7);
    expect(mine.week?.[0]?.on).toBe(weekOf(today()).from);
    expect(mine.week?.filter((day) => day.minutes > 0)).toEqual([{ on: today(), minutes }]);
    expect(mine.clients?.map(({ name }) => name)).toEqual(["Ada's client"]);
    expect(mine.returned).toMatchObject({ forms: [{ id: form.id, comment: "Really?" }], total: 1 });
    expect(mine.drafts).toBe(1);
    expect([mine.waiting, mine.administration]).toEqual([null, null]);

    const others = await home(ben);
    expect(others).toMatchObject({ clients: [], returned: { forms: [], total: 0 }, drafts: 0 });
    expect(others.week?.every((day) => day.minutes === 0)).toBe(true);
  });

  test("tells reviewers how many forms wait and since when, by advocate, as their lists count them", async () => {
    await makeForm(ben, { serviceOn: "2026-01-02" });
    await makeForm(ben, { serviceOn: "2026-01-05" });
    const { waiting } = await home(supervisor);
    for (const advocate of waiting ?? []) {
      const listed = await call(supervisor.cookie, "GET", `/api/forms?filters[userId]=${advocate.id}`);
      expect(listed.body.meta.totalCount).toBe(advocate.forms);
    }
    expect(waiting?.find(({ id }) => id === ben.id)).toMatchObject({ forms: 2, oldest: "2026-01-02" });
  });

  test("tells administrators of invitations not taken up and mail that failed", async () => {
    const administrator = await makeUser(["users"]);
    const before = (await home(administrator)).administration;
    const { id } = await makeUser();
    await db().user.update({ where: { id }, data: { activatedAt: null } });
    const after = await home(administrator);
    expect(after.administration).toEqual({ ...before, invited: (before?.invited ?? 0) + 1 });
    expect([after.returned, after.drafts, after.week, after.clients, after.waiting]).toEqual(
      Array.from({ length: 5 }, () => null),
    );
  });

  test("tells administrators of the newest whole backup, encrypted or not", async () => {
    const administrator = await makeUser(["users"]);
    const folder = backupFolder(env().DATA_DIR);
    await mkdir(folder, { recursive: true });
    const lastBackup = async () => (await home(administrator)).administration?.lastBackup;
    for (const [name, shown] of [
      ["casebook-2026-05-01T120000Z.gz", "05/01/26 05:00 AM"],
      ["casebook-2026-05-02T120000Z.backup", "05/02/26 05:00 AM"],
      ["casebook-2026-05-03T120000Z.backup.unfinished", "05/02/26 05:00 AM"],
    ] as const) {
      await writeFile(path.join(folder, name), "");
      expect(await lastBackup(), name).toBe(shown);
    }
    await rm(folder, { recursive: true });
    expect(await lastBackup()).toBe("");
  });

  test("has the same weeks as the time report: from Sunday on, like the calendar", () => {
    expect(weekOf("2026-11-22")).toEqual({ from: "2026-11-22", to: "2026-11-28" });
    expect(weekOf("2026-11-28", -1)).toEqual({ from: "2026-11-15", to: "2026-11-21" });
    expect(weekOf("2027-01-01")).toEqual({ from: "2026-12-27", to: "2027-01-02" });
  });

  test("opens for those who hold nothing, and tells them nothing", async () => {
    const { userId, ...rest } = await home(await makeUser([]));
    expect(Object.values(rest).every((part) => part === null)).toBe(true);
  });
});
