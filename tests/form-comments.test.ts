import { beforeAll, describe, expect, test } from "vitest";
import { decryptDetails } from "@/lib/audit/values";
import { permissionKeys } from "@/lib/core/access/permissions";
import { db, rows } from "@/lib/core/database/client";
import { toWire } from "@/lib/core/fields/wire";
import { maskBody } from "@/lib/core/process/error-mask";
import { sql } from "@/lib/core/sql";
import type { Form, FormComment } from "@/lib/forms/api-schema";
import { openForm } from "@/lib/forms/open";
import { reviewOf } from "@/lib/forms/review/reviews";
import { commentBody } from "@/lib/forms/review/schema";
import { formSchema } from "@/lib/forms/schema";
import { homeOf } from "@/lib/home/home";
import { exportArchive } from "@/lib/transfer/archive/archive";
import { runBlockedBy } from "@/tests/blocked";
import { actorFor, call } from "@/tests/call";
import { makeClient, makeForm, makeUser, type Person } from "@/tests/factories";
import { filesIn } from "@/tests/zip";

// The conversation about a form, and the forms that were answered after a return.

let ada: Person;
let ben: Person;
let supervisor: Person;
let other: Person;
let admin: Person;

beforeAll(async () => {
  ada = await makeUser(["forms", "clients"]);
  ben = await makeUser(["forms", "clients"]);
  supervisor = await makeUser(["forms", "all-forms"]);
  other = await makeUser(["forms", "all-forms"]);
  admin = await makeUser(permissionKeys);
});

const NOBODY = 999_999;
const person = ({ id, firstName, lastName }: Person) => ({ id, firstName, lastName });

const get = async (id: number, as = ada): Promise<Form> =>
  (await call(as.cookie, "GET", `/api/forms/${id}`)).body.form;
const comment = (id: number, text: unknown = "Done, the date was wrong", as = ada, headers = {}) =>
  call(as.cookie, "POST", `/api/forms/${id}/comments`, { text }, { headers });
const returnForm = (id: number, text = "Which code?", as = supervisor) =>
  call(as.cookie, "POST", `/api/forms/${id}/return`, { comment: text });
const reconcile = (id: number, as = supervisor, reconciled = true) =>
  call(as.cookie, "POST", `/api/forms/${id}/reconcile`, { reconciled });
const reconcileMany = (ids: number[], reconciled: boolean, undo = false) =>
  call(supervisor.cookie, "POST", "/api/forms/reconcile", { ids, reconciled, undo });
/** Saves the form as its screen does, with a change. */
async function change(id: number, as = ada) {
  const form = await get(id, as);
  const changed = { ...form, verbalConfirmation: !form.verbalConfirmation };
  return call(as.cookie, "PUT", `/api/forms/${id}`, { form: toWire(formSchema, changed) });
}
const texts = ({ comments }: Pick<Form, "comments">) => comments.map(({ text }) => text);

