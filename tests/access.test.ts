/// <reference types="vite/client" />
import { beforeAll, describe, expect, test, vi } from "vitest";
import { PERMISSION_NAMES, type Permission, permissionKey } from "@/lib/auth/permissions";
import { cookieName } from "@/lib/auth/session";
import { db } from "@/lib/database/client";
import { call, type Method, routes, signIn } from "@/tests/call";
import { makeForm, makeUser, minimalForm, type Person } from "@/tests/factories";

// One matrix over every route and page there is (contract §2). A new one must be added here, or this fails.

type Access = "guest" | "signed-in" | readonly Permission[];
type Endpoint = {
  path: string;
  access: Partial<Record<Method, Access>>;
  /** What a guest is answered where guests may call, with an empty body if any. */
  guest?: number;
};

const METHODS: Method[] = ["GET", "POST", "PUT", "DELETE", "PATCH"];
const ALL = PERMISSION_NAMES.map((name) => permissionKey(name) as Permission);
const NOBODY = "999999";

/** The settings lists of spec §2; each is for the holders of the permission of its name. */
const COLLECTIONS = [
  ...[
    "age_brackets",
    "canines",
    "custody_statuses",
    "education_levels",
    "ethnicities",
    "hate_crime_categories",
  ],
  ...["income_levels", "magisterial_court_outcomes", "offender_relationships", "pfa_court_contact_types"],
  ...["referral_sources", "roles", "secondary_victimizations", "service_codes", "users"],
];
const ownPermission = (list: string) => [list.replaceAll("_", "-") as Permission];

const RESOURCE_LISTS: Record<string, Access> = {
  ...Object.fromEntries(
    [
      ...[
        "age_brackets",
        "magisterial_court_outcomes",
        "ethnicities",
        "pfa_court_contact_types",
        "income_levels",
      ],
      ...["education_levels", "canines", "form_types", "referral_sources", "secondary_victimizations"],
      ...["hate_crime_categories", "offender_relationships", "custody_statuses", "service_codes/1"],
    ].map((list) => [list, "signed-in"]),
  ),
  clients: ["forms", "clients"],
  users: ["clients", "all-forms", "users"],
  roles: ["users", "roles"],
  permissions: ["roles"],
};

const API: Record<string, Endpoint[]> = {
  "/api/health": [{ path: "/api/health", access: { GET: "guest" }, guest: 200 }],
  "/api/login": [{ path: "/api/login", access: { POST: "guest" }, guest: 422 }],
  "/api/logout": [{ path: "/api/logout", access: { DELETE: "signed-in" } }],
  "/api/me": [{ path: "/api/me", access: { GET: "signed-in" } }],
  "/api/profile": [{ path: "/api/profile", access: { GET: "signed-in", PUT: "signed-in" } }],
  "/api/forgot_password": [
    { path: "/api/forgot_password", access: { POST: "guest", PUT: "guest" }, guest: 422 },
  ],
  "/api/account/[token]/activate": [
    { path: "/api/account/none/activate", access: { GET: "guest" }, guest: 422 },
  ],
  // Says how long the caller's own session still lives, without prolonging it; a guest's answer is 401.
  "/api/sessions/current": [{ path: "/api/sessions/current", access: { GET: "guest" }, guest: 401 }],
  // A guest's login page fails in the browser too.
  "/api/browser_errors": [{ path: "/api/browser_errors", access: { POST: "guest" }, guest: 422 }],
  "/api/sessions": [{ path: "/api/sessions", access: { GET: "signed-in", DELETE: "signed-in" } }],
  "/api/sessions/[id]": [{ path: `/api/sessions/${NOBODY}`, access: { DELETE: "signed-in" } }],
  "/api/drafts": [{ path: "/api/drafts", access: { GET: ["forms"] } }],
  "/api/drafts/[key]": [
    { path: "/api/drafts/none", access: { GET: ["forms"], PUT: ["forms"], DELETE: ["forms"] } },
  ],
  "/api/clients": [{ path: "/api/clients", access: { GET: ["clients"], POST: ["clients", "forms"] } }],
  "/api/clients/search": [{ path: "/api/clients/search", access: { POST: ["clients", "forms"] } }],
  "/api/clients/similar": [{ path: "/api/clients/similar", access: { POST: ["clients", "forms"] } }],
  "/api/clients/[id]": [
    {
      path: `/api/clients/${NOBODY}`,
      access: { GET: ["clients", "forms"], PUT: ["clients", "forms"], DELETE: ["clients"] },
    },
  ],
  "/api/forms": [{ path: "/api/forms", access: { GET: ["forms"], POST: ["forms"] } }],
  "/api/forms/[id]": [
    { path: `/api/forms/${NOBODY}`, access: { GET: ["forms"], PUT: ["forms"], DELETE: ["forms"] } },
  ],
  "/api/forms/[id]/reconcile": [{ path: `/api/forms/${NOBODY}/reconcile`, access: { POST: ["forms"] } }],
  "/api/users/[id]/reset_password": [
    { path: `/api/users/${NOBODY}/reset_password`, access: { POST: ["users"] } },
  ],
  "/api/[collection]": COLLECTIONS.map((list) => ({
    path: `/api/${list}`,
    access: { GET: ownPermission(list), POST: ownPermission(list) },
  })),
  "/api/[collection]/[id]": COLLECTIONS.map((list) => ({
    path: `/api/${list}/${NOBODY}`,
    access: { GET: ownPermission(list), PUT: ownPermission(list), DELETE: ownPermission(list) },
  })),
  "/api/resource_lists/[...list]": Object.entries(RESOURCE_LISTS).map(([list, access]) => ({
    path: `/api/resource_lists/${list}`,
    access: { GET: access },
  })),
  "/api/[...rest]": [
    {
      path: `/api/no/such/${NOBODY}`,
      access: {
        GET: "signed-in",
        POST: "signed-in",
        PUT: "signed-in",
        DELETE: "signed-in",
        PATCH: "signed-in",
      },
    },
  ],
};

