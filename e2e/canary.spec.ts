import type { Page } from "@playwright/test";
import type pg from "pg";
import readExcelFile from "read-excel-file/node";
import * as z from "zod/mini";
import { test as base, DEMO, expect } from "@/e2e/fixtures";
import { clientSchema } from "@/lib/clients/schema";
import { toWire } from "@/lib/core/fields/wire";
import { formSchema } from "@/lib/forms/schema";
import { type Ingest, startIngest } from "@/tests/ingest";

// On the running program, a word typed into every text field never leaves it, despite any failure. It reaches neither
// the error-reporting service (a fake stores every byte), the log, a URL nor the browser's storage.

const CANARY = "Kanarienvogel";

const test = base.extend<object, { ingest: Ingest }>({
  ingest: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from this pattern which fixtures it needs.
    async ({}, use) => {
      const ingest = await startIngest();
      await use(ingest);
      await ingest.close();
    },
    { scope: "worker" },
  ],
  serverEnv: [
    async ({ ingest }, use) => use({ SENTRY_DSN: ingest.dsn, SENTRY_ENVIRONMENT: "staging" }),
    { scope: "worker" },
  ],
  // Pages throw here on purpose.
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from this pattern which fixtures it needs.
  pageErrors: async ({}, use) => use(undefined),
});

type JsonSchema = {
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  enum?: string[];
};

/** Returns a value of the schema with the canary in every text without a format of its own. */
function sample(schema: JsonSchema, name = ""): unknown {
  if (schema.anyOf) return sample(schema.anyOf.find(({ type }) => type !== "null") ?? {}, name);
  if (schema.properties) {
    const fields = Object.entries(schema.properties).filter(
      ([field]) => !["id", "lockVersion", "_destroy", "custom"].includes(field),
    );
    return Object.fromEntries(fields.map(([field, inner]) => [field, sample(inner, field)]));
  }
  if (schema.items) return [sample(schema.items, name)];
  if (schema.enum) return schema.enum[0];
  const types = [schema.type].flat();
  if (types.includes("boolean")) return true;
  if (types.includes("integer") || types.includes("number")) return 1;
  if (/On$|^dateOfBirth$/.test(name)) return "2026-01-02";
  if (/^phone/i.test(name)) return "(555) 010-0199";
  return `${CANARY} ${name}`;
}

const bodyOf = (schema: z.ZodMiniObject) =>
  toWire(
    schema,
    sample(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as JsonSchema) as Record<
      string,
      unknown
    >,
  );

async function signIn(page: Page) {
  await page.goto("/");
  await page.getByLabel("Email").fill(DEMO.administrator);
  await page.getByLabel("Password").fill(DEMO.password);
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page.getByRole("heading", { name: "Forms", level: 1 })).toBeVisible();
}

/** Makes the page call the API, and returns the status of the response. */
const send = (page: Page, method: string, path: string, body: unknown): Promise<number> =>
  page.evaluate(
    async ([method, path, body]) => {
      const headers = { "content-type": "application/json" };
      return (await fetch(path, { method, headers, body })).status;
    },
    [method, path, JSON.stringify(body)] as const,
  );

/**
 * Returns the content of the Audit Log's screens and exports, by source: its newest events and all about the client.
 */
async function auditTrail(page: Page, client: number): Promise<Record<string, string>> {
  const audit = await page.context().newPage();
  const ofClient = `?filters[entity]=client&filters[entityId]=${client}`;
  const texts: Record<string, string> = {};
  for (const query of ["", ofClient]) {
    await audit.goto(`/settings/audit_log${query}${query ? "&" : "?"}filters[views]=true`);
    await expect(audit.getByRole("heading", { name: "Audit Log", level: 1 })).toBeVisible();
    texts[`the screen ${query}`] = await audit.content();
    const readPage = async (path: string) => {
      const response = await audit.request.get(`/api/audit_events${path}${query}`);
      expect(response.status(), path).toBe(200);
      return response.body();
    };
    texts[`JSON ${query}`] = JSON.stringify(JSON.parse(String(await readPage(""))));
    texts[`CSV ${query}`] = String(await readPage(".csv"));
    texts[`XLSX ${query}`] = JSON.stringify(await readExcelFile(await readPage(".xlsx")));
  }
  await audit.close();
  return texts;
}

/** Runs `work` while no row can be written to `table`. */
async function whileTableIsReadOnly(database: pg.Client, table: string, work: () => Promise<void>) {
  await database.query(`ALTER TABLE ${table} ADD CONSTRAINT closed CHECK (false) NOT VALID`);
  await work().finally(() => database.query(`ALTER TABLE ${table} DROP CONSTRAINT closed`));
}

