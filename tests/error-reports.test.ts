import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { z } from "zod";
import { onRequestError, register } from "@/instrumentation";
import { clientBody } from "@/lib/clients/api-schema";
import { db } from "@/lib/core/database/client";
import { type FieldFacts, fieldsOf } from "@/lib/core/fields/facts";
import { env, parseEnv, type StartEnv } from "@/lib/core/process/env";
import { codeOf, framesOf, MASKED } from "@/lib/core/process/error-frames";
import { maskBody, maskPath } from "@/lib/core/process/error-mask";
import { flushReports } from "@/lib/core/process/error-reports";
import { log, logConsole, logError } from "@/lib/core/process/log";
import { SERVER_VARIABLE } from "@/lib/core/process/own-server";
import { withRequest } from "@/lib/core/process/request-context";
import { recordBrowserError } from "@/lib/core/server/browser-errors";
import { formBody } from "@/lib/forms/api-schema";
import { lookupKeys } from "@/lib/lookups/registry";
import { resourceKeys } from "@/lib/lookups/resources/schema";
import { ROUTES, routeOf } from "@/lib/paths";
import { plainRecordKeys, recordKeys } from "@/lib/records/registry";
import { call, routes } from "@/tests/call";
import { fullClient, fullForm, makeClient, makeUser } from "@/tests/factories";
import { type Ingest, startIngest } from "@/tests/ingest";
import { takeErrors, takeLog } from "@/tests/setup/console";

const CANARY = "Kanarienvogel";

/** Returns the same structure with the canary in place of every text. */
function withCanaries<T>(value: T): T {
  if (typeof value === "string") return `${CANARY} ${value}` as T;
  if (Array.isArray(value)) return value.map(withCanaries) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withCanaries(inner)])) as T;
}

describe("the code of an error", () => {
  test.each([
    ["ECONNREFUSED", "ECONNREFUSED"],
    ["23505", "23505"],
    ["too_slow", "too_slow"],
    ["invalid_client", "invalid_client"],
    ["Jane Doe", "unknown reason"],
    [42, "unknown reason"],
    [undefined, "unknown reason"],
  ])("%j is logged as %j", (code, logged) => {
    expect(codeOf(Object.assign(new Error(CANARY), { code }))).toBe(logged);
  });
});

describe("masking for error reports", () => {
  test("keeps the numbers, booleans and choices of allowed fields, and all field names, but nothing else", () => {
    const body = {
      form: {
        clientId: 12,
        formTypeId: 3,
        serviceStatus: "Served",
        verbalConfirmation: true,
        canineId: null,
        serviceOn: "2026-01-02",
        serviceEntryAttributes: { serviceProvidedEntriesAttributes: [{ minutes: 15, referrals: "Jane" }] },
        Jane: { minutes: 15 },
      },
    };
    expect(maskBody(formBody, body)).toEqual({
      form: {
        clientId: MASKED,
        formTypeId: 3,
        serviceStatus: "Served",
        verbalConfirmation: true,
        canineId: null,
        serviceOn: MASKED,
        serviceEntryAttributes: { serviceProvidedEntriesAttributes: [{ minutes: 15, referrals: MASKED }] },
        [`${MASKED} 8`]: MASKED,
      },
    });
  });

  test.each(["Jane", 8145550134, { name: 1 }, ["Jane"]])(
    "never exposes a value just because its field is known: %j",
    (value) => {
      const form = { formTypeId: value, serviceStatus: value, verbalConfirmation: value };
      expect(JSON.stringify(maskBody(formBody, { form }))).not.toMatch(/Jane|814|:1/);
    },
  );

  test("masks bodies that are not objects, and names such as __proto__", () => {
    expect(maskBody(formBody, "Jane")).toBe(MASKED);
    expect(maskBody(formBody, 7)).toBe(MASKED);
    expect(maskBody(formBody, JSON.parse('{"__proto__": {"minutes": 1}, "constructor": true}'))).toEqual({
      [`${MASKED} 1`]: MASKED,
      [`${MASKED} 2`]: MASKED,
    });
  });

  test("keeps the paths of known fields", () => {
    expect(maskPath(formBody, "form.serviceEntry.serviceProvidedEntries.0.minutes")).toBe(
      "form.serviceEntry.serviceProvidedEntries.0.minutes",
    );
    expect(maskPath(formBody, "form.Jane.55512340")).toBe(`form.${MASKED}.${MASKED}`);
  });

  test("masks all names and values of a body without a schema", () => {
    expect(maskBody(undefined, { minutes: 15, words: ["Jane"] })).toEqual({
      [`${MASKED} 1`]: MASKED,
      [`${MASKED} 2`]: MASKED,
    });
    expect(maskPath(undefined, "form.minutes")).toBe(MASKED);
  });

  test.each([
    ["client", clientBody],
    ["form", formBody],
  ])("knows every field of a %s, and reveals none of its texts, dates or people", (_, schema) => {
    const fields = everyField(schema);
    expect(fields.length).toBeGreaterThan(5);
    const shown = fields.filter(({ inErrorReports }) => inErrorReports);
    expect(shown.filter(({ sensitive }) => sensitive)).toEqual([]);
    expect(new Set(shown.map(({ kind }) => kind))).toEqual(
      new Set(shown.map(({ kind }) => kind).filter((kind) => !["text", "longText", "day"].includes(kind))),
    );
  });
});

