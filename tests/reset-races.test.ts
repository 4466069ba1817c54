import { hash } from "bcryptjs";
import { expect, test } from "vitest";
import { PERMISSION_NAMES, type Permission, permissionKey } from "@/lib/core/access/permissions";
import { db } from "@/lib/core/database/client";
import { logIn, makeAccount, OTHER_PASSWORD, PASSWORD, takeMail, takeMails } from "@/tests/accounts-helpers";
import { runBlockedBy } from "@/tests/blocked";
import { call } from "@/tests/call";
import { makeUser, type Person } from "@/tests/factories";

// Mailed password links used at the same moment as other changes to the account.

const ALL = PERMISSION_NAMES.map((name) => permissionKey(name) as Permission);
const EXPIRED = {
  status: 422,
  body: { fields: { token: "The link has expired or is invalid" } },
};

async function linkFor({ email }: Person): Promise<string> {
  await call(null, "POST", "/api/forgot_password", { email });
  return (await takeMail()).token;
}
const reset = (token: string, password = OTHER_PASSWORD) =>
  call(null, "PUT", "/api/forgot_password", { token, password, passwordConfirmation: password });

test("of concurrent resets with one link, one sets its password", async () => {
  const user = await makeAccount();
  const token = await linkFor(user);
  const passwords = [1, 2, 3].map((n) => `Battery-Staple-${n}`);
  const answers = await Promise.all(passwords.map((password) => reset(token, password)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422, 422]);
  const won = passwords[answers.findIndex(({ status }) => status === 200)] ?? "";
  expect((await logIn(user.email, won)).status).toBe(200);
});

test("a link replaced by a newer one sets nothing, in whatever order the two are used", async () => {
  const user = await makeAccount();
  const former = await linkFor(user);
  const newer = await linkFor(user);
  const [first, second] = await Promise.all([reset(former), reset(newer, "Battery-Staple-9")]);
  expect(first).toMatchObject(EXPIRED);
  expect(second.status).toBe(200);
});

test.each([
  ["deactivated", (id: number) => `UPDATE users SET active = false WHERE id = ${id}`],
  [
    "given another email",
    (id: number) => `UPDATE users SET email = 'moved-${id}@example.org' WHERE id = ${id};
      UPDATE tokens SET used_at = now() WHERE user_id = ${id}`,
  ],
])("a reset while the account is being %s sets nothing", async (_, change) => {
  const user = await makeAccount();
  const token = await linkFor(user);
  expect(await runBlockedBy(change(user.id), () => reset(token))).toMatchObject(EXPIRED);
  const { passwordHash } = await db().user.findUniqueOrThrow({ where: { id: user.id } });
  expect(await hash(PASSWORD, passwordHash ?? "")).toBe(passwordHash);
});

test("a queued mail with a link goes to neither address if the email changes", async () => {
  const admin = await makeUser(ALL);
  const user = await makeAccount();
  await call(null, "POST", "/api/forgot_password", { email: user.email });
  expect((await call(admin.cookie, "POST", `/api/users/${user.id}/reset_password`)).status).toBe(204);
  const { firstName, lastName, roleId } = await db().user.findUniqueOrThrow({ where: { id: user.id } });
  const body = { user: { firstName, lastName, roleId, email: `moved-${user.email}` } };
  expect((await call(admin.cookie, "PUT", `/api/users/${user.id}`, body)).status).toBe(200);
  const mails = await takeMails();
  expect(mails.filter(({ kind }) => kind !== "notice")).toEqual([]);
});
