import { describe, expect, test } from "vitest";
import { PERMISSION_NAMES, type Permission, permissionKey } from "@/lib/core/access/permissions";
import { db } from "@/lib/core/database/client";
import { accountScreen } from "@/lib/forms/hand-over/screen";
import { lookupStores } from "@/lib/lookups/store";
import { logIn, makeAccount, makeInvitedUser, PASSWORD, takeMails } from "@/tests/accounts-helpers";
import { runBlockedBy } from "@/tests/blocked";
import { actorFor, call } from "@/tests/call";
import { ADVOCATE, makeClient, makeForm, makeUser, type Person } from "@/tests/factories";

// Offboarding: accounts of users who leave the organization.

const ALL = PERMISSION_NAMES.map((name) => permissionKey(name) as Permission);
const admin = await makeUser(ALL);

async function put(actor: Person, target: Person, values: object = {}) {
  const { firstName, lastName, email, roleId } = await db().user.findUniqueOrThrow({
    where: { id: target.id },
  });
  const user = { firstName, lastName, email, roleId, ...values };
  return call(actor.cookie, "PUT", `/api/users/${target.id}`, { user });
}
const optionOf = async ({ id }: Person) => {
  const { body } = await call(admin.cookie, "GET", "/api/resource_lists/users");
  return body.users.find((user: { id: number }) => user.id === id);
};

describe("a deactivated account", () => {
  test("is signed out at once, fails sign-in like a wrong password, and is marked in user lists", async () => {
    const person = await makeAccount();
    const { body, status } = await put(admin, person, { active: false });
    expect([status, body.user.active, body.user.status]).toEqual([200, false, "deactivated"]);
    expect((await call(person.cookie, "GET", "/api/me")).status).toBe(401);
    const refused = await logIn(person.email, PASSWORD);
    expect([refused.status, refused.body.code]).toEqual([401, "bad_credentials"]);
    expect(await optionOf(person)).toMatchObject({ active: false });
    expect(await optionOf(admin)).toMatchObject({ active: true });

    const kept = await put(admin, person, { firstName: "Left" });
    expect(kept.body.user).toMatchObject({ firstName: "Left", active: false });
    const back = await put(admin, person, { active: true });
    expect(back.body.user.status).toBe("active");
    expect((await logIn(person.email, PASSWORD)).status).toBe(200);
    const actions = await db().auditEvent.findMany({
      where: {
        entity: "user",
        entityId: person.id,
        action: { in: ["deactivated", "reactivated", "updated"] },
      },
      orderBy: { id: "asc" },
    });
    expect(actions.map(({ action }) => action)).toEqual(["deactivated", "updated", "reactivated"]);
  });

  test("gets no mail: its links end, and no new ones are sent", async () => {
    const person = await makeAccount();
    await call(admin.cookie, "POST", `/api/users/${person.id}/reset_password`);
    await put(admin, person, { active: false });
    const refused = await call(admin.cookie, "POST", `/api/users/${person.id}/reset_password`);
    expect([refused.status, refused.body.fields]).toEqual([
      422,
      { "user.id": "This account is deactivated" },
    ]);
    await call(null, "POST", "/api/forgot_password", { email: person.email });
    expect((await takeMails()).filter(({ to }) => to.includes(person.email))).toEqual([]);
  });

  test("that was never activated is invited again when it is reactivated", async () => {
    const person = await makeInvitedUser();
    expect((await put(admin, person, { active: false })).body.user.status).toBe("deactivated");
    expect((await put(admin, person, { active: true })).body.user.status).toBe("invited");
    const mails = (await takeMails()).filter(({ to }) => to.includes(person.email));
    expect(mails.map(({ kind }) => kind)).toEqual(["activation"]);
  });

  test("cannot be the administrator's own account or one with more permissions", async () => {
    const own = await put(admin, admin, { active: false });
    const words = "You cannot deactivate your own account";
    expect([own.status, own.body.fields]).toEqual([422, { "user.active": words }]);
    const clerk = await makeUser(["users"]);
    const refused = await put(clerk, await makeUser(["reports"]), { active: false });
    expect(refused.body.fields).toEqual({
      "user.active": "This account has permissions that you do not have: Reports",
    });
    const nothing = await put(admin, clerk, { active: null });
    expect(nothing.body.fields).toEqual({ "user.active": "Active must be true or false" });
  });
});

describe("ending another user's sessions", () => {
  test("signs them out everywhere, unless they hold more permissions", async () => {
    const clerk = await makeUser(["users"]);
    const person = await makeUser([]);
    const above = await makeUser(["reports"]);
    const end = (actor: Person, id: number) => call(actor.cookie, "DELETE", `/api/users/${id}/sessions`);
    expect((await end(clerk, person.id)).status).toBe(204);
    expect((await call(person.cookie, "GET", "/api/me")).status).toBe(401);
    const refused = await end(clerk, above.id);
    expect([refused.status, Object.keys(refused.body.fields)]).toEqual([422, ["user.id"]]);
    expect((await call(above.cookie, "GET", "/api/me")).status).toBe(200);
    expect((await end(clerk, 999_999)).status).toBe(404);
  });
});

