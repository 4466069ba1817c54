import { describe, expect, test } from "vitest";
import { invitationDone, invitationNotice } from "@/lib/identity/invitation";

describe("the text about an invitation", () => {
  test.each([
    [
      { isMailed: true, hasLink: true },
      "When you save, an invitation is sent to the email address above. Its link is valid for 7 days.",
      "Invitation sent to ada@example.org, valid for 7 days",
    ],
    [
      { isMailed: true, hasLink: false },
      "When you save, an invitation is sent to the email address above.",
      "Invitation sent to ada@example.org",
    ],
    [
      { isMailed: false, hasLink: true },
      "No mail server is set up here. When you save, the invitation is written to the server's console and mail folder. Send it to the user yourself. Its link is valid for 7 days.",
      "Invitation for ada@example.org written to the server's console and mail folder, valid for 7 days",
    ],
  ])("states how it is delivered: %j", (delivery, notice, done) => {
    expect(invitationNotice(delivery)).toBe(notice);
    expect(invitationDone("ada@example.org", delivery)).toBe(done);
  });
});
