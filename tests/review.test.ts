import { once } from "node:events";
import { PassThrough } from "node:stream";
import { AppRouterContext } from "next/dist/shared/lib/app-router-context.shared-runtime";
import pg from "pg";
import { createElement } from "react";
import { renderToPipeableStream, renderToStaticMarkup } from "react-dom/server";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { openedAs, placeChanges, readForm } from "@/components/forms/reading";
import { ReadingView } from "@/components/forms/reading-view";
import { OpenReturns } from "@/components/forms/review/open-returns";
import { decryptDetails } from "@/lib/audit/values";
import { biographical, demographic } from "@/lib/clients/schema";
import type { SessionUser } from "@/lib/core/access/permissions";
import type { AuditAction } from "@/lib/core/api/audit-acts";
import { db, rows } from "@/lib/core/database/client";
import { blanksOf } from "@/lib/core/fields/shapes";
import { toWire } from "@/lib/core/fields/wire";
import { env } from "@/lib/core/process/env";
import { sql } from "@/lib/core/sql";
import { duration, today } from "@/lib/core/text/format";
import type { Form } from "@/lib/forms/api-schema";
import { openForm } from "@/lib/forms/open";
import {
  countReadable,
  formsWaiting,
  openReturns,
  readForms,
  returnedForms,
  reviewOf,
} from "@/lib/forms/review/reviews";
import { CHANGED_UNKNOWN } from "@/lib/forms/review/since-check";
import { formSchema } from "@/lib/forms/schema";
import { intake } from "@/lib/forms/sections/intake";
import { phone } from "@/lib/forms/sections/phone";
import { services } from "@/lib/forms/sections/services";
import { formTypes } from "@/prisma/seed-data";
import { runBlockedBy } from "@/tests/blocked";
import { type Answer, actorFor, call } from "@/tests/call";
import {
  formTypeId,
  fullForm,
  makeClient,
  makeForm,
  makeUser,
  minimalForm,
  type Person,
} from "@/tests/factories";
import { formListsOf } from "@/tests/form-lists";
import { makeGate } from "@/tests/gate";

// The rules of review.

let ada: Person;
let ben: Person;
let supervisor: Person;
let keeper: Person;

beforeAll(async () => {
  ada = await makeUser();
  ben = await makeUser();
  supervisor = await makeUser(["forms", "all-forms"]);
  keeper = await makeUser(["forms", "all-forms", "close-periods"]);
});

const NOBODY = 999_999;
const person = ({ id, firstName, lastName }: Person) => ({ id, firstName, lastName });

const get = async (id: number, as = ada): Promise<Form> =>
  (await call(as.cookie, "GET", `/api/forms/${id}`)).body.form;
const put = (id: number, form: object, as = ada) => call(as.cookie, "PUT", `/api/forms/${id}`, { form });
const reconcile = (id: number, as = supervisor, reconciled = true) =>
  call(as.cookie, "POST", `/api/forms/${id}/reconcile`, { reconciled });
const reconcileAll = (ids: number[], as = supervisor, reconciled = true) =>
  call(as.cookie, "POST", "/api/forms/reconcile", { ids, reconciled });
const returnForm = (id: number, comment: unknown = "Minutes of the hearing?", as = supervisor) =>
  call(as.cookie, "POST", `/api/forms/${id}/return`, { comment });
const review = (actor: SessionUser, id: number, from = "") => reviewOf(actor, id, openForm(actor, id), from);
/** Returns the body that a screen sends for a form it loaded. */
const asBody = (form: Form, changes: object = {}): Record<string, unknown> => ({
  ...toWire(formSchema, { ...form, lockVersion: undefined, ...changes }),
});

const UNRECONCILED = { reconciled: false, reconciledBy: null, reconciledAt: null };

/** Returns the values in a form's events that the clients' keys can decrypt, oldest first. */
async function decryptedEvents(formId: number, ...actions: AuditAction[]) {
  const events = await db().auditEvent.findMany({
    where: { entity: "form", entityId: formId, action: { in: actions } },
    orderBy: { id: "asc" },
  });
  const keys = await db().clientKey.findMany();
  return events.map(({ clientId, keyId, details }) => {
    const key = keys.find((one) => one.id === keyId && one.clientId === clientId);
    return {
      clientId,
      changes: (details && decryptDetails(details, keyId, key?.wrapped ?? null)?.changes) ?? [],
    };
  });
}

test("a form that its advocate changed after the reviewer read it is neither reconciled nor returned in that version", async () => {
  for (const [path, body] of [
    ["reconcile", { reconciled: true }],
    ["return", { comment: "Minutes of the hearing?" }],
  ] as const) {
    const read = await makeForm(ada);
    const changed = asBody(read, { serviceOn: "2026-03-05" });
    expect((await put(read.id, changed)).status).toBe(200);
    const url = `/api/forms/${read.id}/${path}`;
    const stale = await call(supervisor.cookie, "POST", url, { ...body, lockVersion: read.lockVersion });
    const message = `This record was changed by ${ada.firstName} ${ada.lastName} since you opened it`;
    expect([stale.status, stale.body.code, stale.body.error]).toEqual([409, "conflict_version", message]);
    const stored = await get(read.id);
    expect([stored.reconciled, stored.returned]).toEqual([false, null]);
    const { lockVersion } = stored;
    expect((await call(supervisor.cookie, "POST", url, { ...body, lockVersion })).status).toBe(200);
    // Their own acts since then are known to them: the screen may not have read them again yet.
    expect((await reconcile(read.id, supervisor, false)).status).toBe(200);
    expect((await call(supervisor.cookie, "POST", url, { ...body, lockVersion })).status).toBe(200);
  }
});

