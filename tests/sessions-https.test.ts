import { expect, it } from "vitest";
import { logIn, makeAccount, PASSWORD } from "@/tests/accounts-helpers";
import { call } from "@/tests/call";

process.env.APP_URL = "https://cases.example.org";

it("the session cookie is bound to the host and to TLS if APP_URL is https", async () => {
  const user = await makeAccount();
  const answer = await logIn(user.email, PASSWORD);
  const cookie = answer.headers.getSetCookie()[0] ?? "";
  expect(cookie).toMatch(/^__Host-lanternbook\.session=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Secure$/);
  const logout = await call(cookie.split(";")[0] ?? "", "DELETE", "/api/logout");
  expect(logout.headers.get("set-cookie")).toMatch(
    /^__Host-lanternbook\.session=; Path=\/; .*Max-Age=0; Secure$/,
  );
});
