import { beforeEach, describe, expect, it } from "vitest";
import { PERMISSION_NAMES, type Permission, permissionKey } from "@/lib/core/access/permissions";
import type { AuditAction } from "@/lib/core/api/audit-acts";
import { db } from "@/lib/core/database/client";
import { takeMails } from "@/tests/accounts-helpers";
import { call } from "@/tests/call";
import { runWithoutTimeout } from "@/tests/direct";
import { makeClient, makeForm, makeUser, type Person } from "@/tests/factories";

// Users can grant only permissions that they hold, and a change takes effect at once.

const ALL = PERMISSION_NAMES.map((name) => permissionKey(name) as Permission);

const idOf = async (...names: (typeof PERMISSION_NAMES)[number][]) =>
  (await db().permission.findMany({ where: { name: { in: names } }, orderBy: { id: "asc" } })).map(
    ({ id }) => id,
  );

const roleOf = async (person: Person) =>
  (await db().user.findUniqueOrThrow({ where: { id: person.id } })).roleId;

/** Creates a user who holds Users, Roles and `more`, and can sign in. */
async function makeAdministrator(more: Permission[] = []): Promise<Person> {
  const administrator = await makeUser(["users", "roles", ...more]);
  await db().user.update({ where: { id: administrator.id }, data: { passwordHash: "any" } });
  return administrator;
}

let sequence = 0;
const person = (values: object) => {
  sequence += 1;
  return { user: { firstName: "New", lastName: "Person", email: `new${sequence}@example.org`, ...values } };
};

beforeEach(async () => {
  await runWithoutTimeout("TRUNCATE users, audit_events CASCADE");
  await db().role.deleteMany({ where: { name: { startsWith: "Role " } } });
});