describe("a reconciled form", () => {
  test("shows who reconciled it and when, even after another user reconciles it again", async () => {
    const form = await makeForm(ada);
    expect(form).toMatchObject(UNRECONCILED);
    const { body } = await reconcile(form.id);
    expect(body.form).toMatchObject({ reconciled: true, reconciledBy: person(supervisor) });
    expect(Math.abs(Date.parse(body.form.reconciledAt) - Date.now())).toBeLessThan(3_600_000);
    const again = await reconcile(form.id, ada);
    expect(again.body.form).toMatchObject({
      reconciledBy: person(supervisor),
      reconciledAt: body.form.reconciledAt,
    });
    expect((await reconcile(form.id, ada, false)).body.form).toMatchObject(UNRECONCILED);
  });

  test.each(formTypes.map(({ name }) => name))(
    "of type %s stays reconciled when it is saved unchanged, and is unreconciled by any change",
    async (type) => {
      const { id: clientId } = await makeClient(ada);
      const { id } = await makeForm(ada, await fullForm(type, clientId), clientId);
      const changes: [string, (form: Form) => object][] = [
        ["the form itself", ({ verbalConfirmation }) => ({ verbalConfirmation: !verbalConfirmation })],
        ["a removed entry", () => ({ serviceStatus: "Served", serviceStatusEntry: null })],
      ];
      if (type !== "Survivor") {
        changes.push([
          "an entry",
          ({ intakeForm }) => ({ intakeForm: { ...intakeForm, referralSourceName: `${Math.random()}` } }),
        ]);
      } else {
        changes.push([
          "a list of choices",
          ({ intakeForm }) => ({
            intakeForm: {
              ...intakeForm,
              survivorEntry: { ...intakeForm?.survivorEntry, secondaryVictimizationIds: [] },
            },
          }),
        ]);
      }
      const rowsOf = (form: Form) => form.serviceEntry?.serviceProvidedEntries ?? [];
      if (rowsOf(await get(id)).length > 0) {
        changes.push(
          [
            "a row",
            (form) => ({
              serviceEntry: {
                ...form.serviceEntry,
                serviceProvidedEntries: rowsOf(form).map((row, index) => ({
                  ...row,
                  minutes: row.minutes + (index === 0 ? 1 : 0),
                })),
              },
            }),
          ],
          [
            "a removed row",
            (form) => ({
              serviceEntry: { ...form.serviceEntry, serviceProvidedEntries: rowsOf(form).slice(1) },
            }),
          ],
        );
      }
      for (const [what, change] of changes) {
        const { body } = await reconcile(id);
        const same = await put(id, asBody(body.form));
        expect(same.body.form, what).toMatchObject({ reconciled: true, reconciledBy: person(supervisor) });
        const changed = await put(id, asBody(same.body.form, change(same.body.form)));
        expect(changed.status, JSON.stringify(changed.body)).toBe(200);
        expect(changed.body.form, what).toMatchObject(UNRECONCILED);
      }
    },
  );

  test("stays reconciled when its choices are sent in another order", async () => {
    const { id: clientId } = await makeClient(ada);
    const { id } = await makeForm(ada, await fullForm("Survivor", clientId), clientId);
    await reconcile(id);
    const form = await get(id);
    const entry = form.intakeForm?.survivorEntry;
    const secondaryVictimizationIds = [...(entry?.secondaryVictimizationIds ?? [])].reverse();
    expect(secondaryVictimizationIds.length).toBeGreaterThan(1);
    const survivorEntry = { ...entry, secondaryVictimizationIds };
    const { body } = await put(id, asBody(form, { intakeForm: { ...form.intakeForm, survivorEntry } }));
    expect(body.form.reconciled).toBe(true);
  });

  test("loses only the name of the reviewer when that account is deleted", async () => {
    const leaver = await makeUser(["forms", "all-forms"]);
    const { id } = await makeForm(ada);
    await reconcile(id, leaver);
    await returnForm((await makeForm(ada)).id, "Please look again", leaver);
    await db().user.delete({ where: { id: leaver.id } });
    expect(await get(id)).toMatchObject({ reconciled: true, reconciledBy: null });
  });
});

describe("a returned form", () => {
  test("has the comment, the user and the time of the return, is unreconciled, and is found by its filter", async () => {
    const grace = await makeUser();
    const form = await makeForm(grace);
    await reconcile(form.id);
    const { status, body } = await returnForm(form.id, "  Minutes of the hearing?\nThank you. ");
    expect(status).toBe(200);
    expect(body.form).toMatchObject({
      ...UNRECONCILED,
      returned: { by: person(supervisor), comment: "Minutes of the hearing?\nThank you." },
      lockVersion: form.lockVersion + 2,
    });
    await makeForm(grace);
    const listed = await call(grace.cookie, "GET", "/api/forms?filters[returned]=true");
    expect(listed.body.forms.map(({ id }: Form) => id)).toEqual([form.id]);
    expect(listed.body.meta.totalCount).toBe(1);
    expect((await call(ben.cookie, "GET", "/api/forms?filters[returned]=true")).body.forms).toEqual([]);
    expect((await call(ada.cookie, "GET", "/api/forms?filters[returned]=no")).status).toBe(422);
  });

  test("counts as answered after a change by its advocate, but not by another user or by an unchanged save", async () => {
    const { id } = await makeForm(ada);
    const { returned } = (await returnForm(id)).body.form;
    const change = async (as: Person, verbalConfirmation: boolean) =>
      (await put(id, asBody(await get(id), { verbalConfirmation }), as)).body.form.returned;
    expect(await change(supervisor, false)).toEqual(returned);
    expect(await change(ada, false)).toEqual(returned);
    expect(await change(ada, true)).toBeNull();
  });

  test("counts as answered once it is reconciled, and can be returned again", async () => {
    const { id } = await makeForm(ada);
    await returnForm(id, "First");
    expect((await returnForm(id, "Second")).body.form.returned.comment).toBe("Second");
    expect((await reconcile(id)).body.form).toMatchObject({ reconciled: true, returned: null });
  });

  test("needs a comment of 1 to 2,000 characters, All Forms, and an existing form", async () => {
    const { id } = await makeForm(ada);
    for (const comment of ["", "   ", "x".repeat(2_001), null, 7]) {
      const { status, body } = await returnForm(id, comment);
      expect([status, Object.keys(body.fields)]).toEqual([422, ["comment"]]);
    }
    expect((await returnForm(id, "x".repeat(2_000))).status).toBe(200);
    expect((await returnForm(id, "x", ada)).body.code).toBe("forbidden");
    expect((await returnForm(id, "x", await makeUser(["all-forms"]))).body.code).toBe("forbidden");
    expect((await returnForm(NOBODY)).body.code).toBe("not_found");
  });
});

