import { expect, it } from "vitest";
import { guessable } from "@/lib/core/passwords/guessable";
import { parseEnv } from "@/lib/core/process/env";
import { profileSchema, refusingOwnName } from "@/lib/identity/schema";
import { makeAccount, takeMail } from "@/tests/accounts-helpers";
import { call } from "@/tests/call";

// The effects of REFUSE_COMMON_PASSWORDS on passwords that are easy to guess.

process.env.REFUSE_COMMON_PASSWORDS = "true";

const COMMON = "This password is common and easy to guess";
const OWN = "This password contains your name or email address and is easy to guess";
const owner = { firstName: "Zoë", lastName: "O'Rourke-Weiß", email: "zo.weiss84@example.org" };

it.each([
  ["Password1!", COMMON],
  ["1Q2w3e4r5t", COMMON],
  ["My-ZOE\u0308-2026", OWN],
  ["xxRourke99", OWN],
  ["Blue-WEISS-7", OWN],
  ["A-Zo.Weiss84-z", OWN],
  ["Correct-Horse-7", null],
  ["Zo-Horse-84-x", null],
])("the password %s gets the error %s", (password, message) => {
  expect(guessable(password, owner)).toBe(message);
});

it("a two-letter name is not searched for in a password, because other words contain it by chance", () => {
  expect(guessable("Silent-Night-7", { firstName: "Li", lastName: "", email: "li@example.org" })).toBeNull();
});

it("a guessable password is refused with the reason, in a profile and after a mailed link", async () => {
  const user = await makeAccount();
  const { firstName, lastName, email } = user;
  const local = `${email.split("@")[0]}`;
  await call(null, "POST", "/api/forgot_password", { email });
  const { token } = await takeMail();
  for (const [password, message] of [
    ["Password1!", COMMON],
    [`Xy-${firstName}-9`, OWN],
    [`Xy-${local}-9`, OWN],
  ]) {
    const both = { password, passwordConfirmation: password };
    expect(
      await call(user.cookie, "PUT", "/api/profile", { profile: { firstName, lastName, email, ...both } }),
    ).toMatchObject({ status: 422, body: { error: message, fields: { "profile.password": message } } });
    expect(await call(null, "PUT", "/api/forgot_password", { token, ...both })).toMatchObject({
      status: 422,
      body: { error: message, fields: { password: message } },
    });
  }
  const both = { password: "Correct-Horse-7", passwordConfirmation: "Correct-Horse-7" };
  expect((await call(null, "PUT", "/api/forgot_password", { token, ...both })).status).toBe(200);
});

it("the screen also refuses a password with its owner's name before sending it", () => {
  const screen = refusingOwnName(profileSchema, (values) => values);
  const both = { password: "xxRourke99", passwordConfirmation: "xxRourke99" };
  const problems = screen.safeParse({ ...owner, ...both }).error?.issues;
  expect(problems).toMatchObject([{ path: ["password"], message: OWN }]);
  expect(screen.safeParse({ ...owner, password: "", passwordConfirmation: "" }).success).toBe(true);
});

it("the server reports whether a typed password is common", async () => {
  const check = async (password: string) =>
    (await call(null, "POST", "/api/password_check", { password })).body;
  expect(await check("Password1!")).toEqual({ isCommon: true });
  expect(await check("Correct-Horse-7")).toEqual({ isCommon: false });
});

it("the start refuses a guessable first administrator password and names its variable", () => {
  const admin = { ADMIN_EMAIL: "jordan@example.org", ADMIN_PASSWORD: "Xy-Jordan-9" };
  expect(() => parseEnv({ ...admin, REFUSE_COMMON_PASSWORDS: "true" })).toThrow(`ADMIN_PASSWORD: ${OWN}`);
  expect(parseEnv({ ...admin, REFUSE_COMMON_PASSWORDS: "false" }).ADMIN_PASSWORD).toBe("Xy-Jordan-9");
  expect(() => parseEnv({ REFUSE_COMMON_PASSWORDS: "yes" })).toThrow(
    "REFUSE_COMMON_PASSWORDS: must be true or false",
  );
});