describe("an administrator without a permission", () => {
  it("cannot grant it by giving a role to a new or existing user", async () => {
    const clerk = await makeUser(["users", "forms"]);
    const target = await makeUser(["forms"]);
    const [canineRole, formsRole] = await Promise.all(
      [["Canines", "Forms"] as const, ["Forms"] as const].map(async (names, index) =>
        db().role.create({
          data: {
            name: `Role grant ${index}`,
            permissions: { create: (await idOf(...names)).map((permissionId) => ({ permissionId })) },
          },
        }),
      ),
    );
    const words = "You cannot grant permissions that you do not have: Canines";
    const refusal = { error: words, code: "invalid", fields: { "user.roleId": words } };
    const create = await call(clerk.cookie, "POST", "/api/users", person({ roleId: canineRole?.id }));
    expect([create.status, create.body]).toEqual([422, refusal]);
    const path = `/api/users/${target.id}`;
    const { email } = target;
    const update = await call(clerk.cookie, "PUT", path, person({ email, roleId: canineRole?.id }));
    expect([update.status, update.body]).toEqual([422, refusal]);
    expect(await db().user.count()).toBe(2);
    expect((await call(clerk.cookie, "POST", "/api/users", person({ roleId: formsRole?.id }))).status).toBe(
      201,
    );
    expect((await call(clerk.cookie, "PUT", path, person({ email, roleId: formsRole?.id }))).status).toBe(
      200,
    );
  });

  it("may correct the name of a user with more permissions, but not the email that reset links go to", async () => {
    const clerk = await makeUser(["users"]);
    const above = await makeUser(["users", "roles"]);
    const roleId = await roleOf(above);
    const path = `/api/users/${above.id}`;
    const { email } = above;
    const renamed = await call(clerk.cookie, "PUT", path, person({ email: email.toUpperCase(), roleId }));
    expect(renamed.body.user).toMatchObject({ firstName: "New", email });
    const humble = await db().role.create({ data: { name: "Role humble" } });
    for (const role of [roleId, humble.id]) {
      const moved = await call(clerk.cookie, "PUT", path, person({ roleId: role }));
      expect([moved.status, Object.keys(moved.body.fields)]).toEqual([422, ["user.email"]]);
    }
  });

  it("cannot add it to a role, though the role keeps the permissions it had", async () => {
    const keeper = await makeUser(["roles", "forms"]);
    const [forms, canines] = [await idOf("Forms"), await idOf("Canines")].flat() as [number, number];
    const create = (permissionIds: number[]) =>
      call(keeper.cookie, "POST", "/api/roles", { role: { name: `Role ${permissionIds}`, permissionIds } });
    const refused = await create([forms, canines]);
    expect([refused.status, Object.keys(refused.body.fields)]).toEqual([422, ["role.permissionIds"]]);
    expect((await create([forms])).status).toBe(201);

    const role = await db().role.create({
      data: { name: "Role wide", permissions: { create: [{ permissionId: canines }] } },
    });
    const update = (permissionIds: number[]) =>
      call(keeper.cookie, "PUT", `/api/roles/${role.id}`, { role: { name: "Role wide", permissionIds } });
    expect((await update([canines, forms])).body.role.permissionIds).toEqual([forms, canines]);
    const other = await idOf("Ethnicities");
    expect((await update([forms, canines, ...other])).status).toBe(422);
    expect((await call(keeper.cookie, "GET", `/api/roles/${role.id}`)).body.role.permissionIds).toEqual([
      forms,
      canines,
    ]);
  });

  it("cannot remove a role, or its permissions, that they could not give back", async () => {
    const keeper = await makeUser(["roles", "forms"]);
    const [forms, canines] = [await idOf("Forms"), await idOf("Canines")].flat() as [number, number];
    const { id } = await db().role.create({
      data: {
        name: "Role wide",
        permissions: { create: [{ permissionId: canines }, { permissionId: forms }] },
      },
    });
    const words = "You could not undo this: the role has permissions that you do not have: Canines";
    const refusal = [422, { error: words, code: "invalid", fields: { "role.permissionIds": words } }];
    for (const permissionIds of [[canines], [forms], []]) {
      const role = { name: "Role wide", permissionIds };
      const { status, body } = await call(keeper.cookie, "PUT", `/api/roles/${id}`, { role });
      expect([status, body]).toEqual(refusal);
    }
    const removed = await call(keeper.cookie, "DELETE", `/api/roles/${id}`);
    expect([removed.status, removed.body]).toEqual(refusal);
    const admin = await makeUser(["roles", "forms", "canines"]);
    const role = { name: "Role narrow", permissionIds: [forms] };
    expect((await call(admin.cookie, "PUT", `/api/roles/${id}`, { role })).status).toBe(200);
    expect((await call(keeper.cookie, "DELETE", `/api/roles/${id}`)).status).toBe(204);
  });

  it("cannot remove permissions from their own role that they could not give back, while others may", async () => {
    const keeper = await makeUser(["roles", "forms", "canines"]);
    const roleId = await roleOf(keeper);
    const narrow = (as: Person, permissionIds: number[]) =>
      call(as.cookie, "PUT", `/api/roles/${roleId}`, { role: { name: "Role own", permissionIds } });
    for (const kept of [await idOf("Roles", "Forms"), []]) {
      const { status, body } = await narrow(keeper, kept);
      expect([status, Object.keys(body.fields)]).toEqual([422, ["role.permissionIds"]]);
      expect(body.error).toContain("the role is your own");
    }
    expect((await narrow(keeper, await idOf("Roles", "Forms", "Canines"))).status).toBe(200);
    const peer = await makeUser(["roles", "forms", "canines"]);
    expect((await narrow(peer, await idOf("Roles", "Forms"))).status).toBe(200);
  });

  it("gets an error that names role or permission ids that do not exist", async () => {
    const admin = await makeUser(ALL);
    const user = await call(admin.cookie, "POST", "/api/users", person({ roleId: 999_999 }));
    expect(user.body.fields).toEqual({ "user.roleId": "Role does not exist" });
    const role = await call(admin.cookie, "POST", "/api/roles", {
      role: { name: "x", permissionIds: [999_999] },
    });
    expect(role.body.fields).toEqual({ "role.permissionIds": "Permissions must be chosen from the list" });
    const code = await call(admin.cookie, "POST", "/api/service_codes", {
      serviceCode: { code: "x", formTypeIds: [999_999] },
    });
    expect(code.body.fields).toEqual({ "serviceCode.formTypeIds": "Form Type must be chosen from the list" });
  });
});

