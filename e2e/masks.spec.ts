import type { Page } from "@playwright/test";
import { PHONE } from "@/e2e/audit";
import { expect, signIn, test } from "@/e2e/fixtures";

// Fields that format what is typed: nothing is cut, moved or dropped, and undo works.

test.beforeEach(async ({ page }) => {
  await signIn(page);
});

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });

test("a phone number is formatted only if it is complete, and stays as typed otherwise", async ({ page }) => {
  await page.goto("/clients/new");
  const phone = field(page, "Phone Number");
  for (const [typed, shown] of [
    ["4125550100", "(412) 555-0100"],
    ["412-555-0100 x22", "(412) 555-0100 x22"],
    ["+44 20 7946 0958", "+44 20 7946 0958"],
    ["44 20 7946 0958", "44 20 7946 0958"],
    ["555-0123", "555-0123"],
    ["412-555-0100 / 412-555-0199", "412-555-0100 / 412-555-0199"],
  ] as const) {
    await phone.clear();
    await phone.pressSequentially(typed);
    await expect(phone).toHaveValue(shown);
    await phone.blur();
    await expect(phone).toHaveValue(shown);
  }
  await phone.fill("555-01234");
  await phone.press("Backspace");
  await expect(phone).toHaveValue("555-0123");
  await phone.clear();
  await phone.pressSequentially("4125550100");
  await phone.press("ControlOrMeta+z");
  await expect(phone).toHaveValue("4125550100");
});

test("a date that is typed or pasted is read only if it is whole, and stays as it is otherwise", async ({
  page,
}) => {
  await page.goto("/clients/new");
  const born = field(page, "Date of Birth");
  for (const [pasted, shown] of [
    ["01022020", "01/02/2020"],
    ["2020-01-02", "01/02/2020"],
    ["1-2-2020", "01/02/2020"],
  ] as const) {
    await born.fill(pasted);
    await born.blur();
    await expect(born).toHaveValue(shown);
  }
  for (const text of ["Nov 11, 2019 8:00 AM", "3/4/20 10:15"]) {
    await born.fill(text);
    await born.blur();
    await expect(born).toHaveValue(text);
    await expect(page.getByText("Month first, like 04/03/2026").first()).toBeVisible();
  }
  await born.clear();
  await born.pressSequentially("01022020");
  await expect(born).toHaveValue("01/02/2020");
  await born.press("ControlOrMeta+z");
  await expect(born).toHaveValue("01/022");
});

test("a number field keeps every character, reads hours, and on a phone has text that does not zoom", async ({
  page,
}) => {
  await page.goto("/forms/new");
  await page.getByLabel("Form Type *").selectOption({ label: "Service" });
  const minutes = field(page, "Other Service Minutes");
  await minutes.click();
  await page.keyboard.type("1:30");
  await minutes.blur();
  await expect(minutes).toHaveValue("90");
  await minutes.fill("90 or so");
  await minutes.blur();
  await expect(minutes).toHaveValue("90 or so");
  await expect(page.getByText("Other Service Minutes must be a whole number").first()).toBeVisible();
  await expect(minutes).toHaveAttribute("inputmode", "numeric");
  await page.setViewportSize(PHONE);
  await expect(minutes).toHaveCSS("font-size", "16px");
});
