import { readdir } from "node:fs/promises";
import type { APIRequestContext } from "@playwright/test";
import { test as base, DEMO, expect, makeAccount } from "@/e2e/fixtures";
import { type Permission, permissionKey } from "@/lib/core/access/permissions";
import { type FieldFacts, type FieldKind, fieldsOf } from "@/lib/core/fields/facts";
import { type LookupKey, lookupKeys, lookups } from "@/lib/lookups/registry";

// The access matrix of the pages over real requests: real statuses, and no byte of data that the user may not
// see. tests/access.test.ts covers the API. A page missing here fails the test.

/** A client's name, and a word in a row of each settings list, that occur nowhere else. */
const CLIENT = "Monostatos";
const ROW = "Papageno";

interface Person {
  name: string;
  /** Null: not signed in. */
  permissions: readonly Permission[] | null;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
}

interface Answer {
  status: number;
  location: string;
  text: string;
}

interface Scene {
  people: Person[];
  clientId: number;
  /** A form of the person named owner. */
  formId: number;
  /** A contact of the administrator, linked to the form. */
  contactId: number;
  /** An activity of the administrator, of the kind with the word. */
  activityId: number;
  /** A stay of the client. */
  stayId: number;
  /** A group of the administrator with the client on its roster and in its session. */
  groupId: number;
  sessionId: number;
  /** A submission of a quarter. */
  submissionId: number;
  /** The row with the word in each settings list. */
  rowIds: Record<LookupKey, number>;
}

const PEOPLE: Record<string, readonly Permission[] | null> = {
  guest: null,
  "without permission": [],
  owner: ["forms", "clients"],
  "other advocate": ["forms", "clients"],
  "all forms": ["forms", "all-forms"],
};

interface Page {
  /** The page's file below app/, without groups. */
  file: string;
  path(scene: Scene): string;
  /** All of several permissions. */
  needs: "nothing" | "a session" | Permission | readonly Permission[];
  /** The word on the page, for users who may see it. */
  word: typeof CLIENT | typeof ROW;
  /** Names the users who may open the page and find the word on it. None by default. */
  shows?: "everyone" | "those who see the form" | "the owner" | "holders of All Forms" | undefined;
  /** The page is one form, which is not found for others. */
  ofForm?: true;
  /** The address has no page. */
  missing?: true;
}

