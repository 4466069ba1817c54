import { beforeAll, describe, expect, test } from "vitest";
import { BODY_MAX } from "@/lib/core/api/endpoint";
import { db, rows } from "@/lib/core/database/client";
import { env } from "@/lib/core/process/env";
import { sql } from "@/lib/core/sql";
import { DRAFT_BYTES } from "@/lib/forms/drafts/schema";
import { actorFor, call } from "@/tests/call";
import { formTypeId, makeClient, makeForm, makeUser, minimalForm, type Person } from "@/tests/factories";

// Drafts of unsaved forms: visible only to their owner, encrypted, deleted after save, discard or 7 days.

let owner: Person;
let other: Person;
let supervisor: Person;

beforeAll(async () => {
  owner = await makeUser();
  other = await makeUser();
  supervisor = await makeUser(["forms", "clients", "all-forms"]);
});

const CONTENT = { form: { note: "Zoë Ångström\n🕊️", minutes: [15, null] }, client: { name: "Rosa Secret" } };

const put = (person: Person, key: string, content: unknown = CONTENT, formId?: number | null) =>
  call(person.cookie, "PUT", `/api/drafts/${key}`, { draft: { formId, content } });
const get = (person: Person, key: string) => call(person.cookie, "GET", `/api/drafts/${key}`);
const keysOf = async (person: Person): Promise<string[]> =>
  (await call(person.cookie, "GET", "/api/drafts")).body.drafts.map(({ key }: { key: string }) => key);
const age = (key: string, days: number) =>
  rows(sql`UPDATE drafts SET updated_at = now() - interval '1 day' * ${days} WHERE key = ${key}`);