describe("the last administrator", () => {
  const LAST = "This would remove the last account that has Users and Roles";

  it("cannot be deleted, moved to another role, or stripped of permissions through the role", async () => {
    const admin = await makeAdministrator(ALL);
    // The peer holds the same permissions, but has no password to sign in with.
    const peer = await makeUser(ALL);
    const advocate = await db().role.findUniqueOrThrow({ where: { name: "Advocate" } });
    const roleId = await roleOf(admin);

    const removed = await call(peer.cookie, "DELETE", `/api/users/${admin.id}`);
    const refusal = (field: string) => [422, { error: LAST, code: "invalid", fields: { [field]: LAST } }];
    expect([removed.status, removed.body]).toEqual(refusal("user.id"));
    const values = person({ email: admin.email, roleId: advocate.id });
    const moved = await call(peer.cookie, "PUT", `/api/users/${admin.id}`, values);
    expect([moved.status, moved.body]).toEqual(refusal("user.roleId"));
    const role = { name: "Role x", permissionIds: await idOf("Users", "Forms") };
    const stripped = await call(peer.cookie, "PUT", `/api/roles/${roleId}`, { role });
    expect([stripped.status, stripped.body]).toEqual(refusal("role.permissionIds"));
    expect((await call(admin.cookie, "GET", "/api/roles?perPage=5")).status).toBe(200);

    // A user who has not activated the account cannot sign in, so does not count.
    await makeAdministrator().then(({ id }) =>
      db().user.update({ where: { id }, data: { activatedAt: null } }),
    );
    expect((await call(peer.cookie, "DELETE", `/api/users/${admin.id}`)).status).toBe(422);
    await makeAdministrator();
    expect((await call(peer.cookie, "DELETE", `/api/users/${admin.id}`)).status).toBe(204);
  });

  it("remains when two administrators delete each other at once", async () => {
    for (let round = 0; round < 5; round++) {
      await runWithoutTimeout("TRUNCATE users CASCADE");
      const one = await makeAdministrator();
      const two = await makeAdministrator();
      const answers = await Promise.all([
        call(one.cookie, "DELETE", `/api/users/${two.id}`),
        call(two.cookie, "DELETE", `/api/users/${one.id}`),
      ]);
      expect(await db().user.count()).toBe(1);
      expect(answers.map(({ status }) => status).filter((status) => status === 204)).toHaveLength(1);
    }
  });

  it("remains when one is deleted while the other's role is stripped", async () => {
    for (let round = 0; round < 5; round++) {
      await runWithoutTimeout("TRUNCATE users CASCADE");
      const one = await makeAdministrator();
      const two = await makeAdministrator();
      const role = { name: `Role stripped ${round}`, permissionIds: [] };
      const answers = await Promise.all([
        call(two.cookie, "DELETE", `/api/users/${one.id}`),
        call(one.cookie, "PUT", `/api/roles/${await roleOf(two)}`, { role }),
      ]);
      expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
    }
  });
});

