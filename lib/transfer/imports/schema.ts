import { z } from "zod";
import { moment, person } from "@/lib/core/api/answer";
import { id } from "@/lib/core/fields/validation";
import { lookupKeys, lookups } from "@/lib/lookups/registry";

// What can be imported from a file, and what the API answers of an import.

/** Accounts and roles are made by hand: they let people in. */
const lists = lookupKeys.filter((key) => key !== "users" && key !== "roles");
export const importKinds = ["clients", "forms", ...lists] as const;
export type ImportKind = (typeof importKinds)[number];

const titles = { clients: { title: "Clients" }, forms: { title: "Past Forms" }, ...lookups };
export const kindTitle = (kind: ImportKind): string => titles[kind].title;

/** The largest file, in bytes. */
export const IMPORT_MAX = 100 * 1024 * 1024;

/** The most columns, characters of a heading, and rows below the headings of a file in any format. */
export const COLUMNS_MAX = 1_000;
export const HEADING_MAX = 255;
export const ROWS_MAX = 1_048_576;

/**
 * `waiting`: the columns are to be matched; `checked`: a dry run has finished; `checking`, `running` and `undoing` go on
 * in the background. An import that is `done`, `cancelled` or `failed` can be undone.
 */
const importStatuses = [
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

const importField = z.object({ key: z.string(), label: z.string(), required: z.boolean() });
export type ImportField = z.output<typeof importField>;

/** What is said of a row (`failed`, `similar`) or of a record that an undo left (`kept`). */
const importNote = z.object({
  about: z.enum(["failed", "similar", "kept"]),
  /** The row's number in the file, in which the headings are row 1; for `kept` the record's id. */
  number: z.int(),
  problem: z.string(),
  /**
   * For `similar` the clients of similar names, also those of earlier rows, while `problem` names the similar rows that
   * are no clients yet or were refused; for `failed` the client of a refused form, where found; for `kept` the client
   * who, or whose form, was left.
   */
  clients: z.array(z.object({ id: id(), name: z.string() })),
});
export type ImportNote = z.output<typeof importNote>;

const importItem = z.object({
  id: id(),
  kind: z.enum(importKinds),
  status: z.enum(importStatuses),
  user: person.nullable(),
  /** Rows of the file; several are one form where it has several services. */
  rows: z.int(),
  done: z.int(),
  created: z.int(),
  repeated: z.int(),
  /** Rows, where the other counts are of records. */
  failed: z.int(),
  similar: z.int(),
  removed: z.int(),
  kept: z.int(),
  /** Why it failed; "" where it did not. */
  problem: z.string(),
  createdAt: moment,
  finishedAt: moment.nullable(),
});
export type ImportItem = z.output<typeof importItem>;

const importWhole = importItem.extend({
  /** None once the import has been started. */
  headings: z.array(z.string()),
  /** How many values each column holds below its heading. */
  values: z.array(z.int()),
  /** The key of the field that each column is for, "" for a column that is left out. */
  matches: z.array(z.string()),
  fields: z.array(importField),
  ownerId: id().nullable(),
  /** Whether the caller may have the refused rows as a file: who sent the file in, with Export. */
  refusedRows: z.boolean(),
  /** At most 50 of each kind; none while the import is worked on. */
  notes: z.array(importNote),
});
export type Import = z.output<typeof importWhole>;

export const importAnswer = z.object({ import: importWhole });
export const importsAnswer = z.object({ imports: z.array(importItem) });

export const importQuery = z.object({
  kind: z.enum(importKinds, { error: "is not known" }),
});

export const importStart = z.object({
  import: z.object({
    dryRun: z.boolean({ error: "must be true or false" }),
    matches: z.array(z.string(), { error: "must be a list" }).max(COLUMNS_MAX, "has too many columns"),
    ownerId: id()
      .nullish()
      .transform((value) => value ?? null),
  }),
});
export type ImportStart = z.output<typeof importStart>["import"];