describe("forms reconciled in bulk", () => {
  test("are saved one by one, and each refused form states the reason", async () => {
    const mine = await makeForm(ada);
    const theirs = await makeForm(ben);
    const { status, body } = await reconcileAll([mine.id, theirs.id, NOBODY, mine.id], ada);
    expect(status).toBe(200);
    expect(body).toEqual({
      done: [mine.id],
      changed: [mine.id],
      failed: [theirs.id, NOBODY].map((id) => ({ id, error: "Not found", code: "not_found" })),
    });
    expect((await get(theirs.id, ben)).reconciled).toBe(false);
    expect((await reconcileAll([mine.id, theirs.id])).body).toEqual({
      done: [mine.id, theirs.id],
      changed: [theirs.id],
      failed: [],
    });
    // The one that was reconciled before keeps its reviewer.
    expect((await get(mine.id)).reconciledBy).toEqual(person(ada));
    expect((await reconcileAll([mine.id, theirs.id], supervisor, false)).body.done).toHaveLength(2);
    expect(await get(theirs.id, ben)).toMatchObject(UNRECONCILED);
  });

  const undo = async (ids: number[], reconciled: boolean, as = supervisor) =>
    (await call(as.cookie, "POST", "/api/forms/reconcile", { ids, reconciled, undo: true })).body;

  test("lose by Undo only what that call changed: an earlier review stays with its user and time", async () => {
    const checked = await makeForm(ada);
    const own = await makeForm(ada);
    const fresh = await makeForm(ada);
    const before = (await reconcile(checked.id, keeper)).body.form;
    const mine = (await reconcile(own.id)).body.form;
    const { body } = await reconcileAll([checked.id, own.id, fresh.id]);
    expect(body).toEqual({ done: [checked.id, own.id, fresh.id], changed: [fresh.id], failed: [] });
    expect(await undo(body.changed, false)).toEqual({ done: [fresh.id], changed: [fresh.id], failed: [] });
    expect(await get(checked.id)).toEqual(before);
    expect(await get(own.id)).toEqual(mine);
    expect(await get(fresh.id)).toMatchObject(UNRECONCILED);
  });

  test("regain by Undo the return that was ended, with its comment, user, time and later changes", async () => {
    const { id } = await makeForm(ada);
    const { returned } = (await returnForm(id, "Minutes of the hearing?", keeper)).body.form;
    await put(id, asBody(await get(id), { verbalConfirmation: false }), supervisor);
    const changedSince = async () => (await review(await actorFor(supervisor), id)).changed.changes;
    const changes = await changedSince();
    expect(changes).toHaveLength(1);
    const { body } = await reconcileAll([id]);
    expect((await get(id)).returned).toBeNull();
    await undo(body.changed, false);
    expect(await get(id)).toMatchObject({ ...UNRECONCILED, returned });
    expect((await returnedForms(await actorFor(ada))).forms).toContainEqual(
      expect.objectContaining({ id, comment: "Minutes of the hearing?" }),
    );
    expect(await changedSince()).toEqual(changes);
    expect((await decryptedEvents(id, "unreconciled")).map(({ changes }) => changes)).toEqual([
      [{ field: "form.returned", from: null, to: "Minutes of the hearing?" }],
    ]);
  });

  test("regain by Undo their reviewer and time if they were unreconciled", async () => {
    const { id } = await makeForm(ada);
    const { reconciledBy, reconciledAt } = (await reconcile(id, keeper)).body.form;
    const { body } = await reconcileAll([id], supervisor, false);
    await undo(body.changed, true);
    expect(await get(id)).toMatchObject({ reconciled: true, reconciledBy, reconciledAt });
  });

  test("cannot be undone after another review or change", async () => {
    const again = await makeForm(ada);
    const edited = await makeForm(ada);
    await reconcileAll([again.id]);
    await reconcile(again.id, keeper, false);
    const now = (await reconcile(again.id, keeper)).body.form;
    await reconcile(edited.id);
    await reconcileAll([edited.id], supervisor, false);
    await put(edited.id, asBody(await get(edited.id), { verbalConfirmation: false }));
    for (const [id, reconciled] of [
      [again.id, false],
      [edited.id, true],
    ] as const) {
      const { done, failed } = await undo([id], reconciled);
      expect(done).toEqual([]);
      expect(failed).toMatchObject([{ id, code: "conflict_version" }]);
    }
    expect(await get(again.id)).toEqual(now);
    expect((await get(edited.id)).reconciled).toBe(false);
  });

  test("are recorded one by one", async () => {
    const ids = [(await makeForm(ada)).id, (await makeForm(ada)).id];
    await reconcileAll(ids);
    const events = await db().auditEvent.findMany({
      where: { entity: "form", entityId: { in: ids }, action: "reconciled" },
    });
    expect(events.map(({ entityId, userId }) => [entityId, userId]).sort()).toEqual(
      ids.map((id) => [id, supervisor.id]),
    );
  });

  test("are refused by name if they changed since the reviewer read them, and stay as they are", async () => {
    const read = await makeForm(ada);
    const changed = await makeForm(ada);
    const lockVersions = { [read.id]: read.lockVersion, [changed.id]: changed.lockVersion };
    await put(changed.id, asBody(changed, { verbalConfirmation: !changed.verbalConfirmation }));
    const { body } = await call(supervisor.cookie, "POST", "/api/forms/reconcile", {
      ids: [read.id, changed.id],
      reconciled: true,
      lockVersions,
    });
    const error = `This record was changed by ${ada.firstName} ${ada.lastName} since you opened it`;
    expect(body).toEqual({
      done: [read.id],
      changed: [read.id],
      failed: [{ id: changed.id, error, code: "conflict_version" }],
    });
    expect((await get(changed.id)).reconciled).toBe(false);
  });

  test("are at least one and at most 500", async () => {
    for (const ids of [[], Array.from({ length: 501 }, (_, index) => index + 1)]) {
      const { status, body } = await reconcileAll(ids);
      expect([status, Object.keys(body.fields)]).toEqual([422, ["ids"]]);
    }
  });
});

describe("the audit trail", () => {
  test("records no event for a form that is already reconciled, whose version stays the same", async () => {
    const { id } = await makeForm(ada);
    const { body } = await reconcile(id);
    expect((await reconcile(id, keeper)).body.form).toEqual(body.form);
    expect(await decryptedEvents(id, "reconciled")).toHaveLength(1);
  });

  test("records that a change ended a reconciliation or a return, and the comment of a return", async () => {
    const { id, clientId } = await makeForm(ada);
    await reconcile(id);
    await put(id, asBody(await get(id), { verbalConfirmation: false }));
    await returnForm(id, "First");
    await returnForm(id, "Second");
    await put(id, asBody(await get(id), { verbalConfirmation: true }));
    expect(await decryptedEvents(id, "updated", "returned")).toEqual([
      {
        clientId,
        changes: [
          { field: "form.verbalConfirmation", from: true, to: false },
          { field: "form.reconciled", from: true, to: false },
        ],
      },
      { clientId, changes: [{ field: "form.returned", from: null, to: "First" }] },
      { clientId, changes: [{ field: "form.returned", from: "First", to: "Second" }] },
      {
        clientId,
        changes: [
          { field: "form.verbalConfirmation", from: false, to: true },
          { field: "form.returned", from: "Second", to: null },
        ],
      },
    ]);
  });

  test("records values of a form about its former client only under that client's key when it moves to another", async () => {
    const form = await makeForm(ada, { serviceOn: "2026-05-01" });
    const { id: clientId } = await makeClient(ada);
    await put(form.id, asBody(await get(form.id), { clientId, serviceOn: "2026-05-02" }));
    const events = await decryptedEvents(form.id, "updated");
    expect(events).toHaveLength(2);
    const [former, now] = [form.clientId, clientId].map((id) =>
      events.find((event) => event.clientId === id),
    );
    expect(former?.changes).toContainEqual({ field: "form.serviceOn", from: "2026-05-01", to: null });
    expect(now?.changes).toContainEqual({ field: "form.serviceOn", from: null, to: "2026-05-02" });
    expect(now?.changes.map(({ from }) => from)).toEqual(now?.changes.map(() => null));
  });
});