describe("an account with more permissions", () => {
  const fieldsOf = ({ status, body }: { status: number; body: { fields?: object } }) => [
    status,
    Object.keys(body.fields ?? {}),
  ];

  it("cannot be taken over by a user who lacks one of them, or All Forms if it owns forms", async () => {
    const clerk = await makeUser(["users", "forms", "clients"]);
    const advocate = await makeUser(["forms", "clients"]);
    const manager = await makeUser(["forms", "clients", "reports"]);
    await makeForm(advocate);
    const humble = await db().role.create({ data: { name: "Role humble" } });
    for (const [target, why] of [
      [advocate, "This account owns forms, and you do not have All Forms"],
      [manager, "This account has permissions that you do not have: Reports"],
    ] as const) {
      const path = `/api/users/${target.id}`;
      const put = (values: object) => call(clerk.cookie, "PUT", path, person(values));
      const roleId = await roleOf(target);
      const email = await put({ roleId });
      expect([email.status, email.body.fields]).toEqual([422, { "user.email": why }]);
      const role = await put({ roleId: humble.id, email: target.email });
      expect([role.status, role.body.fields]).toEqual([422, { "user.roleId": why }]);
      // Its name may be corrected, and a link may be sent to its own mailbox.
      expect((await put({ roleId, email: target.email })).status).toBe(200);
      expect((await call(clerk.cookie, "POST", `${path}/reset_password`)).status).toBe(204);
      expect((await call(target.cookie, "GET", "/api/me")).body.email).toBe(target.email);
    }
    expect(fieldsOf(await call(clerk.cookie, "DELETE", `/api/users/${manager.id}`))).toEqual([
      422,
      ["user.id"],
    ]);
    expect((await call(clerk.cookie, "DELETE", `/api/users/${advocate.id}`)).status).toBe(409);

    const admin = await makeUser(["users", "forms", "clients", "all-forms", "reports"]);
    for (const target of [advocate, manager]) {
      const path = `/api/users/${target.id}`;
      expect((await call(admin.cookie, "PUT", path, person({ roleId: humble.id }))).status).toBe(200);
    }
    expect((await call(clerk.cookie, "DELETE", `/api/users/${manager.id}`)).status).toBe(204);
  });

  it("keeps its drafts from a user who may not see others' forms", async () => {
    const clerk = await makeUser(["users", "forms", "clients"]);
    const advocate = await makeUser();
    const { status } = await call(advocate.cookie, "PUT", "/api/drafts/new-1", {
      draft: { formId: null, content: {} },
    });
    expect(status).toBe(200);
    const roleId = await roleOf(advocate);
    const moved = await call(clerk.cookie, "PUT", `/api/users/${advocate.id}`, person({ roleId }));
    expect(fieldsOf(moved)).toEqual([422, ["user.email"]]);
  });

  it("does not limit changes to one's own account, where the email may change but not the role", async () => {
    const clerk = await makeUser(["users", "forms", "clients"]);
    await makeForm(clerk);
    const path = `/api/users/${clerk.id}`;
    const roleId = await roleOf(clerk);
    expect((await call(clerk.cookie, "PUT", path, person({ roleId }))).status).toBe(200);
    const other = await db().role.create({ data: { name: "Role other" } });
    const { email } = await db().user.findUniqueOrThrow({ where: { id: clerk.id } });
    const { body } = await call(clerk.cookie, "PUT", path, person({ roleId: other.id, email }));
    expect(body.fields).toEqual({ "user.roleId": "You cannot change your own role" });
  });

  it("gets a notice without a link at its former address when its email changes", async () => {
    const admin = await makeUser(ALL);
    const target = await makeUser();
    const values = person({ roleId: await roleOf(target) });
    await call(admin.cookie, "PUT", `/api/users/${target.id}`, values);
    const notices = (await takeMails()).filter(({ kind }) => kind === "notice");
    expect(notices.map(({ to, subject }) => [to, subject])).toEqual([
      [target.email, "The email address of your account was changed"],
    ]);
    expect(notices[0]?.source).not.toMatch(/https?:/);
  });
});