const PAGES: Page[] = [
  { file: "/", path: () => "/", needs: "nothing", word: CLIENT },
  { file: "/forgot_password", path: () => "/forgot_password", needs: "nothing", word: CLIENT },
  { file: "/update_password/[token]", path: () => "/update_password/x", needs: "nothing", word: CLIENT },
  { file: "/account/[token]/activate", path: () => "/account/x/activate", needs: "nothing", word: CLIENT },
  { file: "/single_sign_on", path: () => "/single_sign_on", needs: "nothing", word: CLIENT },
  { file: "/two_step", path: () => "/two_step", needs: "a session", word: CLIENT },
  { file: "/help", path: () => "/help", needs: "a session", word: CLIENT },
  { file: "/help/[page]", path: () => "/help/first-day", needs: "a session", word: CLIENT },
  { file: "/[...rest]", path: () => "/nowhere/at/all", needs: "a session", word: CLIENT, missing: true },
  { file: "/profile", path: () => "/profile", needs: "a session", word: CLIENT },
  { file: "/forms", path: () => "/forms", needs: "forms", word: CLIENT, shows: "those who see the form" },
  { file: "/forms/new", path: () => "/forms/new", needs: "forms", word: CLIENT },
  {
    file: "/forms/review",
    path: ({ formId }) => `/forms/review?ids=${formId}`,
    needs: "forms",
    word: CLIENT,
    shows: "those who see the form",
  },
  {
    file: "/forms/[id]",
    path: ({ formId }) => `/forms/${formId}`,
    needs: "forms",
    word: CLIENT,
    shows: "those who see the form",
    ofForm: true,
  },
  {
    file: "/forms/[id]/edit",
    path: ({ formId }) => `/forms/${formId}/edit`,
    needs: "forms",
    word: CLIENT,
    shows: "those who see the form",
    ofForm: true,
  },
  { file: "/clients", path: () => "/clients", needs: "clients", word: CLIENT, shows: "everyone" },
  { file: "/api/docs", path: () => "/api/docs", needs: "a session", word: CLIENT },
  { file: "/home", path: () => "/home", needs: "a session", word: CLIENT, shows: "the owner" },
  {
    file: "/forms/[id]/history",
    path: ({ formId }) => `/forms/${formId}/history`,
    needs: "forms",
    word: CLIENT,
    shows: "those who see the form",
    ofForm: true,
  },
  {
    file: "/clients/[id]",
    path: ({ clientId }) => `/clients/${clientId}`,
    needs: "clients",
    word: CLIENT,
    shows: "everyone",
  },
  {
    file: "/clients/[id]/print",
    path: ({ clientId }) => `/clients/${clientId}/print`,
    needs: "clients",
    word: CLIENT,
    shows: "everyone",
  },
  {
    file: "/clients/[id]/history",
    path: ({ clientId }) => `/clients/${clientId}/history`,
    // Clients would also do, but no person here holds only that.
    needs: "forms",
    word: CLIENT,
    shows: "holders of All Forms",
  },
  { file: "/clients/new", path: () => "/clients/new", needs: "clients", word: CLIENT },
  {
    file: "/clients/[id]/edit",
    path: ({ clientId }) => `/clients/${clientId}/edit`,
    needs: "clients",
    word: CLIENT,
    shows: "everyone",
  },
  {
    file: "/clients/[id]/merge",
    path: ({ clientId }) => `/clients/${clientId}/merge`,
    needs: ["clients", "forms", "all-forms"],
    word: CLIENT,
    shows: "everyone",
  },
  { file: "/[records]", path: () => "/contacts", needs: "contacts", word: CLIENT },
  ...["edit", "history"].map(
    (name): Page => ({
      file: `/[records]/[id]/${name}`,
      path: ({ contactId }) => `/contacts/${contactId}/${name}`,
      needs: "contacts",
      word: CLIENT,
    }),
  ),
  ...["", "/[id]/edit", "/[id]/history"].map(
    (file): Page => ({
      file: `/[records]${file}`,
      path: ({ activityId }) => `/activities${file.replace("[id]", String(activityId))}`,
      needs: "activities",
      word: ROW,
      shows: "everyone",
    }),
  ),
  {
    file: "/outcome_surveys/cards",
    path: () => "/outcome_surveys/cards",
    needs: "outcome-surveys",
    word: CLIENT,
  },
  // Names are shown only on request.
  { file: "/shelter", path: () => "/shelter", needs: "shelter", word: CLIENT },
  { file: "/stays", path: () => "/stays", needs: "shelter", word: CLIENT },
  ...["edit", "history"].map(
    (name): Page => ({
      file: `/stays/[id]/${name}`,
      path: ({ stayId }) => `/stays/${stayId}/${name}`,
      needs: "shelter",
      word: CLIENT,
      // The form of a stay names its client.
      shows: name === "edit" ? "everyone" : undefined,
    }),
  ),
  ...["", "/new", "/[id]", "/[id]/edit", "/[id]/history", "/[id]/sign_in"]
    .concat(
      ["", "/history"].map((file) => `/[id]/sessions/[sessionId]${file}`),
      "/[id]/sessions/new",
    )
    .map(
      (file): Page => ({
        file: `/groups${file}`,
        path: ({ groupId, sessionId }) =>
          `/groups${file.replace("[id]", String(groupId)).replace("[sessionId]", String(sessionId))}`,
        needs: ["groups", "forms", "clients"],
        word: CLIENT,
        // The list, the form of a group, and its edit page name nobody.
        shows: /^$|\/(new|edit)$/.test(file) && !file.includes("sessions") ? undefined : "everyone",
      }),
    ),
  // Every person here with one of the settings permissions holds all of them.
  { file: "/settings", path: () => "/settings", needs: "users", word: ROW },
  { file: "/settings/lists", path: () => "/settings/lists", needs: "users", word: ROW },
  ...["", "/time", "/[report]", "/[report]/lines/[line]"].map(
    (file): Page => ({
      file: `/reports${file}`,
      path: () => `/reports${file.replace("[report]", "pmt").replace("[line]", "individuals_served")}`,
      needs: file === "/time" ? "forms" : "reports",
      word: CLIENT,
    }),
  ),
  {
    file: "/reports/[report]/gaps/[field]",
    // The form has no minutes.
    path: () => "/reports/pmt/gaps/minutes?from=2020-01-01&to=2099-12-31",
    needs: "reports",
    word: CLIENT,
    shows: "everyone",
  },
  {
    file: "/reports/[report]/submissions/[id]",
    path: ({ submissionId }) => `/reports/pmt/submissions/${submissionId}`,
    needs: "reports",
    word: CLIENT,
  },
  {
    file: "/settings/fields",
    path: () => "/settings/fields",
    needs: "form-setup",
    word: CLIENT,
  },
  {
    file: "/settings/organization",
    path: () => "/settings/organization",
    needs: "organization",
    word: CLIENT,
  },
  { file: "/settings/setup", path: () => "/settings/setup", needs: "organization", word: CLIENT },
  {
    file: "/settings/closed_periods",
    path: () => "/settings/closed_periods",
    needs: "close-periods",
    word: CLIENT,
  },
  { file: "/settings/all_data", path: () => "/settings/all_data", needs: "export", word: CLIENT },
  { file: "/settings/retention", path: () => "/settings/retention", needs: "retention", word: CLIENT },
  { file: "/settings/imports", path: () => "/settings/imports", needs: "import", word: CLIENT },
  { file: "/settings/audit_log", path: () => "/settings/audit_log", needs: "audit-log", word: CLIENT },
  {
    file: "/settings/reports/[report]",
    path: () => "/settings/reports/pmt",
    needs: "reports-setup",
    word: CLIENT,
  },
  ...lookupKeys.flatMap((list): Page[] => {
    const here = { needs: lookups[list].permission, word: ROW } as const;
    const file = "/settings/[list]";
    return [
      { ...here, file, path: () => `/settings/${list}?perPage=100`, shows: "everyone" },
      // A new user can be given the role with that name, and a new service code the form type.
      {
        ...here,
        file: `${file}/new`,
        path: () => `/settings/${list}/new`,
        shows: list === "users" || list === "service_codes" ? "everyone" : undefined,
      },
      {
        ...here,
        file: `${file}/[id]/edit`,
        path: ({ rowIds }) => `/settings/${list}/${rowIds[list]}/edit`,
        shows: "everyone",
      },
    ];
  }),
];