const endpoints = Object.values(API).flat();
const cases = endpoints.flatMap(({ path, access, guest }) =>
  METHODS.map((method) => [method, path, access[method], guest] as const),
);
/** What those who may call are answered, where it is not what `allowed` says. */
const EXCEPTIONS: Record<string, number> = {
  // Without a body, everything is found.
  "POST /api/clients/search": 200,
  "POST /api/clients/similar": 200,
  [`POST /api/users/${NOBODY}/reset_password`]: 404,
  "DELETE /api/drafts/none": 204,
  [`DELETE /api/sessions/${NOBODY}`]: 422,
};

/** What those who may call are answered: an empty body lacks something, and nothing has the number of nobody. */
function allowed(method: Method, path: string): number {
  const exception = EXCEPTIONS[`${method} ${path}`];
  if (exception) return exception;
  if (path.startsWith("/api/no/such/")) return 404;
  if (method === "POST" || method === "PUT") return 422;
  if (path.includes(NOBODY) || path.endsWith("/none")) return 404;
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

/** The answer to someone who signs in for this one call, since some calls end sessions. */
async function as(person: Person | null, method: Method, path: string) {
  return call(person && (await signIn(person)), method, path, bodyOf(method));
}

test("every route of the API is in the access matrix", () => {
  expect([...routes.keys()].sort()).toEqual(Object.keys(API).sort());
});

describe.each(cases)("%s %s", (method, path, access, guest) => {
  if (access === undefined) {
    test("answers 405, since the route has no such method", async () => {
      for (const person of [null, nobody, administrator]) {
        const { status, headers } = await as(person, method, path);
        expect(status).toBe(405);
        expect(headers.get("allow")).not.toContain(method);
      }
    });
  } else if (access === "guest") {
    test("answers guests", async () => {
      expect((await as(null, method, path)).status).toBe(guest);
    });
  } else {
    test("answers 401 to a guest", async () => {
      const { status, body } = await as(null, method, path);
      expect([status, body]).toEqual([401, { error: "Unauthorized Request" }]);
    });

    test("answers the holders of its permission, and 403 to everyone else", async () => {
      const needed: readonly Permission[] = access === "signed-in" ? ALL : access;
      const answer = allowed(method, path);
      if (access === "signed-in") expect((await as(nobody, method, path)).status).toBe(answer);
      else expect(await as(nobody, method, path)).toMatchObject(REFUSED);
      for (const permission of ALL.filter((held) => !needed.includes(held))) {
        expect(await as(holders[permission], method, path), permission).toMatchObject(REFUSED);
      }
      for (const person of [administrator, ...needed.map((permission) => holders[permission])]) {
        expect((await as(person, method, path)).status).toBe(answer);
      }
    });
  }
});

const REFUSED = { status: 403, body: { error: "You do not have permission to do that." } };

describe("a path that does not exist", () => {
  test.each([
    "/api/nonsense",
    "/api/nonsense/1",
    "/api/nonsense/1/2",
    "/api/clients/1/nonsense",
    "/api/resource_lists",
    "/api/__proto__",
    "/api/constructor",
    "/api/resource_lists/nonsense",
  ])("%s answers 401 to a guest and 404 to an administrator", async (path) => {
    const UNKNOWN = { status: 404, body: { error: "Not found" } };
    expect((await as(null, "GET", path)).status).toBe(401);
    expect(await as(administrator, "GET", path)).toMatchObject(UNKNOWN);
    if (!path.includes("resource_lists/"))
      expect(await as(administrator, "POST", path)).toMatchObject(
        path.endsWith("/1") ? { status: 405 } : UNKNOWN,
      );
  });
});

describe("a form", () => {
  test("can be listed, read, changed, reconciled and removed by its owner and by holders of All Forms only", async () => {
    const [owner, other, all] = [await makeUser(), await makeUser(), await makeUser(["forms", "all-forms"])];
    const onlyAllForms = holders["all-forms"];
    const outcomes = async (person: Person) => {
      const cookie = await signIn(person);
      const form = await makeForm(owner);
      const url = `/api/forms/${form.id}`;
      const body = { form: minimalForm(form.clientId, form.formTypeId) };
      const listed = await call(cookie, "GET", `/api/forms?filters[userId]=${owner.id}&perPage=100`);
      return [
        (await call(cookie, "GET", url)).status,
        (await call(cookie, "PUT", url, body)).status,
        (await call(cookie, "POST", `${url}/reconcile`, { reconciled: false })).status,
        (await call(cookie, "DELETE", url)).status,
        (listed.body.forms ?? []).some(({ id }: { id: number }) => id === form.id),
      ];
    };
    expect(await outcomes(owner)).toEqual([200, 200, 200, 204, true]);
    expect(await outcomes(all)).toEqual([200, 200, 200, 204, true]);
    expect(await outcomes(administrator)).toEqual([200, 200, 200, 204, true]);
    expect(await outcomes(other)).toEqual([404, 404, 404, 404, false]);
    expect(await outcomes(onlyAllForms)).toEqual([403, 403, 403, 403, false]);
  });
});

describe("a session", () => {
  const status = async (cookie: string) => (await call(cookie, "GET", "/api/me")).status;

  test("ends when its row is gone, its account is not active, it was idle too long or has lasted too long", async () => {
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

  test("is not opened by a cookie that is forged, cut short or under another name", async () => {
    const { cookie } = await makeUser();
    const name = cookieName();
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

  test("loses a permission of its role at the next request", async () => {
    const person = await makeUser(["clients"]);
    expect((await call(person.cookie, "GET", "/api/clients")).status).toBe(200);
    const { roleId } = await db().user.findUniqueOrThrow({ where: { id: person.id } });
    await db().rolePermission.deleteMany({ where: { roleId } });
    expect((await call(person.cookie, "GET", "/api/clients")).status).toBe(403);
  });

  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
});

// ---- Pages ----

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

const PAGES: Record<string, "signed-in" | readonly Permission[] | "its list"> = {
  "/layout": "signed-in",
  "/profile/page": "signed-in",
  "/clients/page": ["clients"],
  "/clients/new/page": ["clients"],
  "/clients/[id]/edit/page": ["clients"],
  "/forms/page": ["forms"],
  "/forms/new/page": ["forms"],
  "/forms/[id]/edit/page": ["forms"],
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
    pageCookie = person && (await signIn(person));
    const Page = await pageAt(path);
    try {
      const params = Promise.resolve({ id: NOBODY, list });
      await Page({ params, searchParams: Promise.resolve({}) });
      return "200";
    } catch (error) {
      return (error as Error).message;
    }
  };

  test("is in the access matrix, whatever page it is", () => {
    expect([...pages.keys()].sort()).toEqual(Object.keys(PAGES).sort());
  });

  test.each(Object.entries(PAGES))(
    "at %s opens for the holders of its permission, and sends guests to login",
    async (path, access) => {
      const toLogin = "redirect /?url=%2Fwhere%3Fit%3Dwas";
      for (const list of access === "its list" ? COLLECTIONS : ["none"]) {
        const needed = access === "its list" ? ownPermission(list) : access === "signed-in" ? ALL : access;
        expect(await visit(null, path, list)).toBe(toLogin);
        expect(await visit(nobody, path, list)).toMatch(access === "signed-in" ? "200" : "403");
        for (const permission of ALL) {
          const outcome = await visit(holders[permission], path, list);
          expect(outcome, permission).toMatch(needed.includes(permission) ? /^(200|404)$/ : /^403$/);
        }
      }
    },
  );

  test("of another advocate's form answers 404", async () => {
    const [owner, other] = [await makeUser(), await makeUser()];
    const form = await makeForm(owner);
    const Page = await pageAt("/forms/[id]/edit/page");
    const open = async (person: Person) => {
      pageCookie = person.cookie;
      return Page({ params: Promise.resolve({ id: String(form.id) }), searchParams: Promise.resolve({}) });
    };
    await expect(open(other)).rejects.toThrow("404");
    await expect(open(owner)).resolves.toBeTruthy();
  });
});
