import { audit } from "@/e2e/audit";
import { DEMO, expect, test, waitUntilInteractive } from "@/e2e/fixtures";

// Settings → Import: matching, trying, importing and undoing a file on one screen.

test("a file is matched, tried, imported and undone, including on a narrow screen", async ({ page }) => {
  const data = { email: DEMO.administrator, password: DEMO.password };
  expect((await page.request.post("/api/login", { data })).status()).toBe(200);
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const countOf = (label: string) => page.locator("dl > div").filter({ hasText: label }).locator("dd");

  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/settings/imports");
  await waitUntilInteractive(page);
  await expect(page.getByText("No imports yet.")).toBeVisible();
  const text = "Id,Name,Born,Safe to Call\n1,Imke Import,02/29/1984,yes\n2,Ivo Import,,perhaps\n";
  await page.getByLabel("File", { exact: true }).setInputFiles({
    ...{ name: "clients.csv", mimeType: "text/csv", buffer: Buffer.from(text) },
  });
  await button("Upload the file").click();
  await expect(page.getByRole("heading", { name: "Columns", exact: true })).toBeVisible();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("name");
  await page.getByLabel("Born").selectOption({ label: "Client Biographical: Date of Birth" });
  await audit(page, "the columns of an import");

  await button("Dry run").click();
  await expect(countOf("Would be imported")).toHaveText("1");
  await expect(page.getByText("Dry run finished, 1 would be imported from 2 rows")).toBeVisible();
  await expect(page.getByText(/Row 3: .*Safe to Call must be Yes or No/)).toBeVisible();
  await page.setViewportSize({ width: 1280, height: 900 });
  await button("Import 2 rows").click();
  await expect(page.getByRole("heading", { name: "Clients: finished" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Download rejected rows (CSV)" })).toBeVisible();
  await audit(page, "the result of an import");

  const importedClients = async () =>
    (await (await page.request.get("/api/clients?search=Imke+Import")).json()).clients;
  expect(await importedClients()).toHaveLength(1);
  await button("Undo the import").click();
  await page.getByRole("dialog").getByRole("button", { name: "Undo", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Clients: undone" })).toBeVisible();
  expect(await importedClients()).toEqual([]);
});