/** Runs `work` while reading a client fails with an error that quotes its name. */
async function whileClientsAreUnreadable(database: pg.Client, work: () => Promise<void>) {
  const { rows } = await database.query<{ column_name: string }>(
    "SELECT column_name FROM information_schema.columns WHERE table_name = 'clients' ORDER BY ordinal_position",
  );
  const columns = rows.map(({ column_name: name }) => (name === "name" ? "name::int::text AS name" : name));
  await database.query(
    `ALTER TABLE clients RENAME TO kept; CREATE VIEW clients AS SELECT ${columns.join(", ")} FROM kept WHERE name LIKE '${CANARY}%'`,
  );
  await work().finally(() => database.query("DROP VIEW clients; ALTER TABLE kept RENAME TO clients"));
}

test("no text typed by a user leaves the program, whatever fails", async ({
  page,
  context,
  server,
  ingest,
  database,
}) => {
  const addresses: string[] = [];
  page.on("request", (request) => addresses.push(request.url()));
  page.on("framenavigated", (frame) => addresses.push(frame.url()));
  const reportedRoutes = () =>
    ingest.events().map(({ tags }) => `${tags.origin} ${tags.route} ${tags.status ?? ""}`.trim());

  await signIn(page);
  const client = bodyOf(clientSchema);
  const form = bodyOf(formSchema);
  expect(JSON.stringify([client, form]).split(CANARY).length).toBeGreaterThan(20);

  await test.step("validation errors", async () => {
    const wrong = { verbalConfirmation: CANARY, [CANARY]: CANARY };
    expect(await send(page, "POST", "/api/clients", { client: { ...client, ...wrong } })).toBe(422);
    expect(await send(page, "POST", "/api/forms", { form: { ...form, ...wrong } })).toBe(422);
    expect(await send(page, "POST", "/api/forms", [CANARY])).toBe(422);
    expect(await send(page, "POST", "/api/forms/1/return", { comment: `${CANARY} `.repeat(200) })).toBe(422);
    expect(await send(page, "PUT", `/api/drafts/${"x".repeat(200)}`, { draft: { content: form } })).toBe(422);
    expect(await send(page, "PUT", "/api/two_step", { otp: CANARY.repeat(20) })).toBe(422);
  });

  await test.step("database errors", async () => {
    await whileTableIsReadOnly(database, "clients", async () => {
      expect(await send(page, "POST", "/api/clients", { client })).toBe(500);
    });
    await whileTableIsReadOnly(database, "forms", async () => {
      const { rows } = await database.query(
        `INSERT INTO form_types (name, phone_entry, on_call_advocacy_entry, legal_advocacy_entry, survivor_entry, service_entry)
         VALUES ('All', true, true, true, true, true) RETURNING id`,
      );
      await database.query(
        "INSERT INTO service_code_form_types (service_code_id, form_type_id) VALUES (1, $1)",
        [rows[0].id],
      );
      const body = { form: { ...form, formTypeId: rows[0].id } };
      expect(await send(page, "POST", "/api/forms", body)).toBe(500);
    });
  });

  await test.step("an unsaved screen", async () => {
    await page.goto("/forms/new");
    for (const type of await page.getByLabel("Form Type").getByRole("option").allTextContents()) {
      if (!type.trim() || type.startsWith("--")) continue;
      await page.getByLabel("Form Type").selectOption(type);
      const boxes = page.locator("main input[type=text]:visible:not([readonly]), main textarea:visible");
      for (const box of await boxes.all()) await box.fill(CANARY);
    }
    // The last field's error appears as Save is pressed, and can move the button away from the mouse.
    await expect(async () => {
      await page.getByRole("button", { name: "Save" }).first().click();
      await expect(page.getByRole("alert").filter({ hasText: "Not saved" })).toBeVisible({ timeout: 5_000 });
    }).toPass();
    await expect(page.getByText("Draft saved", { exact: true })).toBeVisible();
  });

  await test.step("render errors", async () => {
    await send(page, "POST", "/api/clients", { client: { name: CANARY, verbalConfirmation: true } });
    await page.goto("/forms");
    await whileClientsAreUnreadable(database, async () => {
      expect((await page.goto("/clients"))?.status()).toBe(500);
      await expect(page.getByRole("heading", { name: "Something went wrong" })).toBeVisible();
      expect(await page.evaluate(async () => (await fetch("/api/clients")).status)).toBe(500);
      // These reports may exceed the limit per minute, but the log and the URLs are checked in any case.
      const { rows } = await database.query("SELECT id FROM kept WHERE name = $1", [CANARY]);
      for (const path of [`/clients/${rows[0].id}`, `/clients/${rows[0].id}/print`, "/home"])
        expect((await page.goto(path))?.status(), path).toBe(500);
    });
  });

  await test.step("browser errors", async () => {
    const kinds = () => {
      const here = ingest.events().filter(({ transaction }) => transaction === "/clients/new");
      return here.map(({ exception }) => exception.values[0].type).sort();
    };
    await page.goto("/clients/new");
    // No script listens before the page is interactive.
    await expect(page.getByRole("button", { name: "Save" })).toBeEnabled();
    await page.evaluate((word) => {
      setTimeout(() => {
        throw new TypeError(`Cannot read ${word}\n    at ${word} (${location.origin}/${word}.js:1:2)`);
      });
      void Promise.reject(new RangeError(word));
      void Promise.reject(word);
    }, CANARY);
    await expect.poll(kinds).toEqual(["RangeError", "TypeError"]);

    // An error page catches a component that throws while it renders, so the error never reaches the window.
    await page.addInitScript((word) => {
      const { filter } = Array.prototype;
      Array.prototype.filter = function (this: { createdOn?: string }[], ...args: [never]) {
        if (this[0]?.createdOn) throw new Error(word);
        return filter.apply(this, args);
      } as typeof filter;
    }, CANARY);
    await page.goto("/clients");
    await expect(page.getByRole("heading", { name: "Something went wrong" })).toBeVisible();
  });

  await expect
    .poll(reportedRoutes)
    .toEqual(
      expect.arrayContaining([
        "server /api/clients 422",
        "server /api/forms 422",
        "server /api/drafts/{key} 422",
        "server /api/two_step 422",
        "server /api/clients 500",
        "server /api/forms 500",
        "server /clients 500",
        "browser /clients/new",
        "browser /clients",
      ]),
    );
  const audit =
    await test.step("the audit trail of a client, a change, a search, a hold and a sign-in", async () => {
      const made = await page.request.post("/api/clients", { data: { client } });
      const { id, lockVersion } = (await made.json()).client;
      const changed = { client: { name: `${CANARY} the Second`, lockVersion } };
      expect(await send(page, "PUT", `/api/clients/${id}`, changed)).toBe(200);
      expect(await send(page, "POST", "/api/clients/search", { search: CANARY })).toBe(200);
      expect(await send(page, "PUT", `/api/clients/${id}/hold`, { hold: { reason: CANARY } })).toBe(200);
      const wrong = { email: `${CANARY}@example.org`, password: CANARY };
      expect(await send(page, "POST", "/api/login", wrong)).toBe(401);
      const texts = await auditTrail(page, id);
      for (const [where, text] of Object.entries(texts)) {
        const named = where.startsWith("JSON") ? `"entityId":${id}` : `client ${id}`;
        expect(text, where).toContain(named);
      }
      return texts;
    });
  const storage = JSON.stringify([
    await context.storageState({ indexedDB: true }),
    await page.evaluate(async () => [
      ...[{ ...sessionStorage }, { ...localStorage }, document.cookie, window.name, history.state],
      ...[await indexedDB.databases(), await caches?.keys()],
    ]),
  ]);
  const leaks = {
    ...audit,
    reports: ingest.received(),
    log: server.output(),
    addresses: addresses.join("\n"),
    storage,
  };
  for (const [where, text] of Object.entries(leaks)) {
    expect(text.length, where).toBeGreaterThan(10);
    expect(text.toLowerCase().includes(CANARY.toLowerCase()), where).toBe(false);
  }
  // One line for each request, with its route instead of its URL.
  const lines = server
    .output()
    .split("\n")
    .filter((line) => line.includes('"message":"Request"'));
  expect(lines.map((line) => JSON.parse(line))).toContainEqual({
    level: "info",
    time: expect.any(String),
    message: "Request",
    requestId: expect.any(String),
    method: "POST",
    route: "/api/clients",
    userId: expect.any(Number),
    status: 500,
    ms: expect.any(Number),
  });
});