describe("an open form of a list", () => {
  test("knows the previous and next form in list order, even after it has left the list", async () => {
    const grace = await makeUser();
    const actor = await actorFor(grace);
    const forms: Form[] = [];
    for (const [serviceOn, type] of [
      ["2026-05-01", "Phone"],
      ["2026-05-03", "Service"],
      ["2026-05-03", "Phone"],
      ["2026-05-02", "Service"],
      ["2026-06-01", "Phone"],
    ] as const) {
      const { id: clientId } = await makeClient(grace);
      const sent = type === "Phone" ? await fullForm(type, clientId) : {};
      forms.push(await makeForm(grace, { ...sent, serviceOn, formTypeId: await formTypeId(type) }, clientId));
    }
    const listedIds = async (query: string): Promise<number[]> =>
      (await call(grace.cookie, "GET", `/api/forms?${query}`)).body.forms.map(({ id }: Form) => id);
    for (const query of [
      "",
      "sort=serviceOn&order=asc",
      "sort=formType&order=asc",
      "sort=formType&order=desc",
      "sort=client&order=desc",
      "sort=serviceStatus",
      "filters[to]=2026-05-31&sort=advocate",
      "filters[formStatus]=all&perPage=5",
    ]) {
      const ids = await listedIds(query);
      expect(ids.length).toBeGreaterThan(3);
      for (const [place, id] of ids.entries()) {
        const { previous, next } = await review(actor, id, query);
        expect([previous, next], query).toEqual([ids[place - 1] ?? null, ids[place + 1] ?? null]);
      }
    }
    const [first, second, third] = await listedIds("");
    const fromReport = "records=%2Freports%2Fpmt%2Fgaps%2Frace&row=1";
    expect(await review(actor, second ?? 0, fromReport)).toMatchObject({ previous: null, next: null });
    await reconcile(second ?? 0);
    const open = await review(actor, second ?? 0);
    expect([open.previous, open.next]).toEqual([first, third]);
    const [other] = await listedIds("");
    expect(other).toBe(first);
  });

  test("leads to no form of a colleague", async () => {
    const grace = await makeUser();
    const hedy = await makeUser();
    const [mine] = [await makeForm(grace, { serviceOn: "2026-07-02" })];
    await makeForm(hedy, { serviceOn: "2026-07-01" });
    await makeForm(hedy, { serviceOn: "2026-07-03" });
    const { previous, next } = await review(await actorFor(grace), mine.id);
    expect([previous, next]).toEqual([null, null]);
  });
});

test("a form's review is read together with the form, and is invisible to users who may not see the form", async () => {
  const { id } = await makeForm(ada);
  await returnForm(id);
  await put(id, asBody(await get(id), { serviceOn: "2026-03-05" }));
  const gate = makeGate();
  const readFor = async (who: Person) => {
    const actor = await actorFor(who);
    const query = vi.spyOn(pg.Client.prototype, "query");
    const reading = reviewOf(
      actor,
      id,
      gate.opened.then(() => openForm(actor, id)),
      "",
    ).catch(String);
    const texts = () =>
      query.mock.calls
        .map(([statement]) => String(Object(statement).text))
        .filter((text) => /closed_periods|form_checks/.test(text));
    return { reading, texts };
  };
  const mine = await readFor(supervisor);
  await expect
    .poll(mine.texts)
    .toEqual([expect.stringContaining("closed_periods"), expect.stringContaining("form_checks")]);
  vi.restoreAllMocks();
  const his = await readFor(ben);
  await expect.poll(his.texts).toHaveLength(2);
  gate.open();
  expect(await mine.reading).toMatchObject({ id, changed: { changes: [{ field: "form.serviceOn" }] } });
  expect(await his.reading).toContain("Not found");
  vi.restoreAllMocks();
});

test("several forms are read in the requested order, each recorded as viewed, without those of colleagues", async () => {
  const first = await makeForm(ada);
  const second = await makeForm(ada);
  const others = await makeForm(ben);
  await returnForm(first.id);
  await put(first.id, asBody(await get(first.id), { verbalConfirmation: !first.verbalConfirmation }));
  const ids = [second.id, others.id, first.id, NOBODY];
  const read = async (as: Person) => readForms(await actorFor(as), ids);
  const mine = await read(ada);
  expect(
    mine.map(({ form, client, mayReturn, refusal }) => [form.id, client.id, mayReturn, refusal]),
  ).toEqual([
    [second.id, second.clientId, false, ""],
    [first.id, first.clientId, false, ""],
  ]);
  expect(mine.map(({ changed }) => changed.changes.length)).toEqual([0, 1]);
  const refused = { action: "refused", entity: "form", userId: ada.id, entityId: { in: ids } };
  expect(await db().auditEvent.findMany({ where: refused })).toMatchObject([{ entityId: others.id }]);
  const all = await read(supervisor);
  expect(all.map(({ form, mayReturn }) => [form.id, mayReturn])).toEqual([
    [second.id, true],
    [others.id, true],
    [first.id, true],
  ]);
  const viewed = { action: "viewed", entity: "form", userId: supervisor.id, entityId: { in: ids } };
  expect(await db().auditEvent.count({ where: viewed })).toBe(3);
});

test("the forms that wait for a review are the unreconciled ones of open months, oldest first, without returns that nobody answered", async () => {
  const advocate = await makeUser(["forms"]);
  const made = async (serviceOn: string) => (await makeForm(advocate, { serviceOn })).id;
  const newer = await made("2026-02-02");
  const older = await made("2026-02-01");
  const closed = await made("2026-01-31");
  const reconciled = await made("2026-02-03");
  const returned = await made("2026-02-03");
  const answered = await made("2026-02-04");
  await reconcile(reconciled);
  for (const id of [returned, answered]) await returnForm(id);
  const reply = { text: "Forty minutes." };
  await call(advocate.cookie, "POST", `/api/forms/${answered}/comments`, reply);
  const made6 = [newer, older, closed, reconciled, returned, answered];
  const waiting = async (as: Person) =>
    (await formsWaiting(await actorFor(as))).ids.filter((id) => made6.includes(id));
  await db().closedPeriod.update({ where: { id: 1 }, data: { closedThrough: new Date("2026-01-31") } });
  expect(await waiting(supervisor)).toEqual([older, newer, answered]);
  expect(await waiting(advocate)).toEqual([older, newer]);
  expect(await waiting(ben)).toEqual([]);
  const allowed = vi.spyOn(env(), "ALLOW_OWN_RECONCILE", "get").mockReturnValue(false);
  expect(await waiting(advocate)).toEqual([]);
  expect(await waiting(supervisor)).toEqual([older, newer, answered]);
  allowed.mockRestore();
  await db().closedPeriod.update({ where: { id: 1 }, data: { closedThrough: null } });
  expect(await waiting(supervisor)).toEqual([closed, older, newer, answered]);
});

