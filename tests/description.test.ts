import { createConfig, lintFromString } from "@redocly/openapi-core";
import { expect, test } from "vitest";
import { errorCodes } from "@/lib/core/api/endpoint";
import { ERROR_STATUS, isErrorCode } from "@/lib/core/errors";
import { adoptDefinitions, currentDefinitions } from "@/lib/core/fields/definitions";
import { escapeHtml } from "@/lib/core/text/html";
import { description, type Operation } from "@/lib/description/document";
import { descriptionHtml } from "@/lib/description/page";
import { endpoints } from "@/lib/endpoints";
import { call } from "@/tests/call";
import { assertDescribed, document } from "@/tests/described";
import { makeUser } from "@/tests/factories";

// The API description. tests/call.ts checks that every response in the whole suite conforms to it.

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]): [string, Operation] => [
    `${method.toUpperCase()} ${path}`,
    operation,
  ]),
);

test("GET /api/openapi.json answers the same document to every signed-in user, and 401 to a guest", async () => {
  const { cookie } = await makeUser([]);
  const answer = await call(cookie, "GET", "/api/openapi.json");
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual(document);
  expect((await call(null, "GET", "/api/openapi.json")).status).toBe(401);
});

test("the readable description is written once for each version of the field definitions, with its values escaped", () => {
  const before = currentDefinitions();
  const text = descriptionHtml();
  for (const [at, { operationId, summary }] of operations) {
    expect(text, at).toContain(`<article id="${operationId}"`);
    expect(text, at).toContain(escapeHtml(summary));
  }
  const { info } = description();
  info.description += " Unread.";
  try {
    expect(descriptionHtml()).toBe(text);
    adoptDefinitions({
      ...before,
      version: before.version + 1,
      fields: [
        {
          id: 1,
          key: "f_1",
          record: "client",
          section: "Home",
          label: `<b>"R&D"</b>`,
          hint: "",
          kind: "text",
          requiredFrom: null,
          sensitive: false,
          retiredFrom: null,
          formTypeIds: [],
          choices: [],
          lockVersion: 0,
        },
      ],
    });
    expect(descriptionHtml()).toContain("&lt;b&gt;&quot;R&amp;D&quot;&lt;/b&gt;");
    expect(descriptionHtml()).not.toContain("<b>");
  } finally {
    adoptDefinitions(before);
  }
});

test("an OpenAPI linter finds neither errors nor warnings", async () => {
  // Single sign-on redirects browsers, so its successful responses are 303.
  const config = await createConfig({ extends: ["recommended"], rules: { "operation-2xx-response": "off" } });
  const source = JSON.stringify(document);
  const problems = await lintFromString({ source, absoluteRef: "openapi.json", config });
  expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
});

test("every endpoint is described with the permission and error codes that it declares", () => {
  const described = new Map(operations);
  expect([...described.keys()].sort()).toEqual(
    endpoints.map(({ method, path }) => `${method} ${path}`).sort(),
  );
  for (const endpoint of endpoints) {
    const at = `${endpoint.method} ${endpoint.path}`;
    const operation = described.get(at);
    expect(operation?.["x-permission"], at).toEqual([endpoint.permission].flat());
    expect(operation?.description, at).toMatch(/^(.+ )?(Open to|Requires the permission) /);
    const describedCodes = Object.values(operation?.responses ?? {})
      .flatMap((response) => ("$ref" in response ? [response.$ref] : []))
      .flatMap((ref) => (ref.split("/").at(-1) ?? "").split(".").slice(1));
    expect(describedCodes.sort(), at).toEqual([...errorCodes(endpoint)].sort());
  }
});