test("failures of Login and Update Password are not reported", async ({ page, ingest }) => {
  const before = ingest.events().length;
  await page.goto("/");
  expect(await send(page, "POST", "/api/login", { email: `${CANARY}@example.org`, password: CANARY })).toBe(
    401,
  );
  expect(await send(page, "POST", "/api/login", { login: { email: CANARY } })).toBe(422);
  const code = { email: `${CANARY}@example.org`, password: CANARY, otp: CANARY.repeat(20) };
  expect(await send(page, "POST", "/api/login", code)).toBe(422);
  const password = { token: CANARY, password: `${CANARY}-1`, passwordConfirmation: `${CANARY}-1` };
  expect(await send(page, "PUT", "/api/forgot_password", password)).toBe(422);
  // The last of these is reported. Reports of the earlier ones would have arrived by then.
  for (const [path, button] of [
    ["/", "Sign In"],
    [`/update_password/${CANARY}`, "Update Password"],
    ["/forgot_password", "Reset Password"],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole("button", { name: button })).toBeEnabled();
    const reportResponse = page.waitForResponse("**/api/browser_errors");
    await page.evaluate(() => void Promise.reject(new Error("on purpose")));
    expect((await reportResponse).status()).toBe(204);
  }
  const newReports = () => ingest.events().slice(before);
  await expect.poll(() => newReports().length).toBeGreaterThan(0);
  expect(newReports().map(({ transaction }) => transaction)).toEqual(["/forgot_password"]);
});
