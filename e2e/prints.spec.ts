import { expect, signIn, test } from "@/e2e/fixtures";
import { pdfPages } from "@/e2e/pdf";

test("prints of a form, lists, reports and a whole record have no blank page and whole dates, and charts their bars", async ({
  page,
  database,
}) => {
  // A record opens the browser's print dialog itself.
  await page.addInitScript(() => Object.assign(window, { print: () => {} }));
  await signIn(page);
  const { rows } = await database.query(
    "SELECT f.id, f.client_id FROM forms f JOIN form_types t ON t.id = f.form_type_id WHERE t.name = 'Legal Advocacy' ORDER BY f.id LIMIT 1",
  );
  const form = `/forms/${rows[0].id}`;
  const print = async (path: string) => {
    await page.goto(path);
    return pdfPages(await page.pdf({ format: "Letter" }));
  };
  const record = `/clients/${rows[0].client_id}/print`;
  for (const path of [
    form,
    `${form}/edit`,
    record,
    "/forms",
    "/clients",
    "/reports",
    "/reports/pmt",
    "/home",
  ]) {
    const pages = await print(path);
    const lines = pages.map((text) => text.split("\n").filter((line) => line.trim() !== ""));
    // A page has its number, and more.
    for (const [index, shown] of lines.entries())
      expect(shown.length, `page ${index + 1} of ${path}`).toBeGreaterThan(5);
    expect(lines.flat().filter((line) => /^\d\d\/(\d\d\/?)?$|^\/?\d\d\/\d{4}$/.test(line))).toEqual([]);
  }
  expect(await print("/reports")).toHaveLength(1);
  await page.emulateMedia({ media: "print" });
  const bars = page.locator(".chart-bar");
  await expect(bars).not.toHaveCount(0);
  for (const bar of await bars.all()) await expect(bar).toHaveCSS("print-color-adjust", "exact");
});