test("a reviewer sees what changed since a form was last reviewed, each field once", async () => {
  const { id } = await makeForm(ada);
  const actor = await actorFor(supervisor);
  const changedTexts = async () => (await review(actor, id)).changed.changes.map(({ text }) => text);
  await put(id, asBody(await get(id), { serviceOn: "2026-03-05" }));
  expect(await changedTexts()).toEqual([]);
  await reconcile(id);
  for (const serviceOn of ["2026-03-06", "2026-03-07"]) await put(id, asBody(await get(id), { serviceOn }));
  expect(await changedTexts()).toEqual(["Service On: 03/05/2026 → 03/07/2026"]);
  await put(id, asBody(await get(id), { serviceOn: "2026-03-05" }));
  expect(await changedTexts()).toEqual([]);
  await returnForm(id, "Which day?");
  await put(id, asBody(await get(id), { serviceOn: "2026-03-08" }));
  expect(await changedTexts()).toEqual(["Service On: 03/05/2026 → 03/08/2026"]);
});

describe("what changed since a check", () => {
  const rowsOf = (codeId: number, minutes: readonly number[], ids: readonly number[] = []) => ({
    serviceEntryAttributes: {
      serviceProvidedEntriesAttributes: minutes.map((spent, place) => ({
        ...(ids[place] !== undefined && { id: ids[place] }),
        serviceCodeId: codeId,
        minutes: spent,
      })),
    },
  });
  const change = async (id: number, values: object) => put(id, { ...asBody(await get(id)), ...values });
  const codeOf = async () =>
    (
      await db().serviceCode.findFirstOrThrow({
        where: { formTypes: { some: { formType: { name: "Service" } } } },
      })
    ).id;
  const idsIn = (form: Form) => form.serviceEntry?.serviceProvidedEntries.map(({ id }) => id) ?? [];
  const sentences = async (id: number) => (await review(await actorFor(supervisor), id)).changed;

  test("is found after more saves than a history shows on a page", async () => {
    const { id } = await makeForm(ada);
    await reconcile(id);
    await change(id, { serviceOn: "2026-03-06" });
    await rows(sql`INSERT INTO audit_events (user_id, user_name, action, entity, entity_id)
      SELECT ${ada.id}, 'Ada', 'updated', 'form', ${id} FROM generate_series(1, 505)`);
    expect((await sentences(id)).changes.map(({ text }) => text)).toEqual([
      "Service On: 03/04/2026 → 03/06/2026",
    ]);
  });

  test("belongs to its own row of two with one code, also after another row was removed", async () => {
    const code = await codeOf();
    const form = await makeForm(ada, rowsOf(code, [10, 20, 30]));
    const [, second, third] = idsIn(form);
    await reconcile(form.id);
    await change(form.id, rowsOf(code, [20, 35], [second ?? 0, third ?? 0]));
    const { changes } = await sentences(form.id);
    expect(changes.map(({ field, text, isRemoved }) => [field, text, isRemoved])).toEqual([
      [
        "form.serviceEntry.serviceProvidedEntries.0.serviceCodeId",
        expect.stringMatching(/^Removed .*10\u00a0min$/),
        true,
      ],
      [
        "form.serviceEntry.serviceProvidedEntries.1.minutes",
        expect.stringMatching(/: 30\u00a0min → 35\u00a0min$/),
        undefined,
      ],
    ]);
  });

  test("is read in output that grows with the form, and each change in the line of its row", async () => {
    const code = await codeOf();
    const count = 500;
    const form = await makeForm(ada, rowsOf(code, Array(count).fill(10)));
    await reconcile(form.id);
    await change(
      form.id,
      rowsOf(
        code,
        Array.from({ length: count }, (_, place) => 11 + place),
        idsIn(form),
      ),
    );
    const { form: read, client, changed } = (await readForms(await actorFor(supervisor), [form.id]))[0] ?? {};
    if (!read || !client || !changed) throw new Error("The form is not read");
    const opened = openedAs(read, client, formListsOf({ formTypes: [read.formType] }));
    const placed = placeChanges(
      readForm(opened.values, opened.rules),
      changed.changes,
      Object.keys(opened.values.form.serviceEntry.rows),
    );
    expect(placed.others).toEqual([]);
    expect([...placed.lines.values()].map((texts) => texts.length)).toEqual(Array(count).fill(1));
    expect([...placed.lines].map(([key, [text]]) => [key, text?.replace(/.*→ /, "")])).toEqual(
      idsIn(form).map((id, place) => [`s${id}`, duration(11 + place)]),
    );
    let html = "";
    let turns = 0;
    const sent = new PassThrough().setEncoding("utf8");
    sent.on("data", (chunk) => {
      html += chunk;
    });
    const onEachTurn = () => {
      turns += 1;
      if (!sent.readableEnded) setImmediate(onEachTurn);
    };
    renderToPipeableStream(createElement(ReadingView, { ...opened, changed })).pipe(sent);
    setImmediate(onEachTurn);
    await once(sent, "end");
    expect(html.length).toBeLessThan(10 * JSON.stringify(read).length);
    // Other requests are served after every 50 lines.
    expect(turns).toBeGreaterThanOrEqual(count / 50);
  });

  test("is on a page with other forms only as long as they have half a megabyte together", async () => {
    const forms = [await makeForm(ada), await makeForm(ada), await makeForm(ada), await makeForm(ada)];
    const ids = forms.map(({ id }) => id);
    const actor = await actorFor(supervisor);
    expect(await countReadable(actor, [])).toBe(0);
    expect(await countReadable(actor, ids)).toBe(4);
    const lengthen = (id: number | undefined, characters: number) =>
      rows(
        sql`INSERT INTO form_comments (form_id, user_id, text)
         SELECT ${id ?? 0}, ${supervisor.id}, repeat('a', 2000) FROM generate_series(1, ${characters / 2000})`,
      );
    await lengthen(ids[1], 200_000);
    await lengthen(ids[2], 400_000);
    expect(await countReadable(actor, ids)).toBe(2);
    expect(await countReadable(actor, ids.slice(2))).toBe(2);
    await lengthen(ids[2], 400_000);
    expect(await countReadable(actor, ids.slice(2))).toBe(1);
    // A form that the reader may not see has no size.
    expect(await countReadable(await actorFor(ben), ids)).toBe(4);
  });

  test("is what an undone check had checked", async () => {
    const { id } = await makeForm(ada);
    await reconcile(id);
    await change(id, { serviceOn: "2026-03-06" });
    await reconcile(id);
    expect((await sentences(id)).changes).toEqual([]);
    await call(supervisor.cookie, "POST", "/api/forms/reconcile", {
      ids: [id],
      reconciled: false,
      undo: true,
    });
    expect((await sentences(id)).changes.map(({ text }) => text)).toEqual([
      "Service On: 03/04/2026 → 03/06/2026",
    ]);
  });

  test("is called unknown where the copy of what was checked is gone", async () => {
    const { id } = await makeForm(ada);
    await reconcile(id);
    await change(id, { serviceOn: "2026-03-06" });
    await rows(sql`UPDATE form_checks SET content = NULL WHERE form_id = ${id}`);
    const changed = await sentences(id);
    expect(changed).toEqual({ changes: [], isUnknown: true });
    const [read] = await readForms(await actorFor(supervisor), [id]);
    if (!read) throw new Error("The form is not read");
    const opened = openedAs(read.form, read.client, formListsOf({ formTypes: [read.form.formType] }));
    expect(renderToStaticMarkup(createElement(ReadingView, { ...opened, changed }))).toContain(
      CHANGED_UNKNOWN,
    );
  });

  test("is no value of a client who is hidden from the reviewer or was removed", async () => {
    const hidden = await makeClient(ada);
    const other = await makeClient(ada);
    const form = await makeForm(ada, { intakeFormAttributes: { referralSourceName: "Secret" } }, hidden.id);
    await reconcile(form.id);
    await change(form.id, { clientId: other.id, intakeFormAttributes: { referralSourceName: "Known" } });
    expect(JSON.stringify(await sentences(form.id))).toContain("Secret");
    const actor = { ...(await actorFor(supervisor)), hiddenClients: [hidden.id] };
    const seen = JSON.stringify((await review(actor, form.id)).changed);
    expect(seen).toContain("Known");
    expect(seen).not.toContain("Secret");
    expect((await call(ada.cookie, "DELETE", `/api/clients/${hidden.id}`)).status).toBe(204);
    expect(await sentences(form.id)).toEqual({ changes: [], isUnknown: true });
    expect(
      JSON.stringify(await rows(sql`SELECT * FROM form_checks WHERE form_id = ${form.id}`)),
    ).not.toContain("Secret");
  });
});

