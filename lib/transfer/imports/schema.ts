import { z } from "zod/mini";
import { moment, person } from "@/lib/core/api/response";
import { id, orBlank } from "@/lib/core/fields/validation";
import { importKinds, importStatuses } from "@/lib/transfer/imports/words";

// The records that can be imported from a file, and the API responses about imports.

/** The largest file in bytes. */
export const IMPORT_MAX = 100 * 1024 * 1024;

/** For files in any format: the most columns, characters of a heading, and rows below the headings. */
export const COLUMNS_MAX = 1_000;
export const HEADING_MAX = 255;
export const ROWS_MAX = 1_048_576;

const importField = z.object({ key: z.string(), label: z.string(), required: z.boolean() });
export type ImportField = z.output<typeof importField>;

/** A note on a row (`failed`, `duplicate`, `similar`) or on a record that an undo did not remove (`kept`). */
const importNote = z.object({
  about: z.enum(["failed", "duplicate", "similar", "kept"]),
  /** The row's number in the file, where the headings are row 1; for `kept`, the record's id. */
  number: z.int(),
  problem: z.string(),
  /**
   * For `similar`, clients with similar names, including those of earlier rows. `problem` lists similar rows that are
   * no clients. For `failed`, the client of a refused form, if found. For `kept`, the client who stays or whose form
   * stays.
   */
  clients: z.array(z.object({ id: id(), name: z.string() })),
});
export type ImportNote = z.output<typeof importNote>;

const importItem = z.object({
  id: id(),
  kind: z.enum(importKinds),
  status: z.enum(importStatuses),
  /** The name of the file, for 30 days after the import; "" if unknown. */
  fileName: z.string(),
  user: z.nullable(person),
  /** Rows of the file; a form with several services has several rows. */
  rows: z.int(),
  done: z.int(),
  created: z.int(),
  /** Records of earlier imports. */
  repeated: z.int(),
  /** Records that the file has further up. */
  duplicates: z.int(),
  /** Counts rows; the other counts are of records. */
  failed: z.int(),
  similar: z.int(),
  removed: z.int(),
  kept: z.int(),
  /** The reason for a failure; "" if it did not fail. */
  problem: z.string(),
  createdAt: moment,
  finishedAt: z.nullable(moment),
});
export type ImportItem = z.output<typeof importItem>;

const importWhole = z.extend(importItem, {
  /** Empty after the import has started. */
  headings: z.array(z.string()),
  /** The number of values in each column below its heading. */
  values: z.array(z.int()),
  /** The key of the field for each column; "" for a column that is left out. */
  matches: z.array(z.string()),
  fields: z.array(importField),
  ownerId: z.nullable(id()),
  /** True if the caller may download the refused rows: the user who uploaded the file, with Export. */
  refusedRows: z.boolean(),
  /** At most the first 50 of each kind, fewer if they are large; none while the import is running. */
  notes: z.array(importNote),
  /** The number of all notes of each kind. */
  noteCounts: z.object({ failed: z.int(), duplicate: z.int(), similar: z.int(), kept: z.int() }),
});
export type Import = z.output<typeof importWhole>;

export const importResponse = z.object({ import: importWhole });
export const importsResponse = z.object({ imports: z.array(importItem) });

export const importQuery = z.object({
  kind: z.enum(importKinds, { error: "is not known" }),
});

export const importStart = z.object({
  import: z.object({
    dryRun: z.boolean({ error: "must be true or false" }),
    matches: z
      .array(z.string(), { error: "must be a list" })
      .check(z.maxLength(COLUMNS_MAX, "has too many columns")),
    ownerId: orBlank(id(), null),
  }),
});
export type ImportStart = z.output<typeof importStart>["import"];