describe("storing drafts", () => {
  test("returns the stored values unchanged", async () => {
    const response = await put(owner, "round-trip");
    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      draft: {
        key: "round-trip",
        formId: null,
        formType: null,
        client: "Rosa S.",
        updatedAt: expect.any(String),
        savedFormId: null,
      },
    });
    const { status, body } = await get(owner, "round-trip");
    expect(status).toBe(200);
    expect(body).toEqual({ draft: { ...response.body.draft, content: CONTENT } });
  });

  test("replaces a draft with a later one under the same key", async () => {
    await put(owner, "twice", { step: 1 });
    await Promise.all([put(owner, "twice", { step: 2 }), put(owner, "twice", { step: 2 })]);
    expect((await get(owner, "twice")).body.draft.content).toEqual({ step: 2 });
    expect((await keysOf(owner)).filter((key) => key === "twice")).toEqual(["twice"]);
  });

  test("lists the newest first and without their content", async () => {
    const person = await makeUser();
    for (const key of ["one", "two", "three"]) await put(person, key);
    await put(person, "one");
    expect(await keysOf(person)).toEqual(["one", "three", "two"]);
    const { body } = await call(person.cookie, "GET", "/api/drafts");
    expect(Object.keys(body.drafts[0])).toEqual([
      "key",
      "formId",
      "client",
      "updatedAt",
      "formType",
      "savedFormId",
    ]);
  });

  test("names each draft by its form type and its client's first name, as far as its content has them", async () => {
    const person = await makeUser();
    const content = (name: unknown, formTypeId: unknown) => ({ client: { name }, form: { formTypeId } });
    await put(person, "whole", content("  Wilma  von Evans ", await formTypeId("Phone")));
    await put(person, "one-word", content("Cher", 2_147_483_647));
    await put(person, "odd", { client: ["x"], form: { formTypeId: "7; DROP" } });
    await put(person, "blank", content("", null));
    const { body } = await call(person.cookie, "GET", "/api/drafts");
    expect(
      body.drafts.map(({ key, formType, client }: Record<string, unknown>) => [key, formType, client]),
    ).toEqual([
      ["blank", null, null],
      ["odd", null, null],
      ["one-word", null, "Cher"],
      ["whole", "Phone", "Wilma E."],
    ]);
    const [stored] = await rows<{ name: Buffer }>(sql`SELECT name FROM drafts WHERE key = 'whole'`);
    expect(stored?.name.toString("latin1")).not.toContain("Wilma");
  });

  test("names the form that its owner saved after it for the same client, type and date", async () => {
    const person = await makeUser();
    const client = await makeClient(person);
    const type = await formTypeId("Service");
    const draftOf = (key: string, more: object, name = "Somebody Else") =>
      put(person, key, {
        client: { name },
        form: { formTypeId: type, serviceOn: "2026-03-04" },
        ...more,
      });
    await draftOf("same-client", { clientId: client.id });
    await draftOf("same-name", {}, client.name);
    await draftOf("another-client", {});
    await draftOf("another-day", {
      clientId: client.id,
      form: { formTypeId: type, serviceOn: "2026-03-05" },
    });
    const { id } = await makeForm(person, {}, client.id);
    await draftOf("begun-later", { clientId: client.id });
    const { drafts } = (await call(person.cookie, "GET", "/api/drafts")).body;
    expect(
      drafts.map(({ key, savedFormId }: { key: string; savedFormId: number | null }) => [key, savedFormId]),
    ).toEqual([
      ["begun-later", null],
      ["another-day", null],
      ["another-client", null],
      ["same-name", id],
      ["same-client", id],
    ]);
  });

  test.each([
    ["a day before all days", "Rosa", "0000-01-01"],
    ["U+0000", "Ro\0sa", "2026-03-04"],
    ["a lone surrogate", "Ro\ud800sa", "2026-03-04"],
  ])("lists a draft with %s, which the database refuses", async (_, name, serviceOn) => {
    const person = await makeUser();
    await put(person, "odd", {
      client: { name },
      form: { formTypeId: await formTypeId("Service"), serviceOn },
    });
    const { status, body } = await call(person.cookie, "GET", "/api/drafts");
    expect(status).toBe(200);
    expect(body.drafts).toMatchObject([{ key: "odd", savedFormId: null }]);
  });

  test("lists drafts from before drafts had names without a name", async () => {
    const person = await makeUser();
    await put(person, "nameless");
    await rows(sql`UPDATE drafts SET name = NULL WHERE key = 'nameless'`);
    const { body } = await call(person.cookie, "GET", "/api/drafts");
    expect(body.drafts).toMatchObject([{ key: "nameless", formType: null, client: null }]);
  });

  test("keeps the newest 50 of each user", async () => {
    const person = await makeUser();
    await put(other, "bystander");
    for (let n = 0; n < 52; n += 1) await put(person, `n${n}`, {});
    const keys = await keysOf(person);
    expect(keys.length).toBe(50);
    expect([keys[0], keys.at(-1)]).toEqual(["n51", "n2"]);
    expect(await keysOf(other)).toContain("bystander");
  });

  test("stores a page's draft only for the user who typed it", async () => {
    const page = { userId: other.id, id: "page", updatedAt: null };
    const body = { draft: { content: CONTENT, page } };
    expect((await call(owner.cookie, "PUT", "/api/drafts/typed", body)).status).toBe(401);
    expect((await get(owner, "typed")).status).toBe(404);
    expect((await call(other.cookie, "PUT", "/api/drafts/typed", body)).status).toBe(200);
  });

  test("refuses a page whose draft another page has stored or deleted since, and repeats lost requests", async () => {
    const from = (id: string, updatedAt: string | null, text: string) =>
      call(owner.cookie, "PUT", "/api/drafts/shared", {
        draft: { content: { text }, page: { userId: owner.id, id, updatedAt } },
      });
    const first = (await from("desk", null, "desk")).body.draft.updatedAt;
    // The response to the first request was lost.
    expect((await from("desk", null, "desk again")).status).toBe(200);
    expect((await from("phone", first, "phone")).body.code).toBe("conflict_version");
    const { updatedAt } = (await get(owner, "shared")).body.draft;
    const phone = await from("phone", updatedAt, "phone");
    expect(phone.status).toBe(200);
    expect((await from("desk", updatedAt, "desk")).status).toBe(409);
    expect((await get(owner, "shared")).body.draft.content).toEqual({ text: "phone" });
    await call(owner.cookie, "DELETE", "/api/drafts/shared");
    expect((await from("phone", phone.body.draft.updatedAt, "phone")).status).toBe(409);
    expect((await get(owner, "shared")).status).toBe(404);
  });

  test("stores a form as large as a body may be, with the values from which it was changed", async () => {
    const form = { note: "ä".repeat(BODY_MAX / 2 - 200) };
    const content = { form, base: { form } };
    expect((await put(owner, "largest", content)).status).toBe(200);
    expect((await get(owner, "largest")).body.draft.content).toEqual(content);
  });

  test.each([
    ["a list as content", { draft: { content: [] } }, 422],
    ["no content", { draft: {} }, 422],
    ["no draft", {}, 422],
    ["a body of more than 2 MB", { draft: { content: { text: "ä".repeat(DRAFT_BYTES / 2) } } }, 413],
  ])("refuses %s", async (_, body, status) => {
    expect((await call(owner.cookie, "PUT", "/api/drafts/refused", body)).status).toBe(status);
    expect((await get(owner, "refused")).status).toBe(404);
  });

  test.each(["a b", "a.b", "x".repeat(101)])("refuses the key %j", async (key) => {
    expect((await put(owner, encodeURIComponent(key))).status).toBe(422);
  });
});

