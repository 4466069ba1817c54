import { expect, signIn, test } from "@/e2e/fixtures";
import { addDays, date, today } from "@/lib/core/text/format";

// The server is in America (e2e/zone.ts). One of these places always has another day.
const PLACES = ["Pacific/Kiritimati", "Pacific/Pago_Pago"];

// An error while React takes over the server's HTML fails these tests (`pageErrors`).
for (const timezoneId of PLACES)
  test.describe(`a browser in ${timezoneId}`, () => {
    test.use({ timezoneId });
    test("shows the organization's day on every screen with a day", async ({ page, database }) => {
      await signIn(page);
      const shownDay = () => page.getByLabel("Service On *").inputValue();
      await page.goto("/forms/new");
      expect(await shownDay()).toBe(date(today()));
      await page.getByRole("button", { name: "Choose Service On" }).click();
      await expect(page.getByRole("button", { name: /^Today, / })).toHaveAccessibleName(
        `Today, ${new Intl.DateTimeFormat("en-US", { dateStyle: "full", timeZone: "UTC" }).format(new Date(today()))}`,
      );
      const { rows } = await database.query("SELECT id, client_id FROM forms ORDER BY id LIMIT 1");
      for (const path of [
        "/home",
        "/forms",
        "/clients",
        `/clients/${rows[0].client_id}`,
        `/clients/${rows[0].client_id}/history`,
        `/clients/${rows[0].client_id}/print`,
        "/contacts",
        "/activities",
        "/shelter",
        "/stays",
        "/reports",
        "/reports/time",
        "/reports/pmt",
        "/profile",
        "/settings/audit_log",
        "/settings/retention",
        "/settings/users",
        `/forms/${rows[0].id}`,
        `/forms/${rows[0].id}/history`,
      ])
        await page.goto(path);
    });
  });

test("a browser whose clock is a day ahead shows the organization's day", async ({ page }) => {
  await signIn(page);
  await page.clock.install({ time: `${addDays(today(), 1)}T12:00:00` });
  await page.goto("/forms/new");
  await expect(page.getByLabel("Service On *")).toHaveValue(date(today()));
});
