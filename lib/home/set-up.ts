import "server-only";
import { can, fullName, type Permission, type SessionUser } from "@/lib/core/access/permissions";
import { assertAllowed, visibleClientsWhere } from "@/lib/core/access/scope";
import { type StoredBranding, shownBranding } from "@/lib/core/branding/branding";
import { backupTimes } from "@/lib/core/database/backup-files";
import { rows } from "@/lib/core/database/client";
import { to } from "@/lib/core/pages";
import { environmentVariables } from "@/lib/core/process/env";
import { identifier, join, type Sql, sql } from "@/lib/core/sql";
import { FIRST_ADMINISTRATOR } from "@/lib/identity/administrators";
import { type LookupKey, lookupKeys, lookups } from "@/lib/lookups/registry";

/** A step of setting up the organization. `isDone` follows from what is stored; null if nothing stored shows it. */
export type SetUpStep = { title: string; words: string; href: string; isDone: boolean | null };

/** The lists that have steps of their own, or that are accounts. */
const OTHER_STEPS: readonly LookupKey[] = ["users", "roles", "form_types", "shelters"];
/** The lists that most organizations adapt first, because each has its own referrers, services, and callers. */
const FIRST_LISTS: readonly LookupKey[] = [
  "referral_sources",
  "service_codes",
  "ethnicities",
  "contact_kinds",
  "event_kinds",
  "activity_kinds",
];
const LISTS = lookupKeys.filter((key) => !OTHER_STEPS.includes(key));

/** The URLs of the lists that the step Adapt the lists is about, those to adapt first in their order; and their permissions. */
export const LISTS_TO_ADAPT = {
  permissions: LISTS.map((key) => lookups[key].permission),
  first: FIRST_LISTS.map((key) => `/settings/${key}`),
  others: LISTS.filter((key) => !FIRST_LISTS.includes(key)).map((key) => `/settings/${key}`),
};

/** The rows of a new database are added within this time. */
const SEEDED_WITHIN = sql`interval '1 minute'`;

/** SQL that is true if someone has added or changed a row of these lists since the database was made. */
const isAdapted = (tables: readonly string[]): Sql =>
  sql`EXISTS (SELECT FROM (${join(
    tables.map((table) => sql`SELECT created_at, updated_at FROM ${identifier(table)}`),
    " UNION ALL ",
  )}) AS entries WHERE greatest(created_at, updated_at) > (SELECT min(created_at) FROM age_brackets) + ${SEEDED_WITHIN})`;

/** The days after a quarter within which a report is due in a new database, as in prisma/schema.prisma. */
const DUE_DAYS = 30;

type Facts = StoredBranding & {
  staff: boolean;
  roles: boolean;
  lists: boolean;
  formTypes: boolean;
  fields: boolean;
  shelters: boolean;
  funders: boolean;
  clients: boolean;
};

async function readFacts(actor: SessionUser): Promise<Facts> {
  const [facts] = await rows<Facts>(
    sql`SELECT o.name, o.short_name AS "shortName", o.help_text AS "helpText", o.color, o.logo_hash AS "logoHash",
       (SELECT count(*) > 1 FROM (SELECT FROM users WHERE active LIMIT 2) AS colleagues) AS staff,
       EXISTS (SELECT FROM users u WHERE u.active AND NOT EXISTS (
         SELECT FROM role_permissions rp JOIN permissions p ON p.id = rp.permission_id
         WHERE rp.role_id = u.role_id AND p.name = 'Roles')) AS roles,
       ${isAdapted(LISTS)} AS lists,
       ${isAdapted(["form_types"])} AS "formTypes",
       EXISTS (SELECT FROM custom_fields) OR EXISTS (SELECT FROM field_settings) AS fields,
       EXISTS (SELECT FROM shelters) AS shelters,
       EXISTS (SELECT FROM report_settings WHERE due_from IS NOT NULL OR due_days <> ${DUE_DAYS})
         OR EXISTS (SELECT FROM report_submissions) AS funders,
       EXISTS (SELECT FROM clients c WHERE ${visibleClientsWhere(actor)}) AS clients
     FROM organizations o`,
  );
  if (!facts) throw new Error("The row of the organization is missing");
  return facts;
}

