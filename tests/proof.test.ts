import { describe, expect, test } from "vitest";
import { PERMISSION_NAMES, type Permission, permissionKey } from "@/lib/core/access/permissions";
import { db } from "@/lib/core/database/client";
import { env } from "@/lib/core/process/env";
import { makeAccount, OTHER_PASSWORD, PASSWORD } from "@/tests/accounts-helpers";
import { call } from "@/tests/call";
import { makeUser, type Person } from "@/tests/factories";

// Actions that grant power require a recent password confirmation.

const ALL = PERMISSION_NAMES.map((name) => permissionKey(name) as Permission);
const NEEDED = { status: 403, body: { error: "Please enter your password", code: "proof_needed" } };

/** Dates the user's password confirmation so far back that it has expired. */
const expirePasswordConfirmation = ({ id }: Person) =>
  db().session.updateMany({ where: { userId: id }, data: { provedAt: new Date(Date.now() - 31 * 60_000) } });
const prove = ({ cookie }: Person, password: string) =>
  call(cookie, "POST", "/api/session/proof", { password });
const save = ({ cookie, firstName, lastName, email }: Person, values: object = {}) =>
  call(cookie, "PUT", "/api/profile", { profile: { firstName, lastName, email, ...values } });

async function makeAdministrator() {
  const [admin, { passwordHash }] = [
    await makeUser(ALL),
    await db().user.findUniqueOrThrow({ where: { id: (await makeAccount()).id } }),
  ];
  await db().user.update({ where: { id: admin.id }, data: { passwordHash } });
  return admin;
}

describe("a session whose password confirmation has expired", () => {
  test("changes no account and no role until the password is confirmed again", async () => {
    const admin = await makeAdministrator();
    const target = await makeUser();
    await expirePasswordConfirmation(admin);
    const { roleId } = await db().user.findUniqueOrThrow({ where: { id: target.id } });
    const path = `/api/users/${target.id}`;
    const user = { firstName: "A", lastName: "B", email: target.email, roleId };
    const attempts = [
      () => call(admin.cookie, "PUT", path, { user }),
      () => call(admin.cookie, "POST", "/api/users", { user: { ...user, email: "new@example.org" } }),
      () => call(admin.cookie, "PUT", `${path}/active`, { active: true }),
      () => call(admin.cookie, "DELETE", `${path}/sessions`),
      () => call(admin.cookie, "POST", `${path}/hand_over`, { toUserId: admin.id }),
      () => call(admin.cookie, "PUT", `/api/roles/${roleId}`, { role: { name: "Renamed" } }),
      () => call(admin.cookie, "DELETE", path),
    ];
    for (const attempt of attempts) expect(await attempt()).toMatchObject(NEEDED);
    expect((await call(target.cookie, "GET", "/api/me")).body.firstName).toBe(target.firstName);
    expect((await call(admin.cookie, "GET", path)).status).toBe(200);
    expect((await prove(admin, PASSWORD)).status).toBe(204);
    for (const attempt of attempts) expect((await attempt()).status).toBeLessThan(300);
  });

  test("can save the names in its profile, but neither a new email nor a new password", async () => {
    const user = await makeAccount();
    await expirePasswordConfirmation(user);
    const password = { password: OTHER_PASSWORD, passwordConfirmation: OTHER_PASSWORD };
    expect((await save(user, { firstName: "New" })).status).toBe(200);
    expect(await save(user, { email: `new-${user.email}` })).toMatchObject(NEEDED);
    expect(await save(user, password)).toMatchObject(NEEDED);
    await prove(user, PASSWORD);
    expect((await save(user, password)).status).toBe(200);
  });

  test("continues after a wrong password, which counts like one at sign-in", async () => {
    const user = await makeAccount();
    await expirePasswordConfirmation(user);
    for (let n = 0; n < 5; n++) {
      const { status, body } = await prove(user, "wrong");
      expect([status, body.code]).toEqual([401, "bad_credentials"]);
    }
    expect((await prove(user, PASSWORD)).status).toBe(429);
    expect((await call(user.cookie, "GET", "/api/me")).status).toBe(200);
    expect(await save(user, { email: `other-${user.email}` })).toMatchObject(NEEDED);
  });

  test("needs no confirmation if the operator has disabled it", async () => {
    const user = await makeAccount();
    await expirePasswordConfirmation(user);
    env().PROOF_MINUTES = 0;
    expect((await save(user, { email: `off-${user.email}` })).status).toBe(200);
    env().PROOF_MINUTES = 30;
  });
});
