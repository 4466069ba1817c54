/// <reference types="vite/client" />

import { addRoute, createRouter, findRoute } from "rou3";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { settingsPermissions } from "@/components/shell/menu";
import { permissionKeys as ALL, GROUP_PERMISSIONS, type Permission } from "@/lib/core/access/permissions";
import { db } from "@/lib/core/database/client";
import { keysOf } from "@/lib/core/objects";
import { endpoints } from "@/lib/endpoints";
import { LISTS_TO_ADAPT } from "@/lib/home/set-up";
import { SESSION_COOKIE } from "@/lib/identity/session";
import { lookupFiles } from "@/lib/lookups/columns";
import { lookupKeys } from "@/lib/lookups/registry";
import { resourceKeys } from "@/lib/lookups/resources/schema";
import { recordFiles } from "@/lib/records/api-schema";
import { recordKeys } from "@/lib/records/registry";
import { call, type Method, routes, signIn } from "@/tests/call";
import { everyCall, type Need } from "@/tests/every-call";
import { makeClient, makeForm, makeUser, minimalForm, type Person } from "@/tests/factories";

// The access matrix: every method of every route file and every page, called by a guest and by the holder of each
// permission. Who may use them is read from docs/reference/permissions.md, and for pages from PAGES.

const METHODS: Method[] = ["GET", "POST", "PUT", "DELETE", "PATCH"];
const MISSING_ID = "999999";

const ownPermission = (list: string) => [list.replaceAll("_", "-") as Permission];

/** The path with ids and keys that match no record. */
const withoutRecord = (path: string) =>
  path
    .replace("{formTypeId}", "1")
    .replace("{id}", MISSING_ID)
    .replace(/\{(userId|sessionId)\}/, MISSING_ID)
    .replace(/\{(token|key|path)\}/, "none")
    .replace("{lineKey}", "none");

const calls = everyCall();
/** The file endpoints of all settings lists share one handler, so only those of the first list are called. */
const [, ...sameFiles] = lookupKeys;
const isRepeated = (path: string) => sameFiles.some((list) => path.startsWith(`/api/${list}.`));

const cases = calls
  .filter(({ path }) => !isRepeated(path))
  .flatMap(({ path, needs }) =>
    METHODS.map((method): [Method, string, Need | undefined] => [method, withoutRecord(path), needs[method]]),
  );
for (const method of METHODS) cases.push([method, `/api/no/such/${MISSING_ID}`, "signed in"]);

/** The status a guest gets where no session is needed, with an empty body if the method takes one. */
const GUESTS: Record<string, number> = {
  "GET /api/health": 200,
  "GET /api/health/live": 200,
  // Returns how long the caller's session remains valid, without extending it.
  "GET /api/sessions/current": 401,
  // Single sign-on is not configured in this test.
  "GET /api/oidc/start": 404,
  "GET /api/oidc/callback": 404,
  "POST /api/oidc/backchannel_logout": 415,
};

/** The status a permitted caller gets where `allowed` does not apply. */
const STATUS_EXCEPTIONS: Record<string, number> = {
  // An empty body searches for everything.
  "POST /api/clients/search": 200,
  "POST /api/clients/similar": 200,
  [`POST /api/users/${MISSING_ID}/reset_password`]: 404,
  [`POST /api/clients/${MISSING_ID}/revealed`]: 404,
  [`POST /api/stays/${MISSING_ID}/revealed`]: 404,
  [`POST /api/clients/${MISSING_ID}/printed`]: 404,
  [`POST /api/forms/${MISSING_ID}/printed`]: 404,
  [`POST /api/groups/${MISSING_ID}/printed`]: 404,
  [`POST /api/imports/${MISSING_ID}/cancel`]: 404,
  [`POST /api/imports/${MISSING_ID}/undo`]: 404,
  "POST /api/two_step": 201,
  "DELETE /api/drafts/none": 204,
  [`DELETE /api/sessions/${MISSING_ID}`]: 422,
};

/**
 * Returns the status a permitted caller gets: the empty body fails validation, and no record has the id
 * MISSING_ID.
 */
function allowed(method: Method, path: string): number {
  const exception = STATUS_EXCEPTIONS[`${method} ${path}`];
  if (exception) return exception;
  if (path.startsWith("/api/no/such/")) return 404;
  // A report needs a period, and open work a last day.
  if (path.startsWith("/api/reports/") && !/\/(setup|submissions)/.test(path)) return 422;
  if (path === "/api/closed_periods/open_work") return 422;
  if (method === "POST" || method === "PUT") return 422;
  if (path.includes(MISSING_ID) || path.endsWith("/none") || path.startsWith("/api/reports/")) return 404;
  return method === "DELETE" ? 204 : 200;
}
const bodyOf = (method: Method) => (method === "POST" || method === "PUT" ? {} : undefined);