function everyField(schema: z.core.$ZodType): FieldFacts[] {
  return fieldsOf(schema).flatMap((field) => [field.facts, ...everyField(field.schema)]);
}

describe("the stack in an error report", () => {
  const root = "/srv/app";
  const stack = (message: string) =>
    [
      `Error: ${message}`,
      "    at async Object.save [as run] (/srv/app/lib/clients/clients.ts:12:34)",
      "    at new Thing (file:///srv/app/.next/server/chunks/a_b~1.js:1:2)",
      "    at /home/jane/elsewhere.ts:3:4",
      "    at node:internal/process/task_queues:95:5",
    ].join("\n");

  test("holds only locations below the project root, without the message", () => {
    expect(framesOf({ message: "x", stack: stack("x") }, root)).toEqual([
      { file: "lib/clients/clients.ts", function: "Object.save", line: 12, column: 34 },
      { file: ".next/server/chunks/a_b~1.js", function: "Thing", line: 1, column: 2 },
      { file: MASKED, line: 3, column: 4 },
      { file: MASKED, line: 95, column: 5 },
    ]);
  });

  test("contains no part of a message that looks like a stack", () => {
    const message = `\n    at ${CANARY} (/srv/app/${CANARY}.ts:1:2)`;
    expect(framesOf({ message, stack: stack(message) }, root)).toHaveLength(4);
  });

  test("is also parsed in the formats of other browsers", () => {
    const page = "https://cases.example.org";
    const lines = `save@${page}/_next/static/chunks/1a.js?dpl=x:1:2\n@${page}/_next/static/chunks/2b.js:3:4`;
    expect(framesOf({ message: "", stack: lines }, page)).toEqual([
      { file: "_next/static/chunks/1a.js", line: 1, column: 2 },
      { file: "_next/static/chunks/2b.js", line: 3, column: 4 },
    ]);
  });
});

describe("the route in an error report", () => {
  const pages = Object.keys(import.meta.glob("../app/**/page.tsx")).map(
    (file) => file.slice("../app".length, -"/page.tsx".length).replace(/\/\([^)]+\)/g, "") || "/",
  );

  test("is known for every page and endpoint", () => {
    const files = [...pages, ...routes.keys()].flatMap((file) => {
      const path = file.replaceAll("[", "{").replaceAll("]", "}");
      // One route file serves a list and its files, which have other paths.
      if (path === "/api/{collection}")
        return [...lookupKeys, ...plainRecordKeys].flatMap((key) =>
          ["", ".csv", ".xlsx"].map((format) => `/api/${key}${format}`),
        );
      const keys = path.startsWith("/api/resource_lists/")
        ? resourceKeys
        : path.startsWith("/{records}")
          ? recordKeys
          : path.endsWith("/history")
            ? plainRecordKeys
            : path.startsWith("/api/")
              ? [...lookupKeys, ...plainRecordKeys]
              : lookupKeys;
      return /\{(list|collection|records)\}/.test(path)
        ? keys.map((key) => path.replace(/\{(list|collection|records)\}/, key))
        : [path];
    });
    expect([...ROUTES].sort()).toEqual(files.filter((file) => !file.endsWith("/{...rest}")).sort());
  });

  test.each([
    ["/", "/"],
    ["/forms/12/edit", "/forms/{id}/edit"],
    ["/forms/new", "/forms/new"],
    ["/settings/age_brackets/7/edit", "/settings/age_brackets/{id}/edit"],
    [`/settings/${CANARY}`, "unmatched"],
    [`/api/${CANARY}`, "/api/{...rest}"],
    ["/api/roles/5", "/api/roles/{id}"],
    ["/api/resource_lists/service_codes/3", "/api/resource_lists/service_codes/{formTypeId}"],
    [`/update_password/${CANARY}`, "/update_password/{token}"],
    [`/${CANARY}`, "unmatched"],
    ["/api/constructor", "/api/{...rest}"],
  ])("of %s is reported as %s", (path, route) => expect(routeOf(path)).toBe(route));
});