describe("a comment", () => {
  test("is stored with its author and time, and is in every response with the form, oldest first", async () => {
    const form = await makeForm(ada);
    expect(form.comments).toEqual([]);
    await returnForm(form.id, "Which code?");
    const { status, body } = await comment(form.id, "  Done,\nthe date was wrong ");
    expect(status).toBe(201);
    expect(body.comment).toMatchObject({ by: person(ada), text: "Done,\nthe date was wrong" });
    expect(Math.abs(Date.parse(body.comment.at) - Date.now())).toBeLessThan(3_600_000);
    const { comments } = await get(form.id);
    expect(comments).toMatchObject([{ by: person(supervisor), text: "Which code?" }, body.comment]);
    expect((await change(form.id)).body.form.comments).toEqual(comments);
    expect((await reconcile(form.id)).body.form.comments).toEqual(comments);
    expect(texts((await returnForm(form.id, "And the minutes?")).body.form)).toEqual([
      "Which code?",
      "Done,\nthe date was wrong",
      "And the minutes?",
    ]);
  });

  test.each<[string, () => Person, number]>([
    ["its advocate", () => ada, 201],
    ["a holder of All Forms", () => supervisor, 201],
    ["a colleague without All Forms", () => ben, 404],
  ])("is added by %s or refused like any form that is not visible", async (_, as, status) => {
    const { id } = await makeForm(ada);
    expect((await comment(id, "Text", as())).status).toBe(status);
    expect(await get(id)).toMatchObject({ comments: status === 201 ? [{ text: "Text" }] : [] });
  });

  test.each<[string, unknown]>([
    ["empty", ""],
    ["blank", " \n "],
    ["of 2,001 characters", "x".repeat(2_001)],
    ["missing", undefined],
    ["null", null],
    ["a number", 7],
  ])("that is %s is refused and names `text`", async (_, text) => {
    const { id } = await makeForm(ada);
    const { status, body } = await call(ada.cookie, "POST", `/api/forms/${id}/comments`, { text });
    expect([status, Object.keys(body.fields)]).toEqual([422, ["text"]]);
    expect((await get(id)).comments).toEqual([]);
  });

  test("is refused to an author of 500 on the form, but not to another, and no return is refused", async () => {
    const { id } = await makeForm(ada);
    for (const { id: author } of [ada, supervisor])
      await rows(sql`INSERT INTO form_comments (form_id, user_id, at, text)
        SELECT ${id}, ${author}, now(), 'Earlier' FROM generate_series(1, 499)`);
    expect((await comment(id)).status).toBe(201);
    const refused = await comment(id);
    expect([refused.status, refused.body.fields]).toEqual([
      422,
      { text: "You already have 500 comments on this form, and can add no more" },
    ]);
    for (const text of ["Fix the date", "Still wrong"]) {
      expect((await returnForm(id, text)).status).toBe(200);
      expect((await get(id)).returned?.comment).toBe(text);
    }
    expect((await comment(id, "x", supervisor)).body.fields.text).toContain("500 comments");
    expect((await get(id)).comments.at(-1)).toMatchObject({ by: person(supervisor), text: "Still wrong" });
  });

  test("may have 2,000 characters, needs Forms, and a form that exists", async () => {
    const { id } = await makeForm(ada);
    expect((await comment(id, "x".repeat(2_000))).status).toBe(201);
    expect((await comment(id, "x", await makeUser(["all-forms"]))).body.code).toBe("forbidden");
    expect((await comment(NOBODY)).body.code).toBe("not_found");
  });

  test("is refused for a form whose client is hidden from the reader, and recorded as refused", async () => {
    const form = await makeForm(ada);
    const restrict = { userIds: [ada.id] };
    const url = `/api/clients/${form.clientId}/restrictions`;
    expect((await call(admin.cookie, "PUT", url, restrict)).status).toBe(200);
    const { status, body } = await comment(form.id);
    expect([status, body.code]).toEqual([404, "not_found"]);
    expect(
      await db().auditEvent.count({ where: { action: "refused", userId: ada.id, entityId: form.id } }),
    ).toBe(1);
  });

  test("changes neither the form's version nor its review, so that a save of an open form goes through", async () => {
    const { id } = await makeForm(ada);
    await reconcile(id);
    const opened = await get(id);
    await comment(id, "One more thing", supervisor);
    expect(await get(id)).toEqual({ ...opened, comments: [expect.anything()] });
    const changed = { ...toWire(formSchema, { ...opened, verbalConfirmation: !opened.verbalConfirmation }) };
    expect((await call(ada.cookie, "PUT", `/api/forms/${id}`, { form: changed })).status).toBe(200);
    expect((await get(id)).comments).toHaveLength(1);
  });

  test("next to a save and another comment at the same moment is stored like both of them", async () => {
    const { id } = await makeForm(ada);
    await returnForm(id, "First");
    const opened = await get(id);
    const changed = { ...toWire(formSchema, { ...opened, verbalConfirmation: !opened.verbalConfirmation }) };
    const answers = await Promise.all([
      comment(id, "Ada"),
      call(ada.cookie, "PUT", `/api/forms/${id}`, { form: changed }),
      comment(id, "Supervisor", supervisor),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 201]);
    const after = await get(id);
    expect(after).toMatchObject({ returned: null, lockVersion: opened.lockVersion + 1 });
    expect(texts(after).sort()).toEqual(["Ada", "First", "Supervisor"]);
    const times = after.comments.map(({ at }) => at);
    expect(times).toEqual([...times].sort());
    expect(await answeredIds(supervisor)).toContain(id);
  });

  test("is refused in a closed period, also if the period is closed while it is being sent", async () => {
    const close = (day: string | null) =>
      call(admin.cookie, "PUT", "/api/closed_periods", { closedThrough: day });
    const { id } = await makeForm(ada, { serviceOn: "2026-03-31" });
    try {
      const closing = "UPDATE closed_periods SET closed_through = '2026-03-31'";
      const during = await runBlockedBy(closing, () => comment(id));
      const after = await comment(id, "Later", supervisor);
      expect([during, after].map(({ status, body }) => [status, body.code])).toEqual([
        [409, "period_closed"],
        [409, "period_closed"],
      ]);
    } finally {
      await close(null);
    }
    expect((await get(id)).comments).toEqual([]);
  });

  test("keeps its text when its author's account is deleted, and is deleted with the form", async () => {
    const leaver = await makeUser(["forms", "all-forms"]);
    const { id } = await makeForm(ada);
    await comment(id, "From a leaver", leaver);
    await db().user.delete({ where: { id: leaver.id } });
    expect((await get(id)).comments).toMatchObject([{ by: null, text: "From a leaver" }]);
    expect((await call(ada.cookie, "DELETE", `/api/forms/${id}`)).status).toBe(204);
    expect(await db().formComment.count({ where: { formId: id } })).toBe(0);
  });

  test("is masked in an error report", () => {
    expect(maskBody(commentBody, { text: "Rosa lives at 5 Elm St", other: "Rosa" })).toEqual({
      text: "[masked]",
      "[masked] 2": "[masked]",
    });
  });
});