describe("a draft of another user", () => {
  test("answers 404, even to holders of All Forms, and its key can be used for one's own draft", async () => {
    await put(owner, "private");
    for (const person of [other, supervisor]) {
      expect((await get(person, "private")).status).toBe(404);
      expect(await keysOf(person)).not.toContain("private");
      expect((await call(person.cookie, "DELETE", "/api/drafts/private")).status).toBe(204);
    }
    await put(other, "private", { mine: true });
    expect((await get(owner, "private")).body.draft.content).toEqual(CONTENT);
    expect((await get(other, "private")).body.draft.content).toEqual({ mine: true });
  });

  test("is refused without the Forms permission, like one's own draft", async () => {
    const clerk = await makeUser(["clients"]);
    for (const [method, url] of [
      ["GET", "/api/drafts"],
      ["GET", "/api/drafts/x"],
      ["PUT", "/api/drafts/x"],
      ["DELETE", "/api/drafts/x"],
    ] as const) {
      expect((await call(clerk.cookie, method, url)).status).toBe(403);
      expect((await call(null, method, url)).status).toBe(401);
    }
  });

  test("or one's own draft of an existing form is stored only while the form is visible to the user", async () => {
    const form = await makeForm(owner);
    expect((await put(other, "theirs", CONTENT, form.id)).status).toBe(404);
    expect((await put(owner, "unknown", CONTENT, 999_999)).status).toBe(404);
    expect((await put(owner, `form-${form.id}`, CONTENT, form.id)).status).toBe(200);

    expect((await put(supervisor, `form-${form.id}`, CONTENT, form.id)).status).toBe(200);
    expect((await get(supervisor, `form-${form.id}`)).body.draft.formId).toBe(form.id);
    const allForms = await db().permission.findUniqueOrThrow({ where: { name: "All Forms" } });
    const grant = await db().rolePermission.findFirstOrThrow({
      where: { permissionId: allForms.id, role: { users: { some: { id: supervisor.id } } } },
    });
    await db().rolePermission.deleteMany({ where: grant });
    expect((await get(supervisor, `form-${form.id}`)).status).toBe(404);
    expect(await keysOf(supervisor)).toEqual([]);
    await db().rolePermission.create({ data: grant });

    await call(owner.cookie, "DELETE", `/api/forms/${form.id}`);
    expect((await get(owner, `form-${form.id}`)).status).toBe(404);
  });
});