describe("an error report", () => {
  let ingest: Ingest;

  beforeAll(async () => {
    ingest = await startIngest();
    vi.stubEnv("NEXT_RUNTIME", "nodejs");
    vi.stubEnv(SERVER_VARIABLE, "own");
  });
  afterAll(() => ingest.close());
  afterEach(() => vi.restoreAllMocks());

  /** Starts reporting as Next does, in the environment. An earlier call of env() has read the variables. */
  async function startIn(environment: Partial<StartEnv>) {
    Object.assign(env(), environment);
    await register();
  }

  /** Makes the call through the server and returns the response and the error reports it caused. */
  async function callAndCollectReports(
    cookie: string | null,
    method: "GET" | "POST" | "PUT",
    path: string,
    body?: unknown,
  ) {
    const before = ingest.events().length;
    const context = { id: crypto.randomUUID(), method, route: routeOf(new URL(path, "http://h").pathname) };
    const answer = await withRequest(context, () => call(cookie, method, path, body));
    await flushReports(60);
    return { answer, context, events: ingest.events().slice(before) };
  }

  test("is not sent without SENTRY_DSN, nor in development", async () => {
    await startIn({ NODE_ENV: "production", SENTRY_DSN: undefined });
    const owner = await makeUser();
    expect((await callAndCollectReports(owner.cookie, "GET", "/api/roles")).answer.status).toBe(403);
    await startIn({ NODE_ENV: "development", SENTRY_DSN: ingest.dsn });
    expect((await callAndCollectReports(owner.cookie, "GET", "/api/roles")).answer.status).toBe(403);
    expect(ingest.received()).toBe("");
    await startIn({ NODE_ENV: "production", SENTRY_ENVIRONMENT: "staging" });
  });

  test("for a refused form names the user, route and error kind, but nothing that was typed", async () => {
    const owner = await makeUser();
    const client = await makeClient(owner);
    const form = { ...withCanaries(await fullForm("Legal Advocacy", client.id)), [CANARY]: CANARY };
    const { answer, context, events } = await callAndCollectReports(owner.cookie, "POST", "/api/forms", {
      form,
    });
    expect(answer.status).toBe(422);
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      level: "warning",
      environment: "staging",
      transaction: "/api/forms",
      tags: { route: "/api/forms", method: "POST", status: 422, requestId: context.id, origin: "server" },
      user: { id: owner.id },
      exception: { values: [{ type: "Error", value: "HTTP 422" }] },
      extra: { form: { form: { verbalConfirmation: true, serviceStatus: MASKED, clientId: MASKED } } },
    });
    expect(events[0].extra.fields).toContain("form.serviceStatus");
    expect(events[0].exception.values[0].stacktrace.frames.at(-1).filename).toMatch(/^lib\/[\w/]+\.ts$/);
    expect(Object.keys(events[0]).sort()).toEqual(
      [
        "environment",
        "event_id",
        "exception",
        "extra",
        "level",
        "platform",
        "release",
        "sdk",
        "tags",
        "timestamp",
        "transaction",
        "user",
      ].sort(),
    );
  });

  test("for a save that fails in the database contains its code, and the log contains the location", async () => {
    const owner = await makeUser();
    await db().$executeRawUnsafe("ALTER TABLE clients ADD CONSTRAINT closed CHECK (false) NOT VALID");
    const client = { ...withCanaries(await fullClient()), relationshipToSurvivor: CANARY };
    const { clientBiographicalEntryAttributes: _, clientDemographicEntryAttributes: __, ...flat } = client;
    const { answer, events } = await callAndCollectReports(owner.cookie, "POST", "/api/clients", {
      client: flat,
    });
    await db().$executeRawUnsafe("ALTER TABLE clients DROP CONSTRAINT closed");
    expect(answer.status).toBe(500);
    expect(events).toHaveLength(1);
    expect(events[0].level).toBe("error");
    const [line = ""] = takeErrors();
    expect(JSON.parse(line)).toMatchObject({ level: "error", route: "/api/clients" });
    expect(line).not.toContain(CANARY);
  });

  test("is sent for each failed call except 401, sign-in and new passwords", async () => {
    const owner = await makeUser();
    const statusOf = async (...args: Parameters<typeof callAndCollectReports>) =>
      (await callAndCollectReports(...args)).events.map(({ tags }) => tags.status);
    expect(await statusOf(owner.cookie, "GET", "/api/roles")).toEqual([403]);
    expect(await statusOf(owner.cookie, "GET", "/api/forms/999999")).toEqual([404]);
    expect(await statusOf(owner.cookie, "GET", "/api/forms?page=0")).toEqual([422]);
    expect(await statusOf(null, "GET", "/api/forms")).toEqual([]);
    expect(await statusOf(null, "GET", `/api/${CANARY}`)).toEqual([]);
    expect(await statusOf(null, "POST", "/api/forgot_password", { email: CANARY })).toEqual([]);
    expect(await statusOf(null, "POST", "/api/login", { email: CANARY, password: CANARY })).toEqual([]);
    expect(await statusOf(null, "POST", "/api/login", { email: "a@example.org", password: CANARY })).toEqual(
      [],
    );
    const password = { token: CANARY, password: CANARY, passwordConfirmation: CANARY };
    expect(await statusOf(null, "PUT", "/api/forgot_password", password)).toEqual([]);
    expect(await statusOf(owner.cookie, "GET", "/api/me")).toEqual([]);
  });

  test("for a failed page has the route and the kind and place of the error, and no data of the request", async () => {
    const before = ingest.events().length;
    const context = { id: crypto.randomUUID(), method: "GET", route: "/clients", userId: 7 };
    const error = Object.assign(new TypeError(`of ${CANARY}`, { cause: new Error(CANARY) }), {
      code: "P2002",
    });
    const request = {
      path: `/clients?search=${CANARY}`,
      method: "GET",
      headers: { cookie: CANARY, "user-agent": CANARY, "x-client-address": "192.0.2.8" },
    };
    await withRequest(context, () =>
      onRequestError(error, request, {
        routerKind: "App Router",
        routePath: "/(staff)/clients",
        routeType: "render",
        renderSource: "react-server-components",
        revalidateReason: undefined,
      }),
    );
    await flushReports(60);
    const events = ingest.events().slice(before);
    expect(events).toMatchObject([
      {
        level: "error",
        transaction: "/clients",
        tags: { origin: "server", route: "/clients", method: "GET", status: 500, requestId: context.id },
        user: { id: 7 },
        exception: { values: [{ type: "TypeError", value: "P2002" }] },
      },
    ]);
    for (const part of ["request", "contexts", "breadcrumbs", "server_name", "modules"])
      expect(events[0]).not.toHaveProperty(part);
  });

  test("from the browser is sent through the server, except from Login and Update Password", async () => {
    const report = { name: "TypeError", frames: [{ file: "_next/static/chunks/a.js", line: 1, column: 2 }] };
    const { answer, events } = await callAndCollectReports(null, "POST", "/api/browser_errors", {
      ...report,
      path: "/forms/3/edit",
    });
    expect(answer.status).toBe(204);
    expect(events).toMatchObject([
      {
        platform: "javascript",
        transaction: "/forms/{id}/edit",
        exception: { values: [{ type: "TypeError", stacktrace: { frames: [{ lineno: 1, colno: 2 }] } }] },
      },
    ]);
    expect(takeErrors()).toHaveLength(1);
    for (const path of ["/", `/update_password/${CANARY}`]) {
      expect(
        (await callAndCollectReports(null, "POST", "/api/browser_errors", { ...report, path })).events,
      ).toEqual([]);
    }
  });

  test.each([
    { name: `Error: ${CANARY}` },
    { frames: [{ file: `/${CANARY}.js`, line: 1, column: 1 }] },
    { message: CANARY, frames: [{ file: CANARY, line: 1, column: 1 }] },
  ])("from the browser accepts no free text: %j", async (part) => {
    const body = { name: "Error", frames: [], path: "/forms", ...part };
    const { answer, events } = await callAndCollectReports(null, "POST", "/api/browser_errors", body);
    expect([answer.status, events]).toEqual([422, []]);
  });

  describe("is limited to ten a minute per address and a hundred in total", () => {
    beforeEach(() => vi.useFakeTimers({ now: new Date("2030-01-01T00:00:10Z"), toFake: ["Date"] }));
    afterEach(async () => {
      vi.useRealTimers();
      await flushReports(60);
    });
    const nextMinute = () => vi.setSystemTime(new Date("2030-01-01T00:01:00Z"));

    test("from the browser, which then gets 429", () => {
      const one = (address: string) =>
        recordBrowserError({ name: "Error", frames: [], route: "/forms" }, address);
      for (let count = 0; count < 10; count += 1) one("192.0.2.1");
      for (let count = 0; count < 200; count += 1)
        expect(() => one("192.0.2.1")).toThrow("Too many attempts");
      for (let count = 10; count < 100; count += 1) one(`198.51.100.${count}`);
      expect(() => one("192.0.2.2")).toThrow();
      expect(takeErrors()).toHaveLength(100);
      nextMinute();
      expect(() => one("192.0.2.1")).not.toThrow();
      expect(takeErrors()).toHaveLength(1);
    });

    test("with an IPv6 customer's whole network counted as one address", () => {
      const one = (address: string) =>
        recordBrowserError({ name: "Error", frames: [], route: "/forms" }, address);
      for (let count = 0; count < 10; count += 1) one(`2001:db8:0:1::${count}`);
      expect(() => one("2001:db8::1:ffff:0:0:1")).toThrow("Too many attempts");
      expect(() => one("2001:db8:0:2::1")).not.toThrow();
      expect(takeErrors()).toHaveLength(11);
    });

    test("from the server, whose responses do not change", async () => {
      const owner = await makeUser();
      const fail = async (address: string) =>
        (
          await call(owner.cookie, "GET", "/api/forms?page=0", undefined, {
            headers: { "x-client-address": address },
          })
        ).status;
      const before = ingest.events().length;
      const countReports = async () => {
        await flushReports(60);
        return ingest.events().length - before;
      };
      for (let count = 0; count < 20; count += 1) expect(await fail("192.0.2.1")).toBe(422);
      expect(await countReports()).toBe(10);
      for (let count = 0; count < 100; count += 1) expect(await fail(`198.51.100.${count}`)).toBe(422);
      expect(await countReports()).toBe(100);
      nextMinute();
      await fail("192.0.2.1");
      expect(await countReports()).toBe(101);
    });
  });

  test("never contains, like the log, the name that was in every request", () => {
    expect(ingest.events().length).toBeGreaterThan(5);
    expect(ingest.received().toLowerCase()).not.toContain(CANARY.toLowerCase());
  });
});