/**
 * Compressing thousands of pages would take a tenth of the time. Each request has its own connection, because
 * the server may close an idle one just when fetch sends on it.
 */
const PLAIN = { "accept-encoding": "identity", connection: "close" };

/** The headers of a browser's navigation between pages. */
const NAVIGATION = { RSC: "1" };

/** Other ways to request the same page, which a guard could miss. */
const DISGUISES: [suffix: string, headers: Record<string, string>][] = [
  ["", { ...NAVIGATION, "Next-Router-Prefetch": "1" }],
  ["", { ...NAVIGATION, "Next-Router-Prefetch": "1", "Next-Router-Segment-Prefetch": "/_tree" }],
  ["", { "x-middleware-subrequest": "proxy:proxy:proxy:proxy:proxy" }],
  ["", { "x-nextjs-data": "1", "x-matched-path": "/clients", "x-now-route-matches": "1=clients" }],
  [".rsc", {}],
  [".rsc", NAVIGATION],
  [".segments/_tree.segment.rsc", NAVIGATION],
  [".segments/__PAGE__.segment.rsc", { ...NAVIGATION, "Next-Router-Prefetch": "1" }],
  [".json", {}],
  ["/", {}],
];

const test = base.extend<object, { scene: Scene }>({
  scene: [
    async ({ server, database, playwright }, use) => {
      const contexts: APIRequestContext[] = [];
      const newContext = async () => {
        const context = await playwright.request.newContext({ baseURL: server.url });
        contexts.push(context);
        return context;
      };
      const signIn = async (email: string) => {
        const context = await newContext();
        expect((await context.post("/api/login", { data: { email, password: DEMO.password } })).ok()).toBe(
          true,
        );
        return context;
      };
      const people: Person[] = [];
      for (const [name, permissions] of Object.entries(PEOPLE)) {
        const email = `${name.replaceAll(" ", ".")}@example.org`;
        if (permissions) await makeAccount(database, email, permissions);
        const cookie = await cookieOf(permissions ? await signIn(email) : await newContext());
        people.push(personOf(name, permissions, server.url, cookie));
      }
      const { rows } = await database.query<{ name: string }>("SELECT name FROM permissions");
      const all = rows.map(({ name }) => permissionKey(name) as Permission);
      people.push(
        personOf("administrator", all, server.url, await cookieOf(await signIn(DEMO.administrator))),
      );

      const owner = contexts[Object.keys(PEOPLE).indexOf("owner")] as APIRequestContext;
      const row = (await post(owner, "/api/clients", { client: { name: CLIENT } })).client;
      const { rows: types } = await database.query("SELECT id FROM form_types WHERE name = 'Service'");
      const form = {
        clientId: row.id,
        formTypeId: types[0].id,
        serviceOn: row.createdOn,
        serviceStatus: "Served",
        verbalConfirmation: true,
      };
      const storedForm = (await post(owner, "/api/forms", { form })).form;
      const rowIds = await makeRows(contexts.at(-1) as APIRequestContext);
      const contact = { contactKindId: rowIds.contact_kinds, formId: storedForm.id };
      const { id: contactId } = (
        await post(contexts.at(-1) as APIRequestContext, "/api/contacts", { contact })
      ).contact;
      const activity = { activityKindId: rowIds.activity_kinds, minutes: 5 };
      const { id: activityId } = (
        await post(contexts.at(-1) as APIRequestContext, "/api/activities", { activity })
      ).activity;
      const stay = { clientId: row.id, shelterId: rowIds.shelters };
      const { id: stayId } = (await post(contexts.at(-1) as APIRequestContext, "/api/stays", { stay })).stay;
      const quarter = { submission: { from: "2020-01-01", to: "2020-03-31" } };
      const { submission } = await post(
        contexts.at(-1) as APIRequestContext,
        "/api/reports/pmt/submissions",
        quarter,
      );
      const submissionId = submission.id;
      const { rows: codes } = await database.query("SELECT id FROM service_codes WHERE code = 'COUNSEL-GRP'");
      const { rows: admins } = await database.query("SELECT id FROM users WHERE email = $1", [
        DEMO.administrator,
      ]);
      const { group } = await post(contexts.at(-1) as APIRequestContext, "/api/groups", {
        group: {
          name: "Evening",
          formTypeId: types[0].id,
          serviceCodeId: codes[0].id,
          usualMinutes: 60,
          leaderIds: [admins[0].id],
          clientIds: [row.id],
        },
      });
      const { groupSession } = await post(
        contexts.at(-1) as APIRequestContext,
        `/api/groups/${group.id}/sessions`,
        {
          groupSession: {
            minutes: 60,
            attendancesAttributes: [{ clientId: row.id }],
            leadersAttributes: [{ userId: admins[0].id, minutes: 60 }],
          },
        },
      );
      const ids = {
        clientId: row.id,
        formId: storedForm.id,
        contactId,
        activityId,
        stayId,
        submissionId,
        groupId: group.id,
        sessionId: groupSession.id,
      };
      await use({ people, ...ids, rowIds });
      for (const context of contexts) await context.dispose();
    },
    { scope: "worker" },
  ],
});

