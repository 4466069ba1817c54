import type { APIRequestContext, Locator, Page } from "@playwright/test";

// The pictures of the guide, and how to get to the screen that each shows. A page names a picture as it is named here.

/** The accounts of practice mode, by the first part of their emails. */
export type Reader = "admin" | "advocate" | "supervisor" | "director";

export type Picture = {
  as: Reader;
  /** Opens the page and brings it into the state to show. */
  show: (page: Page) => Promise<unknown>;
  /** The part of the page to show; the whole content if it is missing. */
  part?: (page: Page) => Locator;
};

const at = (path: string) => async (page: Page) => {
  const response = await page.goto(path);
  if (response?.status() !== 200) throw new Error(`${path} has the status ${response?.status()}`);
};
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).first();
/** The part of the page with this heading. */
const section = (title: string) => (page: Page) =>
  page
    .locator("section, details")
    .filter({ has: page.getByRole("heading", { name: title, exact: true }) })
    .first();
/** The control with this label, which has a star if it is required. */
const control = (page: Page, label: string) => page.getByLabel(new RegExp(`^${label}( \\*)?$`));
const dialog = (page: Page) => page.getByRole("dialog");

/** Opens a new form of a type, as Home's button does. */
const newForm = (type: string) => async (page: Page) => {
  await page.goto("/home");
  await page.getByRole("link", { name: type, exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "New Form" }).waitFor();
};

/** Types the name of a new client into a new form. */
async function nameClient(page: Page, name: string) {
  await page.getByLabel("Continuing Client").uncheck();
  await control(page, "Client Name").fill(name);
}

/** On a phone, one section of a form is open at a time. */
async function openSection(page: Page, title: string) {
  const opener = page.getByRole("button", { name: title, exact: true });
  if (await opener.isVisible()) await opener.click();
}

const CLIENTS_CSV = `Id,Client Name,Created On,City,Notes
101,Petra Pancakeworth,01/15/2026,Samplesburg,old system
102,Ida Inkfeather,02/20/2026,Exampleton,
`;

/** The picture of README.md: a whole page with header and menu. */
export const README_PICTURE: Picture = {
  as: "supervisor",
  show: at("/forms"),
  part: (page) => page.locator("body"),
};

export const PICTURES: Readonly<Record<string, Picture>> = {
  home: { as: "advocate", show: at("/home") },
  finder: {
    as: "advocate",
    async show(page) {
      await page.goto("/clients");
      await button(page, "Find or start").click();
      await dialog(page).getByLabel("Client, form number, setting, or action").fill("moon");
      await dialog(page).getByRole("option").first().waitFor();
    },
    part: dialog,
  },
  "client-page": { as: "advocate", show: at("/clients/2") },
  "form-details": {
    as: "advocate",
    async show(page) {
      await newForm("Phone")(page);
      await page.getByLabel("Continuing Client").check();
      await control(page, "Client").fill("moon");
      await page.locator("[role=option]").first().waitFor();
    },
    part: (page) => page.locator("#details"),
  },
  "form-services": {
    as: "advocate",
    async show(page) {
      await newForm("Phone")(page);
      await openSection(page, "Services");
      await page.getByLabel("Filter codes").fill("coun");
    },
    part: (page) => page.locator("#services"),
  },
  "on-call": {
    as: "advocate",
    async show(page) {
      await newForm("On-Call Advocacy")(page);
      await nameClient(page, "Wanda Windowsill");
      await openSection(page, "On-Call Advocacy");
      await control(page, "Place of Service").selectOption("Hospital");
    },
    part: (page) => page.locator("#main form"),
  },
  "legal-advocacy": {
    as: "advocate",
    async show(page) {
      await newForm("Legal Advocacy")(page);
      await openSection(page, "Legal Advocacy");
      await control(page, "Place of Service").selectOption("PFA Court");
    },
    part: (page) => page.locator("section[data-section]").filter({ hasText: "Place of Service" }).first(),
  },
  drafts: {
    as: "advocate",
    async show(page) {
      const { drafts } = await (await page.request.get("/api/drafts")).json();
      for (const { key } of drafts) await page.request.delete(`/api/drafts/${key}`);
      await newForm("Service")(page);
      await nameClient(page, "Theo Teaspoonley");
      await page.getByText("Draft saved").first().waitFor({ state: "attached" });
      page.on("dialog", (question) => void question.accept());
      await page.goto("/home");
    },
    part: (page) => page.getByRole("region", { name: "Drafts" }),
  },
  returned: {
    as: "advocate",
    async show(page) {
      await page.goto("/home");
      await section("Returned to me")(page).getByRole("listitem").getByRole("link").first().click();
      await page.getByText("Reply").first().waitFor();
    },
  },
  "quick-entry": { as: "advocate", show: at("/contacts") },
  "shelter-board": { as: "advocate", show: at("/shelter") },
  "my-time": { as: "supervisor", show: at("/reports/time?userId=2") },
  "read-forms": {
    as: "supervisor",
    async show(page) {
      await page.goto("/forms?perPage=5");
      // On a phone it is hidden until forms are selected.
      const ids = page.locator("a", { hasText: /^Review these \d+$/ });
      await page.goto((await ids.first().getAttribute("href")) ?? "");
      await button(page, /^Return form/).click();
    },
  },
  "closed-periods": {
    as: "director",
    async show(page) {
      await at("/settings/closed_periods")(page);
      await page.getByLabel("Close through").selectOption({ index: 1 });
    },
  },
  "hide-client": {
    as: "supervisor",
    show: at("/clients/1"),
    part: section("Hidden from colleagues"),
  },
  merge: { as: "supervisor", show: at("/clients/1/merge?with=2") },
  "reports-overview": { as: "director", show: at("/reports") },
  "report-gaps": {
    as: "director",
    show: at("/reports/pmt"),
    part: (page) => page.locator("#gaps"),
  },
  submission: { as: "director", show: at("/reports/pmt"), part: section("Submission") },
  user: { as: "admin", show: at("/settings/users/new") },
  role: { as: "admin", show: at("/settings/roles/new") },
  "service-code": { as: "admin", show: at("/settings/service_codes/new") },
  import: {
    as: "admin",
    async show(page) {
      await page.goto("/settings/imports");
      const file = { name: "clients.csv", mimeType: "text/csv", buffer: Buffer.from(CLIENTS_CSV) };
      await page.getByLabel("File", { exact: true }).setInputFiles(file);
      await button(page, "Upload the file").click();
      await button(page, "Next: values").waitFor();
    },
  },
  retention: { as: "admin", show: at("/settings/retention") },
  "audit-log": { as: "admin", show: at("/settings/audit_log") },
};