describe("the Idempotency-Key of a comment", () => {
  const key = (value: string) => ({ "idempotency-key": value });

  test("adds one comment, however often the request is repeated or sent at once", async () => {
    const { id } = await makeForm(ada);
    const first = await comment(id, "Once", ada, key("one"));
    const again = await comment(id, "Once", ada, key("one"));
    expect([again.status, again.body]).toEqual([201, first.body]);
    const send = () => comment(id, "At once", ada, key("two"));
    const sent = await Promise.all(Array.from({ length: 5 }, send));
    expect(sent.map(({ status }) => status).filter((status) => status !== 409)).toContain(201);
    expect(texts(await get(id))).toEqual(["Once", "At once"]);
  });

  test("is refused with another text or for another form", async () => {
    const one = await makeForm(ada);
    const two = await makeForm(ada);
    await comment(one.id, "Text", ada, key("three"));
    for (const answer of [
      await comment(one.id, "Other", ada, key("three")),
      await comment(two.id, "Text", ada, key("three")),
    ])
      expect([answer.status, Object.keys(answer.body.fields)]).toEqual([422, ["Idempotency-Key"]]);
    expect((await get(two.id)).comments).toEqual([]);
  });

  test("returns 404 after the form was removed, and is not used up by a refused request", async () => {
    const { id } = await makeForm(ada);
    expect((await comment(id, "", ada, key("four"))).status).toBe(422);
    expect((await comment(id, "Text", ada, key("four"))).status).toBe(201);
    await call(ada.cookie, "DELETE", `/api/forms/${id}`);
    expect((await comment(id, "Text", ada, key("four"))).status).toBe(404);
  });
});