describe("a save that changes nothing", () => {
  const stateOf = async (id: number) =>
    (
      await rows(
        sql`SELECT lock_version, updated_at::text, reconciled, returned_at::text, answered_to_id FROM forms WHERE id = ${id}`,
      )
    )[0];
  const actionsOn = async (entity: string, entityId: number) =>
    (await db().auditEvent.findMany({ where: { entity, entityId }, orderBy: { id: "asc" } })).map(
      ({ action }) => action,
    );
  /** Returns a body with a blank object in place of each missing part, as the screen sends it. */
  const withBlankParts = (form: Form) => {
    const flags = form.formType;
    return asBody({
      ...form,
      intakeForm: {
        ...blanksOf(intake.schema),
        phoneEntry: flags.phoneEntry ? blanksOf(phone.schema) : null,
        survivorEntry: null,
        legalAdvocacyEntry: null,
        onCallAdvocacyEntry: null,
        ...form.intakeForm,
      },
      serviceEntry: flags.serviceEntry
        ? { ...blanksOf(services.schema), serviceProvidedEntries: [], ...form.serviceEntry }
        : null,
    } as never);
  };

  test.each(["Service", "Phone"] as const)(
    "leaves a %s form without parts reconciled, its version and its time, and is recorded as viewed",
    async (name) => {
      const form = await makeForm(ada, { formTypeId: await formTypeId(name) });
      expect([form.intakeForm, form.serviceEntry]).toEqual([null, null]);
      await reconcile(form.id);
      const before = await stateOf(form.id);
      const saved = await put(form.id, withBlankParts(await get(form.id)));
      expect(saved.status).toBe(200);
      expect(saved.body.form).toMatchObject({ reconciled: true, intakeForm: null, serviceEntry: null });
      expect(await stateOf(form.id)).toEqual(before);
      expect(await actionsOn("form", form.id)).toEqual(["created", "reconciled", "viewed", "viewed"]);
      // And the other way: a blank part that is stored equals none.
      const blank = await makeForm(ada, {
        formTypeId: await formTypeId(name),
        ...withBlankParts(form),
        id: undefined,
        clientId: form.clientId,
      });
      await reconcile(blank.id);
      const again = await put(blank.id, {
        ...asBody(blank),
        intakeFormAttributes: null,
        serviceEntryAttributes: null,
      });
      expect(again.body.form.reconciled).toBe(true);
    },
  );

  test("does not end a return, and deletes the draft that it came from", async () => {
    const form = await makeForm(ada);
    await returnForm(form.id);
    const before = await stateOf(form.id);
    expect((await put(form.id, asBody(await get(form.id)))).body.form.returned).not.toBeNull();
    expect(await stateOf(form.id)).toEqual(before);
  });

  test("is still refused with an old version", async () => {
    const form = await makeForm(ada);
    await put(form.id, asBody(form, { serviceOn: "2026-03-06" }));
    expect((await put(form.id, { ...asBody(form), lockVersion: form.lockVersion })).status).toBe(409);
  });

  test("of a client writes neither a version nor a change, with blank entries in place of none", async () => {
    const client = await makeClient(ada);
    const state = async () =>
      (
        await rows(
          sql`SELECT lock_version, updated_at::text, updated_by_id FROM clients WHERE id = ${client.id}`,
        )
      )[0];
    const before = await state();
    const saved = await call(ben.cookie, "PUT", `/api/clients/${client.id}`, {
      client: {
        name: client.name,
        clientBiographicalEntryAttributes: blanksOf(biographical.schema),
        clientDemographicEntryAttributes: blanksOf(demographic.schema),
      },
    });
    expect(saved.body.client).toMatchObject({
      lockVersion: client.lockVersion,
      clientDemographicEntry: null,
    });
    expect(await state()).toEqual(before);
    expect(await actionsOn("client", client.id)).toEqual(["created", "viewed"]);
  });
});

test("returned forms are listed only for their advocate, longest waiting first, and only counted beyond 50", async () => {
  const grace = await makeUser();
  const first = await makeForm(grace);
  const second = await makeForm(grace);
  await returnForm(second.id, "Second");
  await returnForm(first.id, "First");
  const waiting = await returnedForms(await actorFor(grace));
  expect(waiting.total).toBe(2);
  expect(waiting.forms.map(({ id, comment }) => [id, comment])).toEqual([
    [second.id, "Second"],
    [first.id, "First"],
  ]);
  expect(waiting.forms[0]?.by).toContain(supervisor.lastName);
  expect(await returnedForms(await actorFor(supervisor))).toEqual({ forms: [], total: 0, waiting: 0 });

  await rows(
    sql`INSERT INTO forms (client_id, form_type_id, user_id, service_on, service_status, verbal_confirmation, updated_at,
       returned_at)
     SELECT client_id, form_type_id, user_id, service_on, service_status, verbal_confirmation, now(), now()
     FROM forms, generate_series(1, 50) WHERE id = ${first.id}`,
  );
  const { forms, total } = await returnedForms(await actorFor(grace));
  expect([forms.length, total]).toEqual([50, 52]);
});

