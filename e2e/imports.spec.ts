import { audit } from "@/e2e/audit";
import { DEMO, expect, test, waitUntilInteractive } from "@/e2e/fixtures";

// Settings → Import: matching, reading, checking, importing and undoing a file on one screen.

test("a file is matched, read, checked, imported and undone, including on a narrow screen", async ({
  page,
}) => {
  const data = { email: DEMO.administrator, password: DEMO.password };
  expect((await page.request.post("/api/login", { data })).status()).toBe(200);
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const countOf = (label: string) => page.locator("dl > div").filter({ hasText: label }).locator("dd");

  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/settings/imports");
  await waitUntilInteractive(page);
  await expect(page.getByRole("heading", { name: "Previous imports", exact: true })).toBeVisible();
  const text =
    "Id,Last Name,First Name,Birth Day,Sex,OK to call?,Zip\n" +
    "1,Import,Imke,25/02/1984,F,yes,7102\n2,Import,Ivo,04/05/1990,Whale,x,none\n";
  await page.getByLabel("File", { exact: true }).setInputFiles({
    name: "clients.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(text),
  });
  await button("Upload the file").click();
  await expect(page.getByRole("heading", { name: "Columns", exact: true })).toBeVisible();
  await expect(page.getByLabel("First Name", { exact: true })).toHaveValue("name.first");
  await expect(page.getByText("Imke · Ivo")).toBeVisible();
  const headings = page.getByLabel("Headings are in", { exact: true });
  await expect(headings).toHaveValue("1");
  await headings.selectOption({ label: "No row: the file has no headings" });
  await expect(page.getByLabel("Column 3", { exact: true })).toHaveValue("");
  await button("Check 3 rows").click();
  await expect(page.getByText("Client Name needs a column")).toBeInViewport();
  let read = () => {};
  const isRead = new Promise<void>((resolve) => {
    read = resolve;
  });
  const sent: unknown[] = [];
  await page.route("**/api/imports/*/headings", async (route) => {
    sent.push(route.request().postDataJSON());
    await isRead;
    await route.continue();
  });
  await headings.selectOption("1");
  await headings.selectOption("2");
  read();
  await expect(page.getByLabel("First Name", { exact: true })).toHaveValue("name.first");
  await expect(headings).toHaveValue("1");
  expect(sent).toEqual([{ import: { headingRow: 1 } }]);
  await page.getByLabel("Birth Day").selectOption({ label: "Date of Birth" });
  await audit(page, "the columns of an import");

  await button("Next: values").click();
  await expect(page.getByRole("heading", { name: "Values", exact: true }).locator("span")).toBeFocused();
  await expect(page.getByText("“none” (1 row)")).toBeVisible();
  await button("Check 2 rows").click();
  await expect(page.getByText("Answer the question about the dates in “Birth Day” first.")).toBeVisible();
  await page.getByRole("radio", { name: /^Day first/ }).check();
  await page.getByLabel("x", { exact: true }).selectOption({ label: "Yes" });
  await audit(page, "the values of an import");

  await button("Check 2 rows").click();
  await expect(countOf("Would be imported")).toHaveText("1");
  await expect(page.getByText("Checked, 1 would be imported from 2 rows")).toBeVisible();
  await expect(page.getByRole("heading", { name: "1 row cannot be imported yet" })).toBeVisible();
  await expect(page.getByText(/Row 3: .*Gender.*“Whale”/)).toBeVisible();
  await expect(page.getByRole("heading", { name: "Will be left blank" })).toHaveCount(0);
  await audit(page, "the problems of an import");
  await page.setViewportSize({ width: 1280, height: 900 });
  await button("Import 1 of 2 rows").click();
  await expect(page.getByRole("heading", { name: "Clients: finished" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Download rejected rows (CSV)" })).toBeVisible();
  await expect(page.getByRole("main").getByRole("link", { name: "Clients", exact: true })).toHaveAttribute(
    "href",
    "/clients",
  );
  await audit(page, "the result of an import");

  const importedClients = async () =>
    (await (await page.request.get("/api/clients?search=Imke+Import")).json()).clients;
  expect(await importedClients()).toHaveLength(1);
  await button("Undo the import").click();
  await page.getByRole("dialog").getByRole("button", { name: "Undo", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Clients: undone" })).toBeVisible();
  expect(await importedClients()).toEqual([]);
});

test("a file whose headings another tab chose is shown as it is, with the fields that were chosen here", async ({
  page,
  context,
}) => {
  const data = { email: DEMO.administrator, password: DEMO.password };
  expect((await page.request.post("/api/login", { data })).status()).toBe(200);
  const upload = await page.request.post("/api/imports?kind=clients", {
    headers: { "content-type": "application/octet-stream" },
    data: Buffer.from("City,Phone,,Unit\nFamily,Given,Town,Sex\nTabs,Ann,Erie,F\nTabs,Bob,York,Whale\n"),
  });
  const { id } = (await upload.json()).import;
  const headings = { import: { headingRow: 1 } };
  expect((await page.request.put(`/api/imports/${id}/headings`, { data: headings })).status()).toBe(200);
  const open = async (tab: typeof page) => {
    await tab.goto(`/settings/imports?id=${id}`);
    await waitUntilInteractive(tab);
  };
  await open(page);
  const other = await context.newPage();
  await open(other);
  await page.getByLabel("Unit", { exact: true }).selectOption({ label: "Gender" });
  await page.getByLabel("City", { exact: true }).selectOption("name");
  await page.getByRole("button", { name: "Next: values", exact: true }).click();
  await page.getByLabel("Whale", { exact: true }).selectOption({ label: "Leave blank" });
  await page.getByLabel("Sex", { exact: true }).selectOption({ label: "Leave blank" });

  await other.getByLabel("Headings are in", { exact: true }).selectOption("2");
  await expect(other.getByLabel("Family", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: /^Check/ }).click();
  await expect(page.getByText("Other headings were chosen for this file")).toBeInViewport();
  await expect(page.getByLabel("Headings are in", { exact: true })).toHaveValue("2");
  await expect(page.getByLabel("Sex", { exact: true })).toHaveValue("clientDemographicEntry.gender");
  await expect(page.getByLabel("Family", { exact: true })).toHaveValue("name");
  await expect(page.getByLabel("Town", { exact: true })).toHaveValue("clientBiographicalEntry.city");

  await page.getByRole("button", { name: "Next: values", exact: true }).click();
  await expect(page.getByLabel("Whale", { exact: true })).toHaveValue("=");
  await page.getByRole("button", { name: "Check 2 rows", exact: true }).click();
  await expect(page.getByRole("button", { name: "Import 2 rows", exact: true })).toBeVisible();
  await other.getByRole("button", { name: "Delete the file", exact: true }).click();
  await expect(other.getByRole("heading", { name: "Clients: canceled" })).toBeVisible();
  await page.getByRole("button", { name: "Import 2 rows", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Clients: canceled" })).toBeVisible();
  await expect(page.getByText("This import was canceled, and its file is deleted.")).toBeVisible();
});