let nobody: Person;
let administrator: Person;
const holders = {} as Record<Permission, Person>;

beforeAll(async () => {
  nobody = await makeUser([]);
  administrator = await makeUser(ALL);
  for (const permission of ALL) holders[permission] = await makeUser([permission]);
});

const sessions = new Map<Person, string>();

/** Returns the person's session cookie and reuses it across calls. */
async function sessionOf(person: Person): Promise<string> {
  const cookie = sessions.get(person) ?? (await signIn(person));
  sessions.set(person, cookie);
  return cookie;
}

async function as(person: Person | null, method: Method, path: string) {
  const answer = await call(person && (await sessionOf(person)), method, path, bodyOf(method));
  // A call that was not refused may have ended the session.
  if (person && answer.status !== 403) sessions.delete(person);
  return answer;
}

test("the route files on disk are exactly the paths of the table of calls", () => {
  const keys: Record<string, readonly string[]> = {
    "/api/{collection}": [...lookupKeys, ...keysOf(lookupFiles), ...recordKeys, ...keysOf(recordFiles)],
    "/api/{collection}/{id}": [...lookupKeys, ...recordKeys],
    "/api/{collection}/{id}/history": recordKeys,
    "/api/resource_lists/{list}": resourceKeys,
  };
  const onDisk = [...routes.keys()].flatMap((folder) => {
    const path = folder.replaceAll("[", "{").replaceAll("]", "}");
    return keys[path]?.map((key) => path.replace(/\{(collection|list)\}/, key)) ?? [path];
  });
  const listed = calls.map(({ path }) => path);
  // Answers every other path with 404.
  expect([...new Set(onDisk)].sort()).toEqual([...listed, "/api/{...rest}"].sort());
  expect(listed.length).toBe(new Set(listed).size);
});

test("every route file exports exactly the methods of its endpoints", async () => {
  const router = createRouter<string>();
  for (const folder of routes.keys())
    addRoute(router, "", folder.replace("[...rest]", "**:rest").replaceAll(/\[(\w+)\]/g, ":$1"), folder);
  const expected = new Map<string, Set<string>>();
  for (const { method, path } of endpoints) {
    const folder = findRoute(router, "", path.replaceAll(/\{\w+\}/g, "1"))?.data ?? path;
    expected.set(folder, (expected.get(folder) ?? new Set()).add(method));
  }
  // Answers every other path with 404.
  expected.set("/api/[...rest]", new Set(["GET", "POST", "PUT", "PATCH", "DELETE"]));
  const exported = new Map<string, Set<string>>();
  for (const [folder, load] of routes) exported.set(folder, new Set(Object.keys(Object(await load()))));
  expect(exported).toEqual(expected);
});

describe.each(cases)("%s %s", (method, path, need) => {
  if (need === undefined) {
    test("answers 405 when the route does not have the method", async () => {
      for (const person of [null, nobody, administrator]) {
        const { status, headers } = await as(person, method, path);
        expect(status).toBe(405);
        expect(headers.get("allow")).not.toContain(method);
      }
    });
  } else if (need === "anyone") {
    test("answers a guest with the listed status", async () => {
      // The health check answers 503 on a busy machine that exceeds its two-second limit, so it is polled.
      const status = async () => (await as(null, method, path)).status;
      await expect.poll(status).toBe(GUESTS[`${method} ${path}`] ?? 422);
    });
  } else {
    test("answers 401 to a guest", async () => {
      const { status, body } = await as(null, method, path);
      expect([status, body]).toEqual([401, { error: "Unauthorized Request", code: "unauthorized" }]);
    });

    test("answers users with the required permission, and refuses everyone else with 403", async () => {
      const { anyOf: needed, also } = need === "signed in" ? { anyOf: ALL, also: [] } : need;
      const answer = allowed(method, path);
      if (need === "signed in") expect((await as(nobody, method, path)).status).toBe(answer);
      else expect(await as(nobody, method, path)).toMatchObject(REFUSED);
      for (const permission of ALL.filter((held) => !needed.includes(held))) {
        expect(await as(holders[permission], method, path), permission).toMatchObject(REFUSED);
      }
      for (const permission of needed) {
        if (also.length > 0) expect(await as(holders[permission], method, path)).toMatchObject(REFUSED);
        const person = also.length > 0 ? await makeUser([permission, ...also]) : holders[permission];
        expect((await as(person, method, path)).status).toBe(answer);
      }
      expect((await as(administrator, method, path)).status).toBe(answer);
    });
  }
});