describe("deactivating and reactivating from the list", () => {
  const setActive = (actor: Person, target: Person, active: boolean) =>
    call(actor.cookie, "PUT", `/api/users/${target.id}/active`, { active });

  test("changes no other field, whatever a colleague has changed meanwhile", async () => {
    const person = await makeAccount();
    await put(admin, person, { lastName: "Renamed" });
    const { status, body } = await setActive(admin, person, false);
    expect([status, body.user]).toMatchObject([200, { status: "deactivated", lastName: "Renamed" }]);
    expect((await call(person.cookie, "GET", "/api/me")).status).toBe(401);
    expect((await logIn(person.email, PASSWORD)).status).toBe(401);
    await put(admin, person, { firstName: "Back" });
    const back = await setActive(admin, person, true);
    expect(back.body.user).toMatchObject({ status: "active", firstName: "Back", lastName: "Renamed" });
    expect((await logIn(person.email, PASSWORD)).status).toBe(200);
    const events = await db().auditEvent.findMany({
      where: { entity: "user", entityId: person.id, action: { in: ["deactivated", "reactivated"] } },
      orderBy: { id: "asc" },
    });
    expect(events.map(({ action }) => action)).toEqual(["deactivated", "reactivated"]);
  });

  test("is refused, like in the account's form, for oneself, for users with more permissions and for unknown users", async () => {
    const refusedFields = async (actor: Person, target: Person) =>
      (await setActive(actor, target, false)).body.fields;
    expect(await refusedFields(admin, admin)).toEqual({
      "user.active": "You cannot deactivate your own account",
    });
    const clerk = await makeUser(["users"]);
    expect((await refusedFields(clerk, admin))["user.active"]).toContain(
      "This account has permissions that you do not have",
    );
    expect((await setActive(admin, { ...clerk, id: 999_999 }, false)).status).toBe(404);
    expect((await setActive(await makeUser(), clerk, false)).status).toBe(403);
  });
});