describe("a comment in the audit trail and the history", () => {
  test("is one event with its text under the client's key, and no change since the last check", async () => {
    const { id, clientId } = await makeForm(ada);
    await returnForm(id, "Which code?");
    await comment(id, "H-1");
    const events = await db().auditEvent.findMany({
      where: { entity: "form", entityId: id, action: "commented" },
    });
    expect(events).toMatchObject([{ userId: ada.id, clientId, fields: ["form.comments"] }]);
    const [{ details, keyId } = { details: null, keyId: null }] = events;
    const { wrapped } = await db().clientKey.findUniqueOrThrow({ where: { id: keyId ?? "" } });
    expect(details && decryptDetails(details, keyId, wrapped)?.changes).toEqual([
      { field: "form.comments", from: null, to: "H-1" },
    ]);
    const actor = await actorFor(supervisor);
    expect((await reviewOf(actor, id, openForm(actor, id), "")).changed.changes).toEqual([]);
  });

  test("stays in the history of a reconciled form, together with the comments of returns", async () => {
    const { id } = await makeForm(ada);
    await returnForm(id, "Which code?");
    await comment(id, "H-1");
    await reconcile(id);
    const { events } = (await call(ada.cookie, "GET", `/api/forms/${id}/history`)).body;
    const shown = events.flatMap(({ action, changes }: { action: string; changes: { toText: string }[] }) =>
      ["returned", "commented"].includes(action) ? [[action, changes[0]?.toText]] : [],
    );
    expect(shown).toEqual([
      ["commented", "H-1"],
      ["returned", "Which code?"],
    ]);
  });

  test("counts as a view of the form when its request is repeated", async () => {
    const { id } = await makeForm(ada);
    for (const action of ["commented", "viewed"]) {
      await comment(id, "Again", ada, { "idempotency-key": "audited" });
      const last = await db().auditEvent.findFirst({ where: { entityId: id }, orderBy: { id: "desc" } });
      expect(last).toMatchObject({ action, entity: "form", userId: ada.id });
    }
  });
});

describe("comments leave with their form", () => {
  test("in the record of a client, and in the archive only to readers who see the form", async () => {
    const form = await makeForm(ada);
    await comment(form.id, "In the files");
    const record = await call(admin.cookie, "GET", `/api/clients/${form.clientId}/record.json`);
    expect(record.body.forms[0].comments).toMatchObject([{ by: person(ada), text: "In the files" }]);
    const csv = async (hiddenClients: number[]) => {
      const stream = await exportArchive({ ...(await actorFor(admin)), hiddenClients });
      const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
      return (await filesIn(bytes)).get("form_comments.csv");
    };
    expect(await csv([])).toContain("In the files");
    expect(await csv([form.clientId])).not.toContain("In the files");
  });

  test("to the client that it is merged into, and back", async () => {
    const kept = await makeClient(ada);
    const merged = await makeClient(ada);
    const { id } = await makeForm(ada, {}, merged.id);
    await comment(id, "Merged");
    const { body } = await call(admin.cookie, "POST", `/api/clients/${kept.id}/merge`, {
      client: { name: kept.name, lockVersion: kept.lockVersion },
      other: { id: merged.id, lockVersion: merged.lockVersion },
    });
    expect(await get(id)).toMatchObject({ clientId: kept.id, comments: [{ text: "Merged" }] });
    await call(admin.cookie, "POST", `/api/merges/${body.merge.id}/undo`, { keepChanged: false });
    expect(await get(id)).toMatchObject({ clientId: merged.id, comments: [{ text: "Merged" }] });
  });

  test("and are deleted by a purge with their keys, after which nobody may comment", async () => {
    const form = await makeForm(ada);
    await returnForm(form.id);
    await comment(form.id, "Purged", ada, { "idempotency-key": "purged" });
    const kept = await makeForm(ada);
    await comment(kept.id, "Kept", ada, { "idempotency-key": "kept" });
    await call(admin.cookie, "PUT", "/api/retention", { retention: { years: 7, nightly: false } });
    const id = form.clientId;
    await rows(sql`UPDATE clients SET updated_at = '2010-01-01' WHERE id = ${id}`);
    await rows(
      sql`UPDATE forms f SET updated_at = '2010-01-01', service_on = '2010-01-01' WHERE f.client_id = ${id}`,
    );
    const purged = await call(admin.cookie, "POST", "/api/retention/purge", { ids: [id] });
    expect(purged.body.done).toEqual([id]);
    expect(await get(form.id)).toMatchObject({ comments: [], returned: null });
    expect(await answeredIds(supervisor)).not.toContain(form.id);
    const keys = await db().idempotencyKey.findMany({ where: { key: { in: ["purged", "kept"] } } });
    expect(keys.map(({ key }) => key)).toEqual(["kept"]);
    const { status, body } = await comment(form.id);
    expect([status, Object.keys(body.fields)]).toEqual([422, ["form.clientId"]]);
  });
});

