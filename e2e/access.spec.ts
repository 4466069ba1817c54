import { glob } from "node:fs/promises";
import type { APIRequestContext } from "@playwright/test";
import pg from "pg";
import { test as base, DEMO, expect } from "@/e2e/fixtures";
import { hashPassword } from "@/lib/accounts/hashing";
import { lookupKeys, lookups } from "@/lib/lookups/registry";
import { runningDatabase } from "@/lib/ops/embedded";
import { type Permission, permissionKey } from "@/lib/permissions";

// The access matrix of the pages, over real requests (contract §2): true statuses, and in the bytes nothing of a
// client whom the caller may not see. tests/access.test.ts has the calls. A page that is not here fails the test.

const CANARY = "Kanarienvogel";

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
  /** Of the person named owner. */
  formId: number;
}

const PEOPLE: Record<string, readonly Permission[] | null> = {
  guest: null,
  "without permission": [],
  owner: ["forms", "clients"],
  "other advocate": ["forms", "clients"],
  "all forms": ["forms", "all-forms"],
};

interface Page {
  /** Its file below app/, without groups. */
  file: string;
  path(scene: Scene): string;
  needs: "nothing" | "a session" | Permission;
  /** Who finds the canary client on it, of those who may open it; nobody unless it says so. */
  shows?: "everyone" | "those who see the form";
  /** It is one form, which for others is not there. */
  ofForm?: true;
}

const PAGES: Page[] = [
  { file: "/", path: () => "/", needs: "nothing" },
  { file: "/forgot_password", path: () => "/forgot_password", needs: "nothing" },
  { file: "/update_password/[token]", path: () => "/update_password/x", needs: "nothing" },
  { file: "/account/[token]/activate", path: () => "/account/x/activate", needs: "nothing" },
  { file: "/profile", path: () => "/profile", needs: "a session" },
  { file: "/forms", path: () => "/forms", needs: "forms", shows: "those who see the form" },
  { file: "/forms/new", path: () => "/forms/new", needs: "forms" },
  {
    file: "/forms/[id]/edit",
    path: ({ formId }) => `/forms/${formId}/edit`,
    needs: "forms",
    shows: "those who see the form",
    ofForm: true,
  },
  { file: "/clients", path: () => "/clients", needs: "clients", shows: "everyone" },
  { file: "/clients/new", path: () => "/clients/new", needs: "clients" },
  {
    file: "/clients/[id]/edit",
    path: ({ clientId }) => `/clients/${clientId}/edit`,
    needs: "clients",
    shows: "everyone",
  },
  ...lookupKeys.flatMap((list): Page[] => {
    const needs = lookups[list].permission;
    return [
      { file: "/settings/[list]", path: () => `/settings/${list}`, needs },
      { file: "/settings/[list]/new", path: () => `/settings/${list}/new`, needs },
      { file: "/settings/[list]/[id]/edit", path: () => `/settings/${list}/1/edit`, needs },
    ];
  }),
];

/** Ways to ask for the same page that a guard could forget; none may answer more than the plain one. */
const DISGUISES: [suffix: string, headers: Record<string, string>][] = [
  ["", { RSC: "1" }],
  ["", { RSC: "1", "Next-Router-Prefetch": "1" }],
  ["", { RSC: "1", "Next-Router-Prefetch": "1", "Next-Router-Segment-Prefetch": "/_tree" }],
  ["", { "x-middleware-subrequest": "proxy:proxy:proxy:proxy:proxy" }],
  ["", { "x-nextjs-data": "1", "x-matched-path": "/clients", "x-now-route-matches": "1=clients" }],
  [".rsc", {}],
  [".rsc", { RSC: "1" }],
  [".segments/_tree.segment.rsc", { RSC: "1" }],
  [".segments/__PAGE__.segment.rsc", { RSC: "1", "Next-Router-Prefetch": "1" }],
  [".json", {}],
  ["/", {}],
];