test("a returned form waits for its advocate until they reply, and then is last among their returned forms", async () => {
  const grace = await makeUser();
  const first = await makeForm(grace);
  const second = await makeForm(grace);
  for (const { id } of [first, second]) await returnForm(id);
  const say = (as: Person, text: string) =>
    call(as.cookie, "POST", `/api/forms/${first.id}/comments`, { text });
  const listed = async () => {
    const { forms, total, waiting } = await returnedForms(await actorFor(grace));
    return {
      ids: forms.map(({ id }) => id),
      answered: forms.map(({ isAnswered }) => isAnswered),
      total,
      waiting,
    };
  };
  const open = async (clientId: number) =>
    (await openReturns(await actorFor(grace), clientId)).forms.map(({ id, comments }) => [
      id,
      comments.length,
    ]);
  expect(await open(first.clientId)).toEqual([[first.id, 1]]);
  await say(grace, "Done, the gender was missing");
  expect(await listed()).toEqual({
    ids: [second.id, first.id],
    answered: [false, true],
    total: 2,
    waiting: 1,
  });
  expect(await open(first.clientId)).toEqual([]);
  await say(supervisor, "And the age?");
  expect(await listed()).toEqual({
    ids: [first.id, second.id],
    answered: [false, false],
    total: 2,
    waiting: 2,
  });
  expect(await open(first.clientId)).toEqual([[first.id, 3]]);
  expect(await openReturns(await actorFor(supervisor), first.clientId)).toEqual({ forms: [], waiting: 0 });
});

test("a client's page shows at most 10 open returns, fewer if their comments are long, and counts all of them", async () => {
  const grace = await makeUser();
  const first = await makeForm(grace);
  await returnForm(first.id);
  const copies = await rows<{ id: number }>(
    sql`INSERT INTO forms (client_id, form_type_id, user_id, service_on, service_status, verbal_confirmation, updated_at,
       returned_at)
     SELECT client_id, form_type_id, user_id, service_on, service_status, verbal_confirmation, now(),
       returned_at + make_interval(secs => n) FROM forms, generate_series(1, 11) n WHERE id = ${first.id}
     RETURNING id`,
  );
  const shown = async () => {
    const { forms, waiting } = await openReturns(await actorFor(grace), first.clientId);
    return [forms.map(({ id }) => id), waiting];
  };
  const ids = [first.id, ...copies.map(({ id }) => id)];
  expect(await shown()).toEqual([ids.slice(0, 10), 12]);
  await rows(
    sql`INSERT INTO form_comments (form_id, user_id, text)
     SELECT ${ids[2] ?? 0}, ${supervisor.id}, repeat('a', 2000) FROM generate_series(1, 500)`,
  );
  expect(await shown()).toEqual([ids.slice(0, 3), 12]);
  const html = renderToStaticMarkup(
    createElement(
      AppRouterContext,
      // biome-ignore lint/suspicious/noExplicitAny: a link only needs that there is a router
      { value: {} as any },
      createElement(OpenReturns, {
        returns: await openReturns(await actorFor(grace), first.clientId),
        clientId: first.clientId,
        userId: grace.id,
        closed: null,
        from: "",
      }),
    ),
  );
  expect(html).toContain("12 forms of this client were returned to you. Shown, longest wait first: 3.");
});

test("screens do not let reviewers reconcile a waiting form with others, or advocates reconcile a form returned to them", async () => {
  const { id } = await makeForm(ada);
  const offered = async (as: Person) => {
    const actor = await actorFor(as);
    const [read] = await readForms(actor, [id]);
    return [(await review(actor, id)).mayReconcile, read?.refusal];
  };
  expect(await offered(ada)).toEqual([true, ""]);
  await returnForm(id);
  expect(await offered(ada)).toEqual([
    false,
    "This form was returned to you. Change it, or reply to the reviewer.",
  ]);
  // While the form waits, it is not reconciled together with others.
  const waits = `Returned to ${ada.firstName} ${ada.lastName}, who has not answered yet.`;
  expect(await offered(supervisor)).toEqual([true, waits]);
  await call(ada.cookie, "POST", `/api/forms/${id}/comments`, { text: "Done" });
  expect(await offered(supervisor)).toEqual([true, ""]);
  expect((await offered(ada))[0]).toBe(false);
  await put(id, asBody(await get(id), { verbalConfirmation: false }));
  await put(id, asBody(await get(id), { verbalConfirmation: true }));
  expect(await offered(ada)).toEqual([true, ""]);
});

test("with ALLOW_OWN_RECONCILE=false users cannot reconcile their own forms", async () => {
  const allowed = vi.spyOn(env(), "ALLOW_OWN_RECONCILE", "get");
  allowed.mockReturnValue(false);
  try {
    const own = await makeForm(supervisor);
    const other = await makeForm(ada);
    expect((await reconcile(own.id)).body).toMatchObject({ code: "forbidden" });
    const { body } = await reconcileAll([own.id, other.id]);
    expect(body.done).toEqual([other.id]);
    expect(body.failed).toMatchObject([{ id: own.id, code: "forbidden" }]);
    const [read] = await readForms(await actorFor(supervisor), [own.id]);
    expect(read?.refusal).toBe("Someone else must reconcile your own forms.");
    expect((await reconcile(own.id, keeper)).status).toBe(200);
    expect((await reconcile(own.id, supervisor, false)).status).toBe(200);
  } finally {
    allowed.mockRestore();
  }
});

