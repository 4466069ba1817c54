import { audit } from "@/e2e/audit";
import { test as base, expect, makeAccount, signIn } from "@/e2e/fixtures";
import {
  GROUP_PERMISSIONS,
  type Permission,
  permissionKey,
  permissionKeys,
} from "@/lib/core/access/permissions";
import { SEEDED_ROLES } from "@/lib/lookups/seeded-roles";

// Screens without records: their words, and the one button that a role may use.

const test = base.extend<object, { emptied: undefined }>({
  emptied: [
    async ({ database }, use) => {
      await database.query(
        "TRUNCATE clients, contacts, activities, events, outcome_surveys, groups, shelters, contact_kinds CASCADE",
      );
      await use(undefined);
    },
    { scope: "worker", auto: true },
  ],
});

// A server of its own, whose database has accounts and lists, but no records.
test.use({ serverEnv: { ORGANIZATION_NAME: "New Harbor" } });

type EmptyScreen = {
  path: string;
  opensFor: readonly Permission[];
  words: string;
  /** The button for holders of a permission, and the title of the page it leads to. */
  action?: { name: string; needs: Permission; title: string };
  /** The words for everyone else. */
  otherwise?: string;
};

const SCREENS: readonly EmptyScreen[] = [
  {
    path: "/forms",
    opensFor: ["forms"],
    words: "No unreconciled forms.",
    action: { name: "New", needs: "forms", title: "New Form" },
  },
  {
    path: "/clients",
    opensFor: ["clients"],
    words: "No clients yet.",
    action: { name: "New", needs: "clients", title: "New Client" },
  },
  {
    path: "/groups",
    opensFor: GROUP_PERMISSIONS,
    words: "No groups yet.",
    action: { name: "New Group", needs: "groups", title: "New Group" },
  },
  {
    path: "/shelter",
    opensFor: ["shelter"],
    words: "No shelters are set up.",
    action: { name: "Add a shelter", needs: "shelters", title: "New Shelter" },
    otherwise: "An administrator can add them in Settings.",
  },
  {
    path: "/stays",
    opensFor: ["shelter"],
    words: "No stays yet.",
    action: { name: "Shelter", needs: "shelter", title: "Shelter" },
  },
  {
    path: "/contacts",
    opensFor: ["contacts"],
    words: "No contact kinds are set up.",
    action: { name: "Add a contact kind", needs: "contact-kinds", title: "New Contact Kind" },
    otherwise: "An administrator can add them in Settings.",
  },
  { path: "/activities", opensFor: ["activities"], words: "No activities yet. Record the first one above." },
  { path: "/events", opensFor: ["events"], words: "No events yet. Record the first one above." },
  {
    path: "/outcome_surveys",
    opensFor: ["outcome-surveys"],
    words: "No outcome surveys yet. Record the first one above.",
  },
  {
    path: "/reports",
    opensFor: ["reports"],
    words: "No services in the last two years.",
    action: { name: "New Form", needs: "forms", title: "New Form" },
  },
  {
    path: "/settings/shelters",
    opensFor: ["shelters"],
    words: "No shelters yet.",
    action: { name: "New", needs: "shelters", title: "New Shelter" },
  },
];

const ROLES: readonly (readonly [string, readonly Permission[]])[] = [
  ...Object.entries(SEEDED_ROLES).map(([role, names]): [string, Permission[]] => [
    role,
    permissionKeys.filter((key) => names.some((name) => permissionKey(name) === key)),
  ]),
  ["Board member", ["reports", "all-forms"]],
  ["Night staff", ["shelter", "contacts"]],
];

for (const [role, permissions] of ROLES) {
  test(`without records, each screen offers a holder of the role ${role} only what the role may do`, async ({
    page,
    database,
  }) => {
    const email = `${role.toLowerCase().replace(" ", "-")}-empty@example.org`;
    await makeAccount(database, email, permissions);
    await signIn(page, email);
    const main = page.getByRole("main");
    for (const { path, opensFor, words, action, otherwise } of SCREENS) {
      if (!opensFor.every((key) => permissions.includes(key))) continue;
      await page.goto(path);
      await expect(main, path).toContainText(words);
      if (role === "Administrator") await audit(page, `${path} without records`);
      if (!action) continue;
      const link = main.getByRole("link", { name: action.name, exact: true });
      const isAllowed = permissions.includes(action.needs);
      await expect(link, `${path}: ${action.name}`).toHaveCount(isAllowed ? 1 : 0);
      if (isAllowed) {
        if (otherwise) await expect(main).not.toContainText(otherwise);
        await link.click();
        await expect(page.getByRole("heading", { level: 1, name: action.title, exact: true })).toBeVisible();
      } else if (otherwise) await expect(main).toContainText(otherwise);
    }
  });
}