/** The ids of the forms that wait for this reviewer because they were answered. */
async function answeredIds(as: Person): Promise<number[]> {
  const { body } = await call(as.cookie, "GET", "/api/forms?filters[answered]=true&perPage=100");
  const ids = body.forms.map(({ id }: Form) => id);
  expect((await homeOf(await actorFor(as))).answered).toBe(ids.length);
  return ids;
}

describe("a returned form", () => {
  const answers: [string, (id: number) => Promise<{ status: number }>][] = [
    ["a comment of its advocate", (id) => comment(id)],
    ["a change by its advocate", (id) => change(id)],
  ];

  test.each(answers)("is answered by %s, only for the reviewer who returned it", async (_, answer) => {
    const { id } = await makeForm(ada);
    await returnForm(id);
    expect(await answeredIds(supervisor)).not.toContain(id);
    expect((await answer(id)).status).toBeLessThan(300);
    expect(await answeredIds(supervisor)).toContain(id);
    expect(await answeredIds(other)).not.toContain(id);
  });

  test.each(answers)("that %s answered is no longer so once it is returned again", async (_, answer) => {
    const { id } = await makeForm(ada);
    await returnForm(id);
    await answer(id);
    await returnForm(id, "Not yet", other);
    expect([await answeredIds(supervisor), await answeredIds(other)].flat()).not.toContain(id);
    await answer(id);
    expect(await answeredIds(other)).toContain(id);
    expect(await answeredIds(supervisor)).not.toContain(id);
  });

  test.each(answers)(
    "that %s answered is no longer so once it is reconciled, until that is undone",
    async (_, answer) => {
      const { id } = await makeForm(ada);
      await returnForm(id);
      await answer(id);
      const { returned } = await get(id);
      await reconcileMany([id], true);
      expect(await answeredIds(supervisor)).not.toContain(id);
      await reconcileMany([id], false, true);
      expect(await answeredIds(supervisor)).toContain(id);
      expect((await get(id)).returned?.comment).toBe(returned?.comment);
    },
  );

  test.each<[string, (id: number) => Promise<unknown>]>([
    ["a reviewer unreconciles it", (id) => reconcile(id, supervisor, false)],
    ["its advocate changes it", (id) => change(id)],
  ])("that was answered and reconciled does not become answered again when %s", async (_, act) => {
    const { id } = await makeForm(ada);
    await returnForm(id);
    await change(id);
    await reconcile(id);
    await act(id);
    expect((await get(id)).reconciled).toBe(false);
    expect(await answeredIds(supervisor)).not.toContain(id);
  });

  test.each<[string, (id: number) => Promise<unknown>]>([
    ["a comment of a reviewer", (id) => comment(id, "Any news?", supervisor)],
    ["a change by a reviewer", (id) => change(id, other)],
  ])("is not answered by %s, nor is a form that was never returned", async (_, act) => {
    const returned = await makeForm(ada);
    const plain = await makeForm(ada);
    await returnForm(returned.id);
    await act(returned.id);
    await comment(plain.id);
    await change(plain.id);
    const ids = await answeredIds(supervisor);
    expect(ids).not.toContain(returned.id);
    expect(ids).not.toContain(plain.id);
  });

  test("that waits stays with its advocate after a comment, and is counted for a reviewer only", async () => {
    const { id } = await makeForm(ada);
    await returnForm(id);
    await comment(id);
    expect((await get(id)).returned).not.toBeNull();
    expect((await homeOf(await actorFor(ada))).answered).toBeNull();
    expect((await call(ada.cookie, "GET", "/api/forms?filters[answered]=true")).body.forms).toEqual([]);
    expect((await call(ada.cookie, "GET", "/api/forms?filters[answered]=no")).status).toBe(422);
  });
});

test("comments are read in the order in which they were added", async () => {
  const { id } = await makeForm(ada);
  const sent = await Promise.all(["a", "b", "c", "d"].map((text) => comment(id, text)));
  const byId = sent.map(({ body }) => body.comment as FormComment).sort((one, two) => one.id - two.id);
  expect((await get(id)).comments).toEqual(byId);
});