const test = base.extend<object, { scene: Scene }>({
  scene: [
    async ({ server, playwright }, use) => {
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
      const client = new pg.Client((await runningDatabase(server.dataDir)) ?? "");
      await client.connect();
      const people: Person[] = [];
      for (const [name, permissions] of Object.entries(PEOPLE)) {
        const email = `${name.replaceAll(" ", ".")}@example.org`;
        if (permissions) await makeAccount(client, email, permissions);
        people.push(personOf(name, permissions, permissions ? await signIn(email) : await newContext()));
      }
      const { rows } = await client.query<{ name: string }>("SELECT name FROM permissions");
      const all = rows.map(({ name }) => permissionKey(name) as Permission);
      people.push(personOf("administrator", all, await signIn(DEMO.administrator)));

      const owner = contexts[Object.keys(PEOPLE).indexOf("owner")] as APIRequestContext;
      const made = await owner.post("/api/clients", { data: { client: { name: CANARY } } });
      const { client: row } = await made.json();
      const { rows: types } = await client.query("SELECT id FROM form_types WHERE name = 'Service'");
      const form = {
        clientId: row.id,
        formTypeId: types[0].id,
        serviceOn: row.createdOn,
        serviceStatus: "Served",
        verbalConfirmation: true,
      };
      const saved = await owner.post("/api/forms", { data: { form } });
      await use({ people, clientId: row.id, formId: (await saved.json()).form.id });
      await client.end();
      for (const context of contexts) await context.dispose();
    },
    { scope: "worker" },
  ],
});

async function makeAccount(client: pg.Client, email: string, permissions: readonly Permission[]) {
  const keys = permissions.map((key) => key.replaceAll("-", " "));
  await client.query(
    `WITH made AS (INSERT INTO roles (name) VALUES ($1) RETURNING id),
       held AS (INSERT INTO role_permissions (role_id, permission_id)
         SELECT made.id, p.id FROM made, permissions p WHERE lower(p.name::text) = ANY($2))
     INSERT INTO users (first_name, last_name, email, password_hash, role_id, activated_at)
       SELECT 'Some', 'Body', $1, $3, made.id, now() FROM made`,
    [email, keys, await hashPassword(DEMO.password)],
  );
}

function personOf(
  name: string,
  permissions: readonly Permission[] | null,
  context: APIRequestContext,
): Person {
  return {
    name,
    permissions,
    async get(path, headers) {
      const response = await context.get(path, { headers, maxRedirects: 0 });
      return {
        status: response.status(),
        location: response.headers().location ?? "",
        text: await response.text(),
      };
    },
  };
}

const seesForm = ({ name, permissions }: Person) =>
  name === "owner" || (permissions?.includes("all-forms") ?? false);

/** The status of the plain page, and whether the canary is on it. */
function expected({ needs, shows, ofForm }: Page, person: Person): [status: number, canary: boolean] {
  const { permissions } = person;
  if (needs === "nothing") return [200, false];
  if (!permissions) return [307, false];
  if (needs !== "a session" && !permissions.includes(needs)) return [403, false];
  if (ofForm && !seesForm(person)) return [404, false];
  return [200, shows === "everyone" || (shows === "those who see the form" && seesForm(person))];
}

test("every page is in the matrix", async () => {
  const files = new Set<string>();
  for await (const file of glob("app/**/page.tsx")) {
    files.add(
      file
        .replace(/^app/, "")
        .replace(/\/page\.tsx$/, "")
        .replace(/\/\([^)]+\)/g, "") || "/",
    );
  }
  expect([...new Set(PAGES.map(({ file }) => file))].sort()).toEqual([...files].sort());
});

test("each page answers each person with the right status, and shows only what is theirs to see", async ({
  scene,
}) => {
  test.setTimeout(180_000);
  const wrong: string[] = [];
  for (const page of PAGES) {
    const path = page.path(scene);
    for (const person of scene.people) {
      const { status, location, text } = await person.get(path);
      const got = [status, text.includes(CANARY)];
      const wanted = expected(page, person);
      if (String(got) !== String(wanted)) wrong.push(`${person.name} ${path}: ${got} instead of ${wanted}`);
      const way = `/?unauthorized=true&url=${encodeURIComponent(path)}`;
      if (status === 307 && location !== way) wrong.push(`${person.name} ${path}: led to ${location}`);
    }
  }
  expect(wrong).toEqual([]);
});

test("no disguise of a request shows more than the page itself", async ({ scene }) => {
  test.setTimeout(300_000);
  const wrong: string[] = [];
  for (const page of PAGES) {
    const path = page.path(scene);
    for (const person of scene.people) {
      const [plain, canary] = expected(page, person);
      if (plain === 200) continue;
      // What a refused page consists of beside the client: a form, a table.
      for (const [suffix, headers] of DISGUISES) {
        const { status, text } = await person.get(path + suffix, headers);
        const how = `${person.name} ${path}${suffix} ${JSON.stringify(headers)}`;
        if (text.includes(CANARY) !== canary) wrong.push(`${how}: shows the client`);
        console.log(how, status);
      }
    }
  }
  expect(wrong).toEqual([]);
});