describe("a closed period", () => {
  const close = (closedThrough: unknown, as = keeper) =>
    call(as.cookie, "PUT", "/api/closed_periods", { closedThrough });

  test("keeps its forms unchanged, even for administrators, until it is reopened", async () => {
    const form = await makeForm(ada, { serviceOn: "2026-03-31" });
    const later = await makeForm(ada, { serviceOn: "2026-04-01" });
    const body = minimalForm(form.clientId, await formTypeId("Service"));
    const bodyWith = (serviceOn: string) => ({ ...body, serviceOn });
    expect((await close("03/31/2026")).body).toEqual({ closedThrough: "2026-03-31" });
    expect((await call(ben.cookie, "GET", "/api/closed_periods")).body).toEqual({
      closedThrough: "2026-03-31",
    });
    try {
      const refusals = [
        await call(ada.cookie, "POST", "/api/forms", { form: bodyWith("2026-03-31") }),
        await put(form.id, bodyWith("2026-03-31")),
        await put(form.id, bodyWith("2026-04-01"), keeper),
        await put(later.id, bodyWith("2026-03-31")),
        await call(ada.cookie, "DELETE", `/api/forms/${form.id}`),
        await reconcile(form.id, keeper),
        await returnForm(form.id, "Late", keeper),
      ];
      expect(refusals.map(({ status, body }) => `${status} ${body.code}`)).toEqual(
        refusals.map(() => "409 period_closed"),
      );
      expect(refusals[0]?.body.error).toContain("March 2026");
      expect((await reconcileAll([form.id, later.id])).body).toMatchObject({
        done: [later.id],
        failed: [{ id: form.id, code: "period_closed" }],
      });
      expect(await get(form.id)).toEqual(form);
      expect((await put(later.id, bodyWith("2026-04-02"))).status).toBe(200);
      // The client record is not part of the closed period.
      const renamed = { client: { name: "Renamed" } };
      expect((await call(ada.cookie, "PUT", `/api/clients/${form.clientId}`, renamed)).status).toBe(200);
    } finally {
      expect((await close(null)).body).toEqual({ closedThrough: null });
    }
    expect((await put(form.id, bodyWith("2026-03-30"))).status).toBe(200);
  });

  const CLOSING = "UPDATE closed_periods SET closed_through = '2026-03-31'";
  const reopenAfter = (text: string, request: () => Promise<Answer>) =>
    runBlockedBy(text, request).finally(async () => expect((await close(null)).status).toBe(200));

  test.each<[string, (form: Form) => Promise<Answer>]>([
    [
      "made",
      ({ clientId, formTypeId, serviceOn }) =>
        call(ada.cookie, "POST", "/api/forms", { form: { ...minimalForm(clientId, formTypeId), serviceOn } }),
    ],
    [
      "changed",
      ({ id, clientId, formTypeId, serviceOn }) =>
        put(id, { ...minimalForm(clientId, formTypeId), serviceOn, verbalConfirmation: false }),
    ],
    ["removed", ({ id }) => call(ada.cookie, "DELETE", `/api/forms/${id}`)],
    ["reconciled", ({ id }) => reconcile(id)],
    ["returned", ({ id }) => returnForm(id)],
    ["unreconciled", ({ id }) => reconcile(id, supervisor, false)],
  ])("prevents its forms from being %s by a request that began before it was closed", async (_, request) => {
    const form = await makeForm(ada, { serviceOn: "2026-03-31" });
    const { status, body } = await reopenAfter(CLOSING, () => request(form));
    expect([status, body?.code]).toEqual([409, "period_closed"]);
    expect(await get(form.id)).toEqual(form);
  });

  test("prevents its forms from being reconciled in bulk by a request that began before it was closed", async () => {
    const closed = await makeForm(ada, { serviceOn: "2026-03-31" });
    const open = await makeForm(ada, { serviceOn: "2026-04-01" });
    const { body } = await reopenAfter(CLOSING, () => reconcileAll([closed.id, open.id]));
    expect(body).toMatchObject({
      done: [open.id],
      changed: [open.id],
      failed: [{ id: closed.id, code: "period_closed" }],
    });
    expect(await get(closed.id)).toEqual(closed);
  });

  test("prevents a review from being undone", async () => {
    const form = await makeForm(ada, { serviceOn: "2026-03-31" });
    await reconcile(form.id);
    const reconciled = await get(form.id);
    await close("2026-03-31");
    try {
      const undo = { ids: [form.id], reconciled: false, undo: true };
      expect((await call(supervisor.cookie, "POST", "/api/forms/reconcile", undo)).body).toMatchObject({
        done: [],
        failed: [{ id: form.id, code: "period_closed" }],
      });
    } finally {
      await close(null);
    }
    expect(await get(form.id)).toEqual(reconciled);
  });

  test("refuses a form from a draft, and keeps the draft so that it can be sent with another day", async () => {
    const form = await makeForm(ada, { serviceOn: "2026-04-01" });
    const bodyWith = (serviceOn: string) => ({ ...minimalForm(form.clientId, form.formTypeId), serviceOn });
    const draftOf = (key: string) => `/api/drafts/${key}`;
    const keys = { "closed-new": null, "closed-edit": form.id };
    for (const [key, formId] of Object.entries(keys))
      await call(ada.cookie, "PUT", draftOf(key), { draft: { formId, content: { form: { note: key } } } });
    const submit = (key: keyof typeof keys, serviceOn: string) => {
      const [method, url] = keys[key]
        ? (["PUT", `/api/forms/${form.id}`] as const)
        : (["POST", "/api/forms"] as const);
      const headers = { "draft-key": key, ...(keys[key] ? {} : { "idempotency-key": key }) };
      return call(ada.cookie, method, url, { form: bodyWith(serviceOn) }, { headers });
    };
    await close("2026-03-31");
    try {
      for (const key of ["closed-new", "closed-edit"] as const) {
        const refused = await submit(key, "2026-03-31");
        expect([refused.status, refused.body.code], key).toEqual([409, "period_closed"]);
        const kept = await call(ada.cookie, "GET", draftOf(key));
        expect(kept.body.draft.content, key).toEqual({ form: { note: key } });
        expect((await submit(key, "2026-04-02")).status, key).toBe(keys[key] ? 200 : 201);
        expect((await call(ada.cookie, "GET", draftOf(key))).status, key).toBe(404);
      }
    } finally {
      await close(null);
    }
  });

  test("keeps a form that was moved into it during its deletion", async () => {
    const form = await makeForm(ada, { serviceOn: "2026-04-01" });
    await close("2026-03-31");
    const { status, body } = await reopenAfter(
      `UPDATE forms SET service_on = '2026-03-31', lock_version = 1 WHERE id = ${form.id}`,
      () => call(ada.cookie, "DELETE", `/api/forms/${form.id}`),
    );
    expect([status, body?.code]).toEqual([409, "period_closed"]);
  });

  test("ends before today, can be set only by holders of Close Periods, and each change is recorded", async () => {
    for (const day of [today(), "2999-01-01", "yesterday", "02/30/2026", 7, undefined]) {
      const { status, body } = await close(day);
      expect([status, Object.keys(body.fields)]).toEqual([422, ["closedThrough"]]);
    }
    expect((await close("2020-01-01", supervisor)).status).toBe(403);
    expect((await close("2020-01-01")).status).toBe(200);
    expect((await close(null)).status).toBe(200);
    const events = await db().auditEvent.findMany({
      where: { entity: "closedPeriods", userId: keeper.id },
      orderBy: { id: "desc" },
      take: 2,
    });
    const changes = events.map(
      ({ details, keyId }) => decryptDetails(details ?? Buffer.of(), keyId, null)?.changes,
    );
    expect(changes).toEqual([
      [{ field: "closedThrough", from: "2020-01-01", to: null }],
      [{ field: "closedThrough", from: null, to: "2020-01-01" }],
    ]);
  });
});
