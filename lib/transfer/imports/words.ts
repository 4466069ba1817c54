import { byKey } from "@/lib/core/fields/by-key";
import { lookupKeys, lookups } from "@/lib/lookups/registry";
import { recordKeys, records } from "@/lib/records/registry";

// The kinds and states of imports. They are not in the schema's module, which browsers do not load.

/** Accounts and roles cannot be imported, because they give access. */
const lists = lookupKeys.filter((key) => key !== "users" && key !== "roles");
export const importKinds = ["clients", "forms", "contacts", "stays", ...recordKeys, ...lists] as const;
export type ImportKind = (typeof importKinds)[number];

const titles = {
  clients: { title: "Clients" },
  forms: { title: "Past Forms" },
  contacts: { title: "Past Contacts" },
  stays: { title: "Past Stays" },
  ...byKey(recordKeys, (key) => ({ title: `Past ${records[key].words.title}` })),
  ...lookups,
};
export const kindTitle = (kind: ImportKind): string => titles[kind].title;

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