// biome-ignore lint/suspicious/noExplicitAny: a test reads any response
async function post(context: APIRequestContext, path: string, data: object): Promise<any> {
  const response = await context.post(path, { data });
  expect(response.status(), await response.text()).toBe(201);
  return response.json();
}

/** Creates a row in each settings list, with the word in its texts. */
async function makeRows(administrator: APIRequestContext): Promise<Scene["rowIds"]> {
  const [role] = (await (await administrator.get("/api/resource_lists/roles")).json()).roles;
  const values: Partial<Record<FieldKind, unknown>> = {
    text: ROW,
    longText: ROW,
    email: `${ROW}@example.org`,
    flag: false,
    whole: 1,
    money: 1,
    count: 1,
    lookup: role.id,
    lookups: [],
  };
  const sentFor = (facts: FieldFacts) =>
    facts.kind === "choice" ? facts.choices[0]?.value : values[facts.kind];
  const entries = lookupKeys.map(async (list) => {
    const { singular, schema } = lookups[list];
    const record = Object.fromEntries(fieldsOf(schema).map(({ name, facts }) => [name, sentFor(facts)]));
    return [list, (await post(administrator, `/api/${list}`, { [singular]: record }))[singular].id];
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** Returns the context's cookies as a request header. */
async function cookieOf(context: APIRequestContext): Promise<string> {
  const { cookies } = await context.storageState();
  return cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
}

function personOf(
  name: string,
  permissions: readonly Permission[] | null,
  url: string,
  cookie: string,
): Person {
  return {
    name,
    permissions,
    async get(path, headers) {
      // Without Playwright, which takes as long for each of these thousands of requests as the server does.
      const ask = (to: string) =>
        fetch(new URL(to, url), { headers: { ...headers, cookie, ...PLAIN }, redirect: "manual" });
      let response = await ask(path);
      // Next redirects a navigation without `_rsc` to the same URL with it, whatever the URL is.
      const location = response.headers.get("location") ?? "";
      if (/[?&]_rsc\b/.test(location)) {
        await response.body?.cancel();
        response = await ask(location);
      }
      return {
        status: response.status,
        location: response.headers.get("location") ?? "",
        text: await response.text(),
      };
    },
  };
}

const seesForm = ({ name, permissions }: Person) =>
  name === "owner" || (permissions?.includes("all-forms") ?? false);

/** Returns the status of the plain page, and whether its word is on it. */
function expected({ needs, shows, ofForm, missing }: Page, person: Person): [status: number, shown: boolean] {
  const { permissions } = person;
  if (needs === "nothing") return [200, false];
  if (!permissions) return [307, false];
  if (missing) return [404, false];
  const needed = needs === "a session" ? [] : [needs].flat();
  if (!needed.every((permission) => permissions.includes(permission))) return [403, false];
  if (ofForm && !seesForm(person)) return [404, false];
  const sees =
    shows === "everyone" ||
    (shows === "those who see the form" && seesForm(person)) ||
    (shows === "holders of All Forms" && permissions.includes("all-forms")) ||
    (shows === "the owner" && person.name === "owner");
  return [200, sees];
}

test("every page of the program is in the access matrix", async () => {
  const files = (await readdir("app", { recursive: true })).filter((file) => /(^|\/)page\.tsx$/.test(file));
  const pages = files.map(
    (file) => `/${file}`.replace(/\/page\.tsx$/, "").replace(/\/\([^)]+\)/g, "") || "/",
  );
  expect([...new Set(PAGES.map(({ file }) => file))].sort()).toEqual(pages.sort());
});

test("each page answers each person with the right status and shows only data they may see", async ({
  scene,
}) => {
  const wrong: string[] = [];
  for (const page of PAGES) {
    const path = page.path(scene);
    const visits = scene.people.map(async (person) => {
      const { status, location, text } = await person.get(path);
      const got = [status, text.includes(page.word)];
      const expectation = expected(page, person);
      if (String(got) !== String(expectation))
        wrong.push(`${person.name} ${path}: ${got} instead of ${expectation}`);
      const way = `/?url=${encodeURIComponent(path)}`;
      if (status === 307 && location !== way) wrong.push(`${person.name} ${path}: led to ${location}`);
      const navigation = await person.get(path, NAVIGATION);
      if (navigation.text.includes(page.word) !== expectation[1])
        wrong.push(`${person.name} ${path}: navigation`);
    });
    await Promise.all(visits);
  }
  expect(wrong).toEqual([]);
});

test("no unusual form of a request reveals data that the page itself refuses", async ({ scene }) => {
  const wrong: string[] = [];
  // The settings lists share their files, and so the guard that a disguise could pass.
  const perFile = [...new Map(PAGES.map((page) => [page.file, page])).values()];
  for (const page of perFile) {
    const [path = "", query] = page.path(scene).split("?");
    const refused = scene.people.filter((person) => expected(page, person)[0] !== 200);
    const visits = refused.flatMap((person) =>
      DISGUISES.map(async ([suffix, headers]) => {
        const address = `${path}${suffix}${query ? `?${query}` : ""}`;
        const { status, text } = await person.get(address, headers);
        const how = `${person.name} ${address} ${JSON.stringify(headers)}`;
        if (status >= 500 || text.includes(page.word)) wrong.push(`${how}: ${status}`);
      }),
    );
    await Promise.all(visits);
  }
  expect(wrong).toEqual([]);
});