const REFUSED = {
  status: 403,
  body: { error: "You do not have permission to do that.", code: "forbidden" },
};

describe("a path that does not exist", () => {
  test.each([
    "/api/nonsense",
    "/api/nonsense/1",
    "/api/nonsense/1/2",
    "/api/clients/1/nonsense",
    "/api/canines/1/nonsense",
    "/api/resource_lists",
    "/api/__proto__",
    "/api/constructor",
    "/api/resource_lists/nonsense",
  ])("%s answers 401 to a guest and 404 to an administrator", async (path) => {
    const UNKNOWN = { status: 404, body: { error: "Not found", code: "not_found" } };
    expect((await as(null, "GET", path)).status).toBe(401);
    expect(await as(administrator, "GET", path)).toMatchObject(UNKNOWN);
    expect(await as(administrator, "POST", path)).toMatchObject(UNKNOWN);
  });
});

describe("a form", () => {
  const reconcileTogether = (cookie: string, id: number) =>
    call(cookie, "POST", "/api/forms/reconcile", { ids: [id], reconciled: false });

  test("can be listed, read, changed, reconciled, returned and deleted only by its owner and holders of All Forms", async () => {
    const owner = await makeUser();
    const other = await makeUser();
    const all = await makeUser(["forms", "all-forms"]);
    const onlyAllForms = holders["all-forms"];
    const outcomes = async (person: Person) => {
      const cookie = await signIn(person);
      const form = await makeForm(owner);
      const url = `/api/forms/${form.id}`;
      const body = { form: minimalForm(form.clientId, form.formTypeId) };
      const response = await call(cookie, "GET", `/api/forms?filters[userId]=${owner.id}&perPage=100`);
      return [
        (await call(cookie, "GET", url)).status,
        (await call(cookie, "PUT", url, body)).status,
        (await call(cookie, "POST", `${url}/reconcile`, { reconciled: false })).status,
        (await reconcileTogether(cookie, form.id)).body.done?.length ?? 0,
        (await call(cookie, "POST", `${url}/return`, { comment: "Why?" })).status,
        (await call(cookie, "DELETE", url)).status,
        (response.body.forms ?? []).some(({ id }: { id: number }) => id === form.id),
      ];
    };
    // Only holders of All Forms can return forms.
    expect(await outcomes(owner)).toEqual([200, 200, 200, 1, 403, 204, true]);
    expect(await outcomes(all)).toEqual([200, 200, 200, 1, 200, 204, true]);
    expect(await outcomes(administrator)).toEqual([200, 200, 200, 1, 200, 204, true]);
    expect(await outcomes(other)).toEqual([404, 404, 404, 0, 403, 404, false]);
    expect(await outcomes(onlyAllForms)).toEqual([403, 403, 403, 0, 403, 403, false]);
  });
});

describe("a session", () => {
  const status = async (cookie: string) => (await call(cookie, "GET", "/api/me")).status;

  test("ends when its row is deleted, its account is inactive, or it exceeds its idle or absolute limit", async () => {
    const endings: [string, (person: Person) => Promise<unknown>][] = [
      ["row", ({ id }) => db().session.deleteMany({ where: { userId: id } })],
      ["account", ({ id }) => db().user.update({ where: { id }, data: { activatedAt: null } })],
      [
        "idle",
        ({ id }) => db().session.updateMany({ where: { userId: id }, data: { lastSeenAt: hoursAgo(1) } }),
      ],
      [
        "whole",
        ({ id }) => db().session.updateMany({ where: { userId: id }, data: { createdAt: hoursAgo(13) } }),
      ],
    ];
    for (const [name, end] of endings) {
      const person = await makeUser();
      expect(await status(person.cookie), name).toBe(200);
      await end(person);
      expect(await status(person.cookie), name).toBe(401);
    }
  });

  test("is not opened by a forged cookie, a truncated cookie or a cookie with another name", async () => {
    const { cookie } = await makeUser();
    const name = SESSION_COOKIE;
    for (const value of [
      "",
      "x",
      "a.b.c",
      cookie.slice(name.length + 1, -3),
      `${cookie.slice(name.length + 1)}x`,
    ]) {
      expect(await status(`${name}=${value}`)).toBe(401);
    }
    expect(await status(cookie.replace(name, "other"))).toBe(401);
  });

  test("loses a permission at the next request after it is removed from the role", async () => {
    const person = await makeUser(["clients"]);
    expect((await call(person.cookie, "GET", "/api/clients")).status).toBe(200);
    const { roleId } = await db().user.findUniqueOrThrow({ where: { id: person.id } });
    await db().rolePermission.deleteMany({ where: { roleId } });
    expect((await call(person.cookie, "GET", "/api/clients")).status).toBe(403);
  });

  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
});