describe("handing over", () => {
  const handOver = (actor: Person, from: Person, toUserId: number) =>
    call(actor.cookie, "POST", `/api/users/${from.id}/hand_over`, { toUserId });

  test("leaves a returned form with its advocate if its period is closed", async () => {
    const leaver = await makeUser();
    const colleague = await makeUser();
    const form = await makeForm(leaver, { serviceOn: "2020-03-04" });
    await call(admin.cookie, "POST", `/api/forms/${form.id}/return`, { comment: "Please check" });
    await call(admin.cookie, "PUT", "/api/closed_periods", { closedThrough: "2020-03-31" });
    try {
      expect((await handOver(admin, leaver, colleague.id)).body).toMatchObject({ returned: 0 });
    } finally {
      await call(admin.cookie, "PUT", "/api/closed_periods", { closedThrough: null });
    }
    expect((await handOver(admin, leaver, colleague.id)).body).toMatchObject({ returned: 1 });
  });

  test("leaves a returned form with its advocate if its period is being closed at the same moment", async () => {
    const leaver = await makeUser();
    const colleague = await makeUser();
    const form = await makeForm(leaver, { serviceOn: "2020-03-04" });
    await call(admin.cookie, "POST", `/api/forms/${form.id}/return`, { comment: "Please check" });
    try {
      const closing = "UPDATE closed_periods SET closed_through = '2020-03-31'";
      const answer = await runBlockedBy(closing, () => handOver(admin, leaver, colleague.id));
      expect(answer.body).toMatchObject({ returned: 0 });
    } finally {
      await call(admin.cookie, "PUT", "/api/closed_periods", { closedThrough: null });
    }
  });

  test("moves clients, drafts and returned forms to a colleague, and leaves other forms with their advocate", async () => {
    const leaver = await makeUser();
    const colleague = await makeUser();
    const client = await makeClient(leaver);
    const active = await makeForm(leaver, {}, client.id);
    const returned = await makeForm(leaver, {}, client.id);
    await call(admin.cookie, "POST", `/api/forms/${returned.id}/return`, { comment: "Please check" });
    const draft = { draft: { formId: null, content: { note: "half a form" } } };
    expect((await call(leaver.cookie, "PUT", "/api/drafts/new-form", draft)).status).toBe(200);

    const { status, body } = await handOver(admin, leaver, colleague.id);
    expect([status, body]).toEqual([200, { clients: 1, drafts: 1, returned: 1 }]);
    const events = await db().auditEvent.findMany({ where: { userId: admin.id, action: "updated" } });
    expect(events).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ entity: "client", entityId: client.id, fields: ["client.userId"] }),
        expect.objectContaining({ entity: "form", entityId: returned.id, fields: ["form.userId"] }),
      ]),
    );
    const owned = await call(colleague.cookie, "GET", `/api/clients?filters[userId]=${colleague.id}`);
    expect(owned.body.clients.map(({ id }: { id: number }) => id)).toEqual([client.id]);
    const { body: opened } = await call(colleague.cookie, "GET", "/api/drafts/new-form");
    expect(opened.draft.content).toEqual({ note: "half a form" });
    expect((await call(leaver.cookie, "GET", "/api/drafts/new-form")).status).toBe(404);
    const statusOfForm = async (id: number) =>
      (await call(colleague.cookie, "GET", `/api/forms/${id}`)).status;
    expect([await statusOfForm(returned.id), await statusOfForm(active.id)]).toEqual([200, 404]);
    expect(await handOver(admin, leaver, colleague.id)).toMatchObject({
      body: { clients: 0, drafts: 0, returned: 0 },
    });
  });

  test("can deactivate the account in the same step", async () => {
    const leaver = await makeUser();
    const colleague = await makeUser();
    const client = await makeClient(leaver);
    const url = `/api/users/${leaver.id}/hand_over`;
    const { status, body } = await call(admin.cookie, "POST", url, {
      toUserId: colleague.id,
      deactivate: true,
    });
    expect([status, body]).toEqual([200, { clients: 1, drafts: 0, returned: 0 }]);
    expect((await db().client.findUniqueOrThrow({ where: { id: client.id } })).userId).toBe(colleague.id);
    expect((await call(leaver.cookie, "GET", "/api/me")).status).toBe(401);
    expect((await call(admin.cookie, "GET", `/api/users/${leaver.id}`)).body.user.status).toBe("deactivated");
    const events = await db().auditEvent.findMany({ where: { entity: "user", entityId: leaver.id } });
    expect(events.map(({ action }) => action)).toContain("deactivated");
  });

  test("moves nothing if the account must stay active", async () => {
    const owner = await makeUser(ALL);
    const colleague = await makeUser();
    const client = await makeClient(owner);
    const response = await call(owner.cookie, "POST", `/api/users/${owner.id}/hand_over`, {
      toUserId: colleague.id,
      deactivate: true,
    });
    expect([response.status, response.body.fields]).toEqual([
      422,
      { "user.active": "You cannot deactivate your own account" },
    ]);
    expect((await db().client.findUniqueOrThrow({ where: { id: client.id } })).userId).toBe(owner.id);
  });

  test("includes what the user saves while the account is being deactivated", async () => {
    const leaver = await makeUser();
    const colleague = await makeUser();
    const body = { toUserId: colleague.id, deactivate: true };
    const saving = `INSERT INTO clients (name, user_id, created_on, updated_at) VALUES ('Late', ${leaver.id}, now(), now())`;
    const answer = await runBlockedBy(saving, () =>
      call(admin.cookie, "POST", `/api/users/${leaver.id}/hand_over`, body),
    );
    expect(answer.body).toEqual({ clients: 1, drafts: 0, returned: 0 });
  });

  test("needs all permissions that both users hold, and an existing colleague", async () => {
    const leaver = await makeUser();
    const colleague = await makeUser();
    await makeForm(leaver);
    const clerk = await makeUser(["users", ...ADVOCATE]);
    expect((await handOver(clerk, leaver, colleague.id)).body.fields).toEqual({
      "user.id": "This account owns forms, and you do not have All Forms",
    });
    const manager = await makeUser(["users", "all-forms", ...ADVOCATE]);
    const above = await makeUser(["forms", "reports"]);
    expect((await handOver(manager, leaver, above.id)).body.fields).toEqual({
      toUserId: "This account has permissions that you do not have: Reports",
    });
    for (const [id, words] of [
      [leaver.id, "Choose a colleague"],
      [999_999, "User does not exist"],
    ] as const)
      expect((await handOver(manager, leaver, id)).body.fields).toEqual({ toUserId: words });
    const clerkOfLists = await makeUser(["clients"]);
    expect((await handOver(manager, leaver, clerkOfLists.id)).body.fields).toEqual({
      toUserId: "This colleague does not have the Forms permission",
    });
    const { colleagues } = await accountScreen(
      await actorFor(admin),
      await lookupStores.users.get(await actorFor(admin), leaver.id),
    );
    const offered = colleagues.map(({ id }) => id);
    expect([colleague.id, clerkOfLists.id, leaver.id].map((id) => offered.includes(id))).toEqual([
      true,
      false,
      false,
    ]);
    await put(admin, colleague, { active: false });
    expect((await handOver(manager, leaver, colleague.id)).body.fields).toEqual({
      toUserId: "This account is deactivated",
    });
    expect((await handOver(admin, { ...leaver, id: 999_999 }, colleague.id)).status).toBe(404);
    expect(await db().client.count({ where: { userId: leaver.id } })).toBe(1);
  });
});