/** The parts of screens that `docs/develop/style.md` shows in one picture, each with its name. */
export const UI_PARTS: readonly (Picture & { name: string; tallest?: number })[] = [
  {
    name: "Filters and list",
    as: "supervisor",
    show: at("/forms?perPage=5"),
    part: (page) => page.locator("#main > div"),
    tallest: 330,
  },
  {
    name: "Selected rows",
    as: "supervisor",
    async show(page) {
      await page.goto("/forms?perPage=5");
      await page.getByRole("table").getByRole("checkbox").nth(1).check();
    },
    part: (page) => page.locator("#main > div"),
    tallest: 190,
  },
  {
    name: "Date with its calendar",
    as: "advocate",
    async show(page) {
      await newForm("Phone")(page);
      await nameClient(page, "Wanda Windowsill");
      await button(page, /^Choose /).click();
      await dialog(page).waitFor();
    },
    // The calendar is longer than the section.
    part: (page) => page.locator("#main form"),
    tallest: 560,
  },
  {
    name: "Choices and checkboxes on one grid",
    as: "advocate",
    async show(page) {
      await newForm("Legal Advocacy")(page);
      await openSection(page, "Legal Advocacy");
      await control(page, "Place of Service").selectOption("PFA Court");
    },
    part: (page) => page.locator("section[data-section]").filter({ hasText: "Place of Service" }).first(),
    tallest: 360,
  },
  {
    name: "Phone number",
    as: "advocate",
    // A client with a number.
    show: at("/clients/4"),
    part: (page) => page.locator("#main section").first(),
    tallest: 260,
  },
  {
    name: "Buttons: the main one last, at the right",
    as: "admin",
    show: at("/settings/users/new"),
    part: (page) => page.locator("#main form"),
    tallest: 360,
  },
];

/** Adds to the demo records what the pictures need: a returned form and contacts. */
export async function prepare(as: (reader: Reader) => Promise<APIRequestContext>): Promise<void> {
  const advocate = await as("advocate");
  const supervisor = await as("supervisor");
  const { forms } = await (await advocate.get("/api/forms?perPage=5")).json();
  await supervisor.post(`/api/forms/${forms[0].id}/return`, {
    data: { comment: "Was the hotline call on the same day? Then please add its minutes." },
  });
  const { contactKinds } = await (await advocate.get("/api/resource_lists/contact_kinds")).json();
  for (const [index, minutes] of [15, 40, 10].entries()) {
    const contact = { contactKindId: contactKinds[index % contactKinds.length].id, minutes };
    await advocate.post("/api/contacts", { data: { contact } });
  }
}