let pageCookie: string | null = null;
vi.mock("next/headers", () => ({
  cookies: async () => ({
    get: () => (pageCookie ? { value: pageCookie.slice(pageCookie.indexOf("=") + 1) } : undefined),
  }),
  headers: async () => new Headers({ "x-request-path": "/where?it=was" }),
}));
vi.mock("next/navigation", async (original) => ({
  ...(await original<object>()),
  redirect: (url: string) => {
    throw new Error(`redirect ${url}`);
  },
  forbidden: () => {
    throw new Error("403");
  },
  notFound: () => {
    throw new Error("404");
  },
}));

type Page = (props: { params: Promise<object>; searchParams: Promise<object> }) => unknown;
const PAGE_FILES = import.meta.glob<{ default: Page }>("../app/\\(staff\\)/**/{page,layout}.tsx");
const pages = new Map(
  Object.entries(PAGE_FILES).map(([file, load]) => [
    file.slice("../app/(staff)".length, -".tsx".length),
    load,
  ]),
);

const PAGES: Record<
  string,
  "signed-in" | readonly Permission[] | "its list" | "its record" | "all of groups"
> = {
  "/layout": "signed-in",
  "/[...rest]/page": "signed-in",
  "/profile/page": "signed-in",
  "/two_step/page": "signed-in",
  "/home/page": "signed-in",
  "/help/page": "signed-in",
  "/help/[page]/page": "signed-in",
  "/clients/page": ["clients"],
  "/clients/new/page": ["clients"],
  "/clients/[id]/page": ["clients"],
  "/clients/[id]/edit/page": ["clients"],
  "/clients/[id]/merge/page": ["all-forms"],
  "/clients/[id]/print/page": ["clients"],
  "/clients/[id]/history/page": ["clients", "forms"],
  "/[records]/page": "its record",
  "/[records]/[id]/edit/page": "its record",
  "/[records]/[id]/history/page": "its record",
  "/outcome_surveys/cards/page": ["outcome-surveys"],
  "/groups/page": "all of groups",
  "/groups/new/page": "all of groups",
  "/groups/[id]/page": "all of groups",
  "/groups/[id]/edit/page": "all of groups",
  "/groups/[id]/history/page": "all of groups",
  "/groups/[id]/sign_in/page": "all of groups",
  "/groups/[id]/sessions/new/page": "all of groups",
  "/groups/[id]/sessions/[sessionId]/page": "all of groups",
  "/groups/[id]/sessions/[sessionId]/history/page": "all of groups",
  "/shelter/page": ["shelter"],
  "/stays/page": ["shelter"],
  "/stays/[id]/edit/page": ["shelter"],
  "/stays/[id]/history/page": ["shelter"],
  "/forms/page": ["forms"],
  "/forms/new/page": ["forms"],
  "/forms/review/page": ["forms"],
  "/forms/[id]/page": ["forms"],
  "/forms/[id]/edit/page": ["forms"],
  "/forms/[id]/history/page": ["forms"],
  "/reports/page": ["reports"],
  "/reports/time/page": ["reports", "forms", "contacts", "activities", "groups", "events"],
  "/reports/[report]/page": ["reports"],
  "/reports/[report]/lines/[line]/page": ["reports"],
  "/reports/[report]/gaps/[field]/page": ["reports"],
  "/reports/[report]/submissions/[id]/page": ["reports"],
  "/settings/reports/[report]/page": ["reports-setup"],
  "/settings/page": settingsPermissions,
  "/settings/lists/page": LISTS_TO_ADAPT.permissions,
  "/settings/closed_periods/page": ["close-periods"],
  "/settings/organization/page": ["organization"],
  "/settings/setup/page": ["organization"],
  "/settings/fields/page": ["form-setup"],
  "/settings/all_data/page": ["export"],
  "/settings/audit_log/page": ["audit-log"],
  "/api/docs/page": "signed-in",
  "/settings/retention/page": ["retention"],
  "/settings/imports/page": ["import"],
  "/settings/[list]/page": "its list",
  "/settings/[list]/new/page": "its list",
  "/settings/[list]/[id]/edit/page": "its list",
};

