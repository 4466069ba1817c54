import { button, DEMO, expect, expectNotification, signIn, test, uniqueName } from "@/e2e/fixtures";

// The words that a screen reader is given: names of the accessibility tree, and live regions.

test("a client search, a draft, a blocked save and a good save are spoken", async ({ page }) => {
  const spoken = (words: string) => page.locator("[aria-live], [role=status], [role=alert]").getByText(words);
  await signIn(page);
  const name = uniqueName("Spoken Client");
  await page.request.post("/api/clients", { data: { client: { name } } });
  await page.goto("/forms/new");
  await page.getByLabel("Form Type *").selectOption({ label: "Service" });
  await page.getByLabel("Service Status *").selectOption("Served");
  await page.getByLabel("Continuing Client").check();
  await page.getByRole("combobox", { name: "Client" }).pressSequentially(name);
  await expect(spoken("1 matching client")).toBeAttached();
  await page.getByRole("option", { name }).click();
  const minutes = page.getByLabel(/^Minutes for /).first();
  await minutes.fill("25");
  await expect(spoken("The draft is saved.")).toBeAttached();
  await minutes.fill("-5");
  await button(page, "Save").click();
  await expect(page.getByRole("alert").filter({ hasText: "Minutes" })).toBeVisible();
  await minutes.fill("25");
  await button(page, "Save").click();
  await expectNotification(page, "Created form successfully");

  const box = page.getByRole("checkbox", { name: `Select ${name}, Service, ` });
  await expect(box).toBeVisible();
  const row = page.getByRole("row").filter({ has: box });
  await expect(row.getByRole("link", { name: /^\d\d\/\d\d\/\d{4}$/ })).toBeVisible();
  await expect(
    row.getByRole("group", { name: `Actions for ${name}` }).getByRole("link", { name: "Edit" }),
  ).toBeVisible();
});

test("the calendar opens as a dialog with its title, on the chosen day", async ({ page }) => {
  await signIn(page, DEMO.advocate);
  await page.goto("/clients/new");
  await page.getByLabel("Date of Birth", { exact: true }).fill("03/14/1985");
  await button(page, "Choose Date of Birth").click();
  const dialog = page.getByRole("dialog", { name: "Date of Birth" });
  await expect(dialog.getByRole("button", { name: "Thursday, March 14, 1985" })).toBeFocused();
});
