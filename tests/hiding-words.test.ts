import { describe, expect, test } from "vitest";
import { hasWork, involvementWords, losesWork, takeOverWords } from "@/lib/clients/restrictions/words";

const involvement = (isAdvocate: boolean, forms: number | null, returned = 0, drafts = 0) =>
  forms === null
    ? { isAdvocate, forms, returned: null, drafts: null }
    : { isAdvocate, forms, returned, drafts };
const NAME = "Avery Advocate";
const UNSEEN = "You cannot see colleagues' forms, so their forms for this client are not counted.";

describe("the warning before a client is hidden", () => {
  test.each([
    [involvement(true, 3), `${NAME} is this client's advocate and has 3 forms.`],
    [involvement(true, 1), `${NAME} is this client's advocate and has 1 form.`],
    [involvement(true, 0), `${NAME} is this client's advocate and has no forms.`],
    [involvement(true, 2, 1, 1), `${NAME} is this client's advocate and has 2 forms and 1 draft.`],
    [involvement(false, 1), `${NAME} has 1 form for this client.`],
    [involvement(false, 0, 0, 2), `${NAME} has 2 drafts for this client.`],
    [involvement(true, null), `${NAME} is this client's advocate. ${UNSEEN}`],
    [involvement(false, null), UNSEEN],
  ])("%j reads %s", (given, words) => {
    expect(losesWork(given)).toBe(true);
    expect(involvementWords(NAME, given)).toBe(words);
  });

  test("is not shown for a colleague who has no work with the client", () => {
    expect(losesWork(involvement(false, 0))).toBe(false);
  });

  test.each([
    [involvement(true, 3), "Bea Body becomes this client's advocate."],
    [
      involvement(true, 3, 1, 2),
      "Bea Body becomes this client's advocate and gets 2 drafts and 1 returned form.",
    ],
    [involvement(false, 3, 1), "Bea Body gets 1 returned form."],
    [involvement(true, null), "Bea Body becomes this client's advocate."],
  ])("offers to hand over %j: %s", (given, words) => {
    expect(hasWork(given)).toBe(true);
    expect(takeOverWords("Bea Body", given)).toBe(words);
  });

  test("offers no handover if only saved forms are left", () => {
    expect(hasWork(involvement(false, 3))).toBe(false);
    expect(hasWork(involvement(false, null))).toBe(false);
  });
});