const DEFAULT_NAME = environmentVariables.ORGANIZATION_NAME.parse(undefined);

/**
 * Returns the steps of setting up the organization that the actor may do. Each is done if its result is stored, also by
 * someone else.
 */
export async function setUpOf(actor: SessionUser): Promise<SetUpStep[]> {
  assertAllowed(actor, "organization");
  const [facts, backups] = await Promise.all([readFacts(actor), backupTimes()]);
  const steps: (SetUpStep & { permission: Permission })[] = [
    {
      title: "Your name",
      words: "Your own name, as colleagues and forms show it.",
      href: to("profile"),
      permission: "organization",
      isDone: fullName(actor) !== fullName(FIRST_ADMINISTRATOR),
    },
    {
      title: "Name and logo",
      words: "Your organization's name, logo, and color, and a help text for the login page.",
      href: to("organization"),
      permission: "organization",
      isDone: shownBranding(facts).organization !== DEFAULT_NAME,
    },
    {
      title: "Invite staff",
      words: "Name, email, and role. Each colleague gets an email with a link.",
      href: to("usersList"),
      permission: "users",
      isDone: facts.staff,
    },
    {
      title: "Assign roles",
      words: "Advocate, Supervisor, Director, or a role of your own.",
      href: to("rolesList"),
      permission: "roles",
      isDone: facts.roles,
    },
    {
      title: "Adapt the lists",
      words: "What people choose on forms, such as referral sources.",
      href: to("lists"),
      permission: "referral-sources",
      isDone: facts.lists,
    },
    {
      title: "Choose form types",
      words: "The forms you use, and the sections of each.",
      href: to("formTypesList"),
      permission: "form-types",
      isDone: facts.formTypes,
    },
    {
      title: "Add fields of your own",
      words: "Questions that only you ask about clients or on forms, and fields that you do not need.",
      href: to("fields"),
      permission: "form-setup",
      isDone: facts.fields,
    },
    {
      title: "Add shelters",
      words: "Each shelter with its number of beds.",
      href: to("sheltersList"),
      permission: "shelters",
      isDone: facts.shelters,
    },
    {
      title: "Check the funder reports",
      words: "When each report is due, and what its lines count.",
      href: to("reportsSetup", { report: "pmt" }),
      permission: "reports-setup",
      isDone: facts.funders,
    },
    {
      title: "Import your records",
      words: "The clients you have, from your spreadsheet as it is.",
      href: to("imports"),
      permission: "import",
      isDone: facts.clients,
    },
    {
      title: "Let staff practice",
      words: "A copy with invented records, in which new staff learn.",
      href: `${to("helpPage", { page: "first-day" })}#practice`,
      permission: "organization",
      isDone: null,
    },
    {
      title: "Back up every night",
      words: "Every night, and a copy away from the server.",
      href: `${to("helpPage", { page: "people-and-roles" })}#set-up-a-new-program`,
      permission: "organization",
      isDone: backups.completedAt !== null,
    },
  ];
  return steps.filter(({ permission }) => can(actor, permission)).map(({ permission: _, ...step }) => step);
}

/** True if the actor may set up the organization, which has no clients yet. */
export async function isToBeSetUp(actor: SessionUser): Promise<boolean> {
  if (!can(actor, "organization")) return false;
  const [client] = await rows(sql`SELECT FROM clients c WHERE ${visibleClientsWhere(actor)} LIMIT 1`);
  return client === undefined;
}

/** True if nothing that can be known to be done is left. */
export const isSetUp = (steps: readonly SetUpStep[]): boolean =>
  steps.every(({ isDone }) => isDone !== false);
