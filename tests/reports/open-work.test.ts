import { afterEach, beforeAll, expect, test } from "vitest";
import { db } from "@/lib/core/database/client";
import { call } from "@/tests/call";
import { formTypeId, makeClient, makeForm, makeUser, type Person } from "@/tests/factories";
import { addForm } from "./world";

// The numbers that a user sees before closing months.

let advocate: Person;
let director: Person;
beforeAll(async () => {
  advocate = await makeUser(["forms", "clients"]);
  director = await makeUser(["forms", "clients", "all-forms", "reports", "close-periods"]);
});
afterEach(() => db().closedPeriod.update({ where: { id: 1 }, data: { closedThrough: null } }));

const openWork = async (by: Person, through: string) =>
  (await call(by.cookie, "GET", `/api/closed_periods/open_work?through=${through}`)).body.openWork;
const close = (closedThrough: string) =>
  call(director.cookie, "PUT", "/api/closed_periods", { closedThrough });

/** Stores a draft of a form, or of a new form on a day. */
async function draft(
  by: Person,
  key: string,
  serviceOn: string,
  formId: number | null = null,
  clientId?: number,
) {
  const formTypeId_ = await formTypeId("Service");
  const content = { clientId: clientId ?? null, form: { formTypeId: formTypeId_, serviceOn } };
  const { status } = await call(by.cookie, "PUT", `/api/drafts/${key}`, { draft: { formId, content } });
  expect(status).toBe(200);
}

test("unreconciled and returned forms, drafts, and gaps are counted in the days that would be closed", async () => {
  await addForm(advocate, (await makeClient(advocate)).id, "2011-01-15", [["CRISIS", 30]]);
  const second = await makeForm(advocate, { serviceOn: "2011-02-15" });
  const third = await makeForm(advocate, { serviceOn: "2011-02-28" });
  const later = await makeForm(advocate, { serviceOn: "2011-03-01" });
  await call(director.cookie, "POST", `/api/forms/${second.id}/reconcile`, { reconciled: true });
  await call(director.cookie, "POST", `/api/forms/${third.id}/return`, { comment: "Minutes?" });
  await draft(advocate, "new-1", "2011-02-20");
  await draft(advocate, "new-2", "2011-03-20");
  await draft(advocate, "form-1", "2011-02-15", second.id);
  // Its day moves into the closed days.
  await draft(director, "form-2", "2011-02-27", later.id);

  const counted = await openWork(director, "2011-02-28");
  expect(counted).toMatchObject({
    from: "2011-01-15",
    unreconciled: 2,
    returned: 1,
    drafts: 3,
    ownDrafts: 1,
  });
  for (const { report, count } of counted.gaps) {
    const { body } = await call(
      director.cookie,
      "GET",
      `/api/reports/${report}/gaps?from=2011-01-15&to=2011-02-28`,
    );
    const gaps = body.gaps.filter(
      ({ clients, forms }: { clients: []; forms: [] }) => clients.length + forms.length > 0,
    );
    expect([report, count]).toEqual([report, gaps.length]);
  }
  expect(counted.gaps.map(({ report }: { report: string }) => report)).toEqual(["pmt", "pccd", "fvpsa"]);
  expect(counted.gaps[0].count).toBeGreaterThan(0);

  await close("2011-01-31");
  expect(await openWork(director, "2011-02-28")).toMatchObject({
    from: "2011-02-01",
    unreconciled: 1,
    returned: 1,
    drafts: 3,
  });
  await close("2011-02-28");
  expect(await openWork(director, "2011-03-31")).toMatchObject({
    from: "2011-03-01",
    unreconciled: 1,
    drafts: 2,
  });
});

test("nothing is counted if someone has closed these days, or later ones, in the meantime", async () => {
  await makeForm(advocate, { serviceOn: "2013-01-15" });
  await close("2013-03-31");
  for (const through of ["2013-01-31", "2013-03-31"]) {
    const { gaps, ...counts } = await openWork(director, through);
    expect(counts).toEqual({
      from: through,
      userId: null,
      unreconciled: 0,
      returned: 0,
      drafts: 0,
      ownDrafts: 0,
    });
    expect(gaps.map(({ count }: { count: number }) => count)).toEqual([0, 0, 0]);
  }
});

test("gaps are those of the user's own records without All Forms, and the response says so", async () => {
  const own = await makeUser(["forms", "clients", "reports", "close-periods"]);
  await makeForm(own, { serviceOn: "2014-01-15" });
  const { userId, gaps } = await openWork(own, "2014-01-31");
  expect([userId, gaps.length]).toEqual([own.id, 3]);
  expect((await openWork(director, "2014-01-31")).userId).toBeNull();
});

test("what the user may not see is not counted", async () => {
  const own = await makeUser(["forms", "close-periods"]);
  const hidden = await makeUser(["forms", "clients", "all-forms", "close-periods"]);
  const keeper = await makeUser(["forms", "clients", "all-forms", "restrict-clients"]);
  const { id: clientId } = await makeClient(advocate);
  const form = await makeForm(advocate, { serviceOn: "2012-01-15" }, clientId);
  await makeForm(own, { serviceOn: "2012-01-16" });
  await draft(advocate, "new-hidden", "2012-01-15", null, clientId);
  await draft(advocate, "form-hidden", "2012-01-15", form.id);
  expect(await openWork(hidden, "2012-01-31")).toMatchObject({ gaps: null, drafts: expect.any(Number) });
  const before = await openWork(hidden, "2012-01-31");
  const { status } = await call(keeper.cookie, "PUT", `/api/clients/${clientId}/restrictions`, {
    userIds: [hidden.id],
  });
  expect(status).toBe(200);
  const after = await openWork(hidden, "2012-01-31");
  expect([before.unreconciled - after.unreconciled, before.drafts - after.drafts]).toEqual([1, 2]);
  // Without All Forms, only their own.
  expect(await openWork(own, "2012-01-31")).toMatchObject({ from: "2012-01-16", unreconciled: 1, drafts: 0 });
  expect(
    (await call(advocate.cookie, "GET", "/api/closed_periods/open_work?through=2012-01-31")).status,
  ).toBe(403);
  expect(
    (await call(director.cookie, "GET", "/api/closed_periods/open_work?through=soon")).body.fields,
  ).toEqual({
    through: expect.stringContaining("must be a date"),
  });
});