describe("the log", () => {
  const failure = () => Object.assign(new TypeError(`of ${CANARY}`), { code: "P2002", meta: CANARY });

  test("shows the class, code and place of an error that reaches the console, without its message", () => {
    const { error, warn } = console;
    try {
      logConsole();
      console.error("⨯", failure());
    } finally {
      Object.assign(console, { error, warn });
    }
    const [line = ""] = takeErrors();
    expect(JSON.parse(line)).toMatchObject({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      level: "error",
      message: "⨯",
      name: "TypeError",
      code: "P2002",
      frames: expect.arrayContaining([expect.any(String)]),
    });
    expect(line).not.toContain(CANARY);
  });

  test("shows no message of an error that is handed over whole, and nothing of another thrown value", () => {
    log.error(failure());
    log.error(failure(), "It failed");
    logError(failure(), "It failed");
    logError(CANARY, "It failed");
    const lines = takeErrors();
    expect(lines).toHaveLength(4);
    expect(lines.join()).not.toContain(CANARY);
  });

  test("names the request and its route in every line, and leaves out lines below LOG_LEVEL", () => {
    withRequest({ id: "one", method: "GET", route: "/clients/{id}" }, () => log.info("Read"));
    expect(takeLog()).toMatchObject([
      { level: "info", message: "Read", requestId: "one", route: "/clients/{id}" },
    ]);
    log.level = parseEnv({ LOG_LEVEL: "warn" }).LOG_LEVEL;
    log.info("Read");
    log.warn("Read slowly");
    log.level = "info";
    expect(takeLog().map(({ message }) => message)).toEqual(["Read slowly"]);
    expect(() => parseEnv({ LOG_LEVEL: "loud" })).toThrow("LOG_LEVEL: must be debug, info");
  });
});