describe("a draft is deleted", () => {
  test("by a discard, which can be repeated", async () => {
    await put(owner, "discarded");
    expect((await call(owner.cookie, "DELETE", "/api/drafts/discarded")).status).toBe(204);
    expect((await call(owner.cookie, "DELETE", "/api/drafts/discarded")).status).toBe(204);
    expect((await get(owner, "discarded")).status).toBe(404);
  });

  test("after 7 days without a change, also from the database, whichever user triggers the cleanup", async () => {
    await put(owner, "young");
    await put(owner, "old");
    await age("young", 6.99);
    await age("old", 7.01);
    expect((await get(owner, "young")).status).toBe(200);
    expect((await get(owner, "old")).status).toBe(404);
    await put(other, "passing-by");
    expect(await db().draft.count({ where: { key: "old" } })).toBe(0);
    expect(await db().draft.count({ where: { key: "young" } })).toBe(1);
  });

  test("once the form that was created from it is saved, but not before", async () => {
    const client = await makeClient(owner);
    const form = minimalForm(client.id, await formTypeId("Service"));
    const headers = { "draft-key": "new-1" };
    await put(owner, "new-1");
    await put(owner, "new-2");
    await put(other, "new-1");

    const refused = { form: { ...form, serviceStatus: "Unheard" } };
    expect((await call(owner.cookie, "POST", "/api/forms", refused, { headers })).status).toBe(422);
    const unknown = { form: { ...form, canineId: 999_999 } };
    expect((await call(owner.cookie, "POST", "/api/forms", unknown, { headers })).status).toBe(422);
    expect((await get(owner, "new-1")).status).toBe(200);

    expect((await call(owner.cookie, "POST", "/api/forms", { form }, { headers })).status).toBe(201);
    expect((await get(owner, "new-1")).status).toBe(404);
    expect((await get(owner, "new-2")).status).toBe(200);
    expect((await get(other, "new-1")).status).toBe(200);
  });

  test("by a repeated creation too, which creates no second form", async () => {
    const client = await makeClient(owner);
    const form = minimalForm(client.id, await formTypeId("Service"));
    const headers = { "draft-key": "again", "idempotency-key": "once-only" };
    const first = await call(owner.cookie, "POST", "/api/forms", { form }, { headers });
    await put(owner, "again");
    const second = await call(owner.cookie, "POST", "/api/forms", { form }, { headers });
    expect(second.body).toEqual(first.body);
    expect((await get(owner, "again")).status).toBe(404);
  });

  test("by an update from it, but not by a conflict", async () => {
    const form = await makeForm(owner);
    const changed = { ...minimalForm(form.clientId, form.formTypeId), serviceOn: "2026-03-03" };
    const body = { form: { ...changed, lockVersion: form.lockVersion } };
    const headers = { "draft-key": "edit" };
    await put(owner, "edit", CONTENT, form.id);
    expect((await call(owner.cookie, "PUT", `/api/forms/${form.id}`, body)).status).toBe(200);
    expect((await call(owner.cookie, "PUT", `/api/forms/${form.id}`, body, { headers })).status).toBe(409);
    expect((await get(owner, "edit")).status).toBe(200);
    body.form.lockVersion += 1;
    expect((await call(owner.cookie, "PUT", `/api/forms/${form.id}`, body, { headers })).status).toBe(200);
    expect((await get(owner, "edit")).status).toBe(404);
  });

  test("from the numbers that nobody was shown: a new form's draft with a client's number is recorded as revealed", async () => {
    const { openDrafts } = await import("@/lib/forms/drafts/drafts");
    const client = await makeClient(owner);
    const content = (phoneNumber: string, clientId: number | null) => ({
      clientId,
      client: { name: "Rosa", clientBiographicalEntry: { phoneNumber } },
      form: {},
    });
    await put(owner, "with-number", content("(412) 555-0100", client.id));
    await put(owner, "without-number", content("", client.id));
    await put(owner, "of-new-client", content("(412) 555-0100", null));
    const where = { action: "revealed", userId: owner.id };
    const before = await db().auditEvent.count({ where });
    for (const key of ["without-number", "of-new-client", "elsewhere"])
      await openDrafts(await actorFor(owner), null, key);
    expect(await db().auditEvent.count({ where })).toBe(before);
    await openDrafts(await actorFor(owner), null, "with-number");
    expect(await db().auditEvent.count({ where: { ...where, entityId: client.id } })).toBe(1);
  });

  test("from view while AUTH_SECRET differs, and opens again with the old secret", async () => {
    await put(owner, "sealed");
    const secret = env().AUTH_SECRET;
    const { listDrafts, getDraft } = await import("@/lib/forms/drafts/drafts");
    const actor = {
      userId: owner.id,
      firstName: "",
      lastName: "",
      email: "",
      permissions: [],
      twoStepRequired: false,
      hiddenClients: [],
    };
    env().AUTH_SECRET = "another secret of at least 32 characters";
    try {
      await expect(getDraft(actor, "sealed")).rejects.toThrow("Not found");
      expect(await listDrafts(actor)).toEqual([]);
    } finally {
      env().AUTH_SECRET = secret;
    }
    expect((await getDraft(actor, "sealed")).content).toEqual(CONTENT);
  });
});

describe("a draft in the database", () => {
  const storedCiphertext = async (key: string) =>
    Buffer.from((await db().draft.findFirstOrThrow({ where: { userId: owner.id, key } })).ciphertext);

  test("cannot be read, and equal drafts have different ciphertexts", async () => {
    await put(owner, "at-rest");
    const first = await storedCiphertext("at-rest");
    await put(owner, "at-rest");
    const second = await storedCiphertext("at-rest");
    for (const word of ["Rosa", "Secret", "note"]) expect(first.includes(word)).toBe(false);
    expect(first[0]).toBe(1);
    expect(first.subarray(5).equals(second.subarray(5))).toBe(false);
  });

  test.each([
    ["the IV", 5],
    ["the tag", 17],
    ["the text", 40],
    ["the version", 0],
  ])("is treated as missing, without an error, when a byte of %s is changed", async (_, position) => {
    await put(owner, "tampered");
    const bytes = await storedCiphertext("tampered");
    bytes[position] = (bytes[position] ?? 0) ^ 1;
    await rows(sql`UPDATE drafts SET ciphertext = ${bytes} WHERE key = 'tampered'`);
    expect((await get(owner, "tampered")).status).toBe(404);
    await put(owner, "tampered");
    expect((await get(owner, "tampered")).status).toBe(200);
  });

  test("does not open when it is copied to another user or another key", async () => {
    await put(owner, "source");
    await put(owner, "target");
    await put(other, "source");
    const bytes = await storedCiphertext("source");
    await rows(
      sql`UPDATE drafts SET ciphertext = ${bytes} WHERE key = 'target' OR (key = 'source' AND user_id = ${other.id})`,
    );
    expect((await get(owner, "target")).status).toBe(404);
    expect((await get(other, "source")).status).toBe(404);
    expect((await get(owner, "source")).status).toBe(200);
  });
});