test("a response outside the description fails the test that made the call", () => {
  const endpoint = endpoints.find(({ method, path }) => `${method} ${path}` === "GET /api/canines/{id}");
  const headers = new Headers({ "content-type": "application/json; charset=utf-8" });
  const checkResponse = (status: number, body: unknown) => () =>
    assertDescribed(endpoint, { status, body, headers });
  expect(checkResponse(200, { canine: { id: 1, name: "Rex" } })).not.toThrow();
  expect(checkResponse(404, { error: "Not found", code: "not_found" })).not.toThrow();
  for (const body of [{}, { canine: { id: 1 } }, { canine: { id: 1, name: "Rex", breed: "Poodle" } }])
    expect(checkResponse(200, body)).toThrow();
  expect(checkResponse(404, { error: "Not found", code: "gone" })).toThrow();
  expect(checkResponse(409, { error: "Busy", code: "conflict_busy" })).toThrow();
  expect(() => assertDescribed(endpoint, { status: 200, body: "Rex", headers: new Headers() })).toThrow();
});

test("every error code is listed under its own status", () => {
  for (const name of Object.keys(document.components.responses)) {
    const [status, ...codes] = name.split(".");
    expect(codes.length).toBeGreaterThan(0);
    for (const code of codes) expect(isErrorCode(code) && ERROR_STATUS[code], name).toBe(Number(status));
  }
});

test("operation names are unique, so that generated clients get distinct methods", () => {
  const names = operations.map(([, { operationId }]) => operationId);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

test("operations of declared records are named after them", () => {
  const named = operations.filter(([at]) => /^\w+ \/api\/outcome_surveys(?!_)/.test(at));
  expect(new Set(named.map(([, { summary }]) => summary))).toEqual(
    new Set([
      "List outcome surveys",
      "Create outcome survey",
      "Get outcome survey",
      "Update outcome survey",
      "Remove outcome survey",
      "Get outcome survey history",
      "Export outcome surveys csv",
      "Export outcome surveys xlsx",
    ]),
  );
});

test("only endpoints reserved for people refuse tokens, and guest endpoints need no authentication", () => {
  for (const { method, path, permission, tokens } of endpoints) {
    const schemes = permission === "guest" ? [] : tokens === false ? ["session"] : ["session", "token"];
    const { security } = new Map(operations).get(`${method} ${path}`) ?? {};
    expect(security?.flatMap(Object.keys), `${method} ${path}`).toEqual(schemes);
  }
});

/** The endpoints that clients of the API rely on. */
const REQUIRED_CALLS = [
  "GET /api/me",
  "DELETE /api/logout",
  "POST /api/login",
  "POST /api/forgot_password",
  "PUT /api/forgot_password",
  "GET /api/account/{token}/activate",
  "GET /api/profile",
  "PUT /api/profile",

  ...`age_brackets magisterial_court_outcomes ethnicities pfa_court_contact_types income_levels education_levels canines
    clients form_types referral_sources secondary_victimizations hate_crime_categories offender_relationships
    custody_statuses users permissions roles service_codes/{formTypeId}`
    .split(/\s+/)
    .map((list) => `GET /api/resource_lists/${list}`),
  ...`age_brackets canines custody_statuses education_levels ethnicities hate_crime_categories income_levels
    magisterial_court_outcomes offender_relationships pfa_court_contact_types referral_sources
    secondary_victimizations service_codes users roles clients forms`
    .split(/\s+/)
    .flatMap((list) => [
      `GET /api/${list}`,
      `POST /api/${list}`,
      ...["GET", "PUT", "DELETE"].map((method) => `${method} /api/${list}/{id}`),
    ]),
  "POST /api/users/{id}/reset_password",
  "POST /api/forms/{id}/reconcile",
];

test("every required endpoint is described", () => {
  const described = new Set(operations.map(([name]) => name));
  expect(REQUIRED_CALLS.filter((name) => !described.has(name))).toEqual([]);
});

test("its examples contain no personal data: only label words and one address that cannot exist", () => {
  const emails = JSON.stringify(document).match(/[\w.]+@[\w.]+/g) ?? [];
  expect([...new Set(emails)]).toEqual(["someone@example.org"]);
  expect(JSON.stringify(document)).not.toMatch(/\bAda\b|Lovelace|Hopper/);
});
