import { byKey } from "@/lib/core/objects";
import { PAGES, to } from "@/lib/core/pages";
import { lookupKeys, lookups } from "@/lib/lookups/registry";
import { recordKeys, records } from "@/lib/records/registry";

// The kinds and states of imports. They are not in the schema's module, which browsers do not load.

/** Accounts and roles cannot be imported, because they give access. */
const lists = lookupKeys.filter((key) => key !== "users" && key !== "roles");
export const importKinds = [
  ...new Set(["clients", "forms", "contacts", "stays", "attendances", ...recordKeys, ...lists] as const),
];
export type ImportKind = (typeof importKinds)[number];

const titles = {
  clients: { title: "Clients" },
  forms: { title: "Past Forms" },
  stays: { title: "Past Stays" },
  attendances: { title: "Past Group Sessions" },
  ...byKey(recordKeys, (key) => ({ title: `Past ${records[key].words.title}` })),
  ...lookups,
};
export const kindTitle = (kind: ImportKind): string => titles[kind].title;

const isRecord = (kind: ImportKind): kind is (typeof recordKeys)[number] =>
  recordKeys.some((key) => key === kind);

/** Returns the page that lists the imported records, and its title. */
export function kindPage(kind: ImportKind): { href: string; title: string } {
  if (kind === "clients") return { href: to("clientsList"), title: PAGES.clientsList.title };
  if (kind === "forms")
    return { href: `${to("formsList")}?filters[formStatus]=all`, title: PAGES.formsList.title };
  if (kind === "stays") return { href: to("staysList"), title: PAGES.staysList.title };
  if (kind === "attendances") return { href: to("groupsList"), title: PAGES.groupsList.title };
  if (isRecord(kind)) return { href: to("recordsList", { records: kind }), title: records[kind].words.title };
  return { href: `/settings/${kind}`, title: kindTitle(kind) };
}

/**
 * `waiting`: the user can match the columns. `checked`: a dry run has finished. `checking`, `running` and `undoing` run
 * in the background. An import that is `done`, `cancelled` or `failed` can be undone.
 */
export const importStatuses = [
  "waiting",
  "checking",
  "checked",
  "running",
  "done",
  "cancelled",
  "failed",
  "undoing",
  "undone",
] as const;
export const WORKING: readonly string[] = ["checking", "running", "undoing"];