async function pageAt(path: string): Promise<Page> {
  const load = pages.get(path);
  if (!load) throw new Error(`No page ${path}`);
  return (await load()).default;
}

describe("a page", () => {
  const visit = async (person: Person | null, path: string, list = "canines"): Promise<string> => {
    pageCookie = person && (await sessionOf(person));
    const Page = await pageAt(path);
    try {
      const params = Promise.resolve({
        id: MISSING_ID,
        sessionId: MISSING_ID,
        list,
        records: list,
        report: "pmt",
        line: "individuals_served",
        field: "race",
        page: "first-day",
      });
      await Page({ params, searchParams: Promise.resolve({}) });
      return "200";
    } catch (error) {
      return (error as Error).message;
    }
  };

  test("is covered by the access matrix", () => {
    expect([...pages.keys()].sort()).toEqual(Object.keys(PAGES).sort());
  });

  test("of groups opens only for holders of Groups, Forms, and Clients", async () => {
    const person = await makeUser(GROUP_PERMISSIONS);
    const paths = Object.keys(PAGES).filter((path) => PAGES[path] === "all of groups");
    expect(paths).toHaveLength(9);
    for (const path of paths) {
      expect(await visit(person, path), path).toMatch(/^(200|404)$/);
      for (const missing of GROUP_PERMISSIONS)
        expect(await visit(await makeUser(ALL.filter((key) => key !== missing)), path), path).toBe("403");
    }
  });

  test.each(
    Object.entries(PAGES).flatMap(([path, access]) =>
      access === "all of groups" ? [] : [[path, access] as const],
    ),
  )(
    "at %s opens for holders of its permission, and redirects guests to the login page",
    async (path, access) => {
      const toLogin = "redirect /?url=%2Fwhere%3Fit%3Dwas";
      const keys = { "its list": lookupKeys, "its record": recordKeys };
      const isKeyed = access === "its list" || access === "its record";
      for (const list of isKeyed ? keys[access] : ["none"]) {
        const needed = isKeyed ? ownPermission(list) : access === "signed-in" ? ALL : access;
        expect(await visit(null, path, list)).toBe(toLogin);
        expect(await visit(nobody, path, list)).toMatch(access === "signed-in" ? /^(200|404)$/ : "403");
        for (const permission of ALL) {
          const outcome = await visit(holders[permission], path, list);
          expect(outcome, permission).toMatch(needed.includes(permission) ? /^(200|404)$/ : /^403$/);
        }
      }
    },
  );

  test("redirects to two-step setup and back while a role requires two-step sign-in", async () => {
    const person = await makeUser(ALL);
    const { roleId } = await db().user.findUniqueOrThrow({ where: { id: person.id } });
    await db().role.update({ where: { id: roleId }, data: { requiresTwoStep: true } });
    for (const path of Object.keys(PAGES)) {
      const isOpen = path === "/layout" || path === "/two_step/page" || path.startsWith("/help/");
      const outcome = await visit(person, path);
      expect(outcome, path).toBe(isOpen ? "200" : "redirect /two_step?url=%2Fwhere%3Fit%3Dwas");
    }
  });

  test("at /clients/[id]/merge/page answers 403 to a user who may not merge", async () => {
    const reader = await makeUser(["clients", "all-forms"]);
    const merger = await makeUser(ALL);
    const { id } = await makeClient(merger);
    const Page = await pageAt("/clients/[id]/merge/page");
    const open = async (person: Person) => {
      pageCookie = person.cookie;
      return Page({ params: Promise.resolve({ id: String(id) }), searchParams: Promise.resolve({}) });
    };
    await expect(open(reader)).rejects.toThrow("403");
    await expect(open(merger)).resolves.toBeTruthy();
  });

  test.each(["/forms/[id]/page", "/forms/[id]/edit/page"])(
    "%s of another advocate's form answers 404",
    async (path) => {
      const owner = await makeUser();
      const other = await makeUser();
      const form = await makeForm(owner);
      const Page = await pageAt(path);
      const open = async (person: Person) => {
        pageCookie = person.cookie;
        return Page({ params: Promise.resolve({ id: String(form.id) }), searchParams: Promise.resolve({}) });
      };
      await expect(open(other)).rejects.toThrow("404");
      await expect(open(owner)).resolves.toBeTruthy();
    },
  );
});