describe("user accounts", () => {
  it("cannot be deleted by their owner, or while they own clients or forms", async () => {
    const admin = await makeUser(ALL);
    await makeUser(["users", "roles"]);
    const own = await call(admin.cookie, "DELETE", `/api/users/${admin.id}`);
    const words = "You cannot remove your own account";
    expect([own.status, own.body]).toEqual([
      422,
      { error: words, code: "invalid", fields: { "user.id": words } },
    ]);
    const owner = await makeUser();
    await makeForm(owner, {}, (await makeClient(owner)).id);
    const used = await call(admin.cookie, "DELETE", `/api/users/${owner.id}`);
    expect([used.status, used.body]).toEqual([
      409,
      { error: "This user is used by 2 records and cannot be removed", code: "conflict_in_use" },
    ]);
  });

  it("cannot be deleted while they have drafts, until those are handed over", async () => {
    const admin = await makeUser(ALL);
    const owner = await makeUser();
    const draft = { draft: { formId: null, content: { note: "half a form" } } };
    expect((await call(owner.cookie, "PUT", "/api/drafts/new-1", draft)).status).toBe(200);
    const remove = () => call(admin.cookie, "DELETE", `/api/users/${owner.id}`);
    const { status, body } = await remove();
    expect([status, body]).toEqual([
      409,
      {
        error: "This user has 1 draft. Please hand over first, or deactivate the account.",
        code: "conflict_in_use",
      },
    ]);
    const to = { toUserId: admin.id };
    const given = await call(admin.cookie, "POST", `/api/users/${owner.id}/hand_over`, to);
    expect(given.body).toMatchObject({ drafts: 1 });
    expect((await remove()).status).toBe(204);
    expect((await call(admin.cookie, "GET", "/api/drafts/new-1")).body.draft.content).toEqual({
      note: "half a form",
    });
  });

  it("are signed out at once when their email changes", async () => {
    const admin = await makeUser(ALL);
    const target = await makeUser();
    const values = person({ email: `new-${target.email}`, roleId: await roleOf(target) });
    expect((await call(admin.cookie, "PUT", `/api/users/${target.id}`, values)).status).toBe(200);
    expect((await call(target.cookie, "GET", "/api/me")).status).toBe(401);
    const self = person({ email: `new-${admin.email}`, roleId: await roleOf(admin) });
    expect((await call(admin.cookie, "PUT", `/api/users/${admin.id}`, self)).status).toBe(200);
    expect((await call(admin.cookie, "GET", "/api/me")).status).toBe(200);
  });

  it("are signed out at once when they are deleted", async () => {
    const admin = await makeUser(ALL);
    const target = await makeUser();
    expect((await call(target.cookie, "GET", "/api/clients")).status).toBe(200);
    await call(admin.cookie, "DELETE", `/api/users/${target.id}`);
    expect((await call(target.cookie, "GET", "/api/clients")).status).toBe(401);
  });

  it("follow a change of their role, or its permissions, at the next request", async () => {
    const admin = await makeUser(ALL);
    const target = await makeUser(["canines"]);
    const roleId = await roleOf(target);
    const status = async () => (await call(target.cookie, "GET", "/api/canines")).status;
    expect(await status()).toBe(200);
    const role = { name: "Role changed", permissionIds: await idOf("Ethnicities") };
    await call(admin.cookie, "PUT", `/api/roles/${roleId}`, { role });
    expect(await status()).toBe(403);
    expect((await call(target.cookie, "GET", "/api/ethnicities")).status).toBe(200);
    const values = person({ email: target.email, roleId: await roleOf(admin) });
    expect((await call(admin.cookie, "PUT", `/api/users/${target.id}`, values)).status).toBe(200);
    expect(await status()).toBe(200);
  });

  it("cause audit events when they or roles change, but not when a change is refused", async () => {
    const admin = await makeUser(ALL);
    const { id: roleId } = (await call(admin.cookie, "POST", "/api/roles", { role: { name: "Role a" } })).body
      .role;
    await call(admin.cookie, "PUT", `/api/roles/${roleId}`, { role: { name: "Role b" } });
    const { id } = (await call(admin.cookie, "POST", "/api/users", person({ roleId }))).body.user;
    await call(admin.cookie, "PUT", `/api/users/${id}`, person({ roleId }));
    await call(admin.cookie, "DELETE", `/api/roles/${roleId}`);
    await call(admin.cookie, "DELETE", `/api/users/${id}`);
    await call(admin.cookie, "DELETE", `/api/roles/${roleId}`);
    const changes: AuditAction[] = ["created", "updated", "removed"];
    const events = await db().auditEvent.findMany({
      where: { action: { in: changes } },
      orderBy: { id: "asc" },
    });
    expect(events.map(({ action, entity, entityId, userId }) => [action, entity, entityId, userId])).toEqual([
      ["created", "role", roleId, admin.id],
      ["updated", "role", roleId, admin.id],
      ["created", "user", id, admin.id],
      ["updated", "user", id, admin.id],
      ["removed", "user", id, admin.id],
      ["removed", "role", roleId, admin.id],
    ]);
  });

  it("get an activation mail when created, and another if the email changes before activation", async () => {
    const admin = await makeUser(ALL);
    const roleId = await roleOf(admin);
    const links = async (userId: number) =>
      (await db().token.findMany({ where: { userId }, include: { mail: true }, orderBy: { id: "asc" } })).map(
        ({ kind, usedAt, mail }) => [kind, usedAt ? "ended" : "open", mail ? "mailed" : "not mailed"],
      );
    const { user } = (await call(admin.cookie, "POST", "/api/users", person({ roleId }))).body;
    expect(await links(user.id)).toEqual([["activation", "open", "mailed"]]);
    const path = `/api/users/${user.id}`;
    await call(admin.cookie, "PUT", path, person({ roleId, email: user.email }));
    expect(await links(user.id)).toHaveLength(1);
    await call(admin.cookie, "PUT", path, person({ roleId }));
    expect(await links(user.id)).toEqual([
      ["activation", "ended", "mailed"],
      ["activation", "open", "mailed"],
    ]);
    const reset = await call(admin.cookie, "POST", `${path}/reset_password`);
    expect([reset.status, reset.body]).toEqual([204, null]);
    expect((await links(user.id)).map(([kind]) => kind)).toEqual(["activation", "activation", "activation"]);

    await db().user.update({ where: { id: user.id }, data: { activatedAt: new Date() } });
    await call(admin.cookie, "PUT", path, person({ roleId }));
    expect((await links(user.id)).slice(-2)).toEqual([
      ["activation", "ended", "mailed"],
      ["activation", "open", "mailed"],
    ]);

    await db().user.update({ where: { id: user.id }, data: { passwordHash: "any" } });
    expect((await call(admin.cookie, "POST", `${path}/reset_password`)).status).toBe(204);
    expect((await links(user.id)).at(-1)).toEqual(["reset", "open", "mailed"]);
    await call(admin.cookie, "PUT", path, person({ roleId }));
    expect((await links(user.id)).filter(([, state]) => state === "open")).toEqual([]);
  });

  it("can be sent a reset link only by holders of Users, and only if they exist", async () => {
    const admin = await makeUser(ALL);
    const target = await makeUser();
    const path = `/api/users/${target.id}/reset_password`;
    expect((await call(null, "POST", path)).status).toBe(401);
    const others = await makeUser(ALL.filter((permission) => permission !== "users"));
    expect((await call(others.cookie, "POST", path)).status).toBe(403);
    expect((await call(admin.cookie, "POST", "/api/users/999999/reset_password")).status).toBe(404);
    expect((await call(admin.cookie, "GET", path)).status).toBe(405);
    expect(await db().token.count()).toBe(0);
  });

  it("can be invited again at most five times an hour, which ends the earlier link", async () => {
    const admin = await makeUser(ALL);
    const roleId = await roleOf(admin);
    const { user } = (await call(admin.cookie, "POST", "/api/users", person({ roleId }))).body;
    const again = (headers = {}, cookie: string | null = admin.cookie) =>
      call(cookie, "POST", `/api/users/${user.id}/reset_password`, undefined, { headers });
    const [first] = await takeMails();
    expect((await again()).status).toBe(204);
    const [second] = await takeMails();
    const follow = (mail = first) => call(null, "GET", `/api/account/${mail?.token}/activate`);
    expect((await follow(first)).status).toBe(422);
    expect((await follow(second)).status).toBe(200);
    for (let sent = 2; sent < 5; sent++) expect((await again()).status).toBe(204);
    const response = await again();
    expect([response.status, response.body]).toEqual([
      429,
      {
        error: "5 emails were sent to this account within an hour. Please try again later.",
        code: "too_many",
      },
    ]);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    await db().mail.updateMany({ data: { createdAt: new Date(Date.now() - 3_601_000) } });
    expect((await again()).status).toBe(204);
  });

  it("get no mail if their creation is refused", async () => {
    const admin = await makeUser(ALL);
    const values = person({ roleId: await roleOf(admin), email: admin.email.toUpperCase() });
    const { status, body } = await call(admin.cookie, "POST", "/api/users", values);
    expect([status, body.fields]).toEqual([422, { "user.email": "Email is already taken" }]);
    expect(await db().token.count()).toBe(0);
  });
});
