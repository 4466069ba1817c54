import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { audit } from "@/e2e/audit";
import { DEMO, expect, test } from "@/e2e/fixtures";
import { filesIn } from "@/tests/zip";

// Exports: lists as files, a client's whole record, and all data at once.

const saveDownload = async (page: Page, press: () => Promise<void>) => {
  const [download] = await Promise.all([page.waitForEvent("download"), press()]);
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
};

test("lists, a client's record and, after a password confirmation, all data are downloaded, or the reason is shown", async ({
  page,
}) => {
  const data = { email: DEMO.administrator, password: DEMO.password };
  expect((await page.request.post("/api/login", { data })).status()).toBe(200);
  const { client } = await (
    await page.request.post("/api/clients", { data: { client: { name: "Olive Outbound" } } })
  ).json();

  await page.goto("/settings/canines");
  await page.getByRole("button", { name: "Export" }).click();
  const sheet = await saveDownload(page, () => page.getByRole("link", { name: "XLSX" }).click());
  expect(sheet.name).toBe("canines.xlsx");
  expect(sheet.bytes.subarray(0, 2).toString()).toBe("PK");
  await audit(page, "a settings list with its files");

  await page.goto(`/clients/${client.id}`);
  const record = await saveDownload(page, () =>
    page.getByRole("link", { name: "Download the whole record (JSON)", exact: true }).click(),
  );
  expect(record.name).toBe("client_record.json");
  expect(JSON.parse(record.bytes.toString()).client.name).toBe("Olive Outbound");
  await audit(page, "a client whose record can be downloaded");

  await page.goto("/settings/all_data");
  await expect(page.getByRole("heading", { name: "All Data", level: 1 })).toBeVisible();
  await audit(page, "all data");
  const refusals = [
    { status: 403, json: { error: "Please enter your password", code: "proof_needed" } },
    { status: 409, json: { error: "All data is already being downloaded.", code: "conflict_busy" } },
  ];
  await page.route("**/api/archive.zip", (route) => {
    const refusal = refusals.shift();
    return refusal ? route.fulfill(refusal) : route.continue();
  });
  const download = page.getByRole("button", { name: "Download all data" });
  await download.click();
  await page.getByRole("dialog").getByLabel("Password").fill(DEMO.password);
  await page.keyboard.press("Enter");
  await expect(page.getByText("All data is already being downloaded.")).toBeVisible();
  await expect(page).toHaveURL("/settings/all_data");
  const archive = await saveDownload(page, () => download.click());
  expect(archive.name).toBe("lanternbook_data.zip");
  const files = await filesIn(archive.bytes);
  expect(files.get("clients.csv")).toContain("Olive Outbound");
  expect(files.has("datapackage.json")).toBe(true);
});
