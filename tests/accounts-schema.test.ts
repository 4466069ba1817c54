import { describe, expect, it } from "vitest";
import { isCommonPassword } from "@/lib/core/passwords/guessable";
import { deviceOf } from "@/lib/identity/browser-name";
import { returnPath } from "@/lib/identity/return-path";

describe("the return path after sign-in", () => {
  it.each(["/profile", "/clients?page=2&search=a%20b", "/forms/7/edit#services"])("keeps %s", (path) => {
    expect(returnPath(path)).toBe(path);
  });

  it.each([
    null,
    undefined,
    "",
    "profile",
    "https://evil.example/forms",
    "javascript:alert(1)",
    "//evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/\t/evil.example",
    "/.//evil.example",
    " /profile",
  ])("rejects %j", (path) => {
    expect(returnPath(path)).toBeNull();
  });
});

describe("deviceOf", () => {
  const CHROME = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
  it.each([
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME}`, "Chrome on Windows"],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Edg/140.0.0.0`, "Microsoft Edge on Windows"],
    [`Mozilla/5.0 (Linux; Android 15) ${CHROME}`, "Chrome on Android"],
    [
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15",
      "Safari on macOS",
    ],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
      "Safari on iPhone",
    ],
    ["curl/8.5.0", "Unknown device"],
    ["", "Unknown device"],
  ])("describes the user agent %s", (userAgent, device) => {
    expect(deviceOf(userAgent)).toBe(device);
  });
});

it("isCommonPassword recognizes common passwords in any case and with digits or punctuation around them", () => {
  for (const password of [
    "Password1",
    "PASSWORD!!",
    "123Welcome",
    "P@ssw0rd2026!",
    "Qwerty123",
    "1Qaz2wsx",
    "Abc123",
  ]) {
    expect(isCommonPassword(password), password).toBe(true);
  }
  for (const password of ["Correct-Horse-7", "Tr0ub4dor&3", "Passwort-Kiste-4", "summer in 2026"]) {
    expect(isCommonPassword(password), password).toBe(false);
  }
});
