import * as z from "zod/mini";
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

const option = z.object({ value: z.string(), label: z.string() });

const importField = z.object({
  key: z.string(),
  label: z.string(),
  required: z.boolean(),
  /** How its values are read: one of a list, a choice, a box, or a day. Null for texts, numbers, and Ids. */
  reads: z.nullable(z.enum(["safeToCall", "flag", "day", "list", "gender", "state", "equal"])),
  /** The values that a file's values can become; for days none. */
  options: z.array(option),
  /** True if a file may have the values of the options too. */
  hasCodes: z.boolean(),
  /** True if a cell may have several of them. */
  several: z.boolean(),
  /** True if the caller may add values to its list. */
  canAdd: z.boolean(),
  /** Texts are corrected: the lines of an address are joined, and ZIP codes get their zeros. A name may be turned. */
  corrects: z.nullable(z.enum(["address", "zip", "name", "text"])),
  /** The key of the field that this one is a part of; null if it is whole. */
  partOf: z.nullable(z.string()),
});
export type ImportField = z.output<typeof importField>;

/** The most different values of a column that are listed, and the most characters of one. */
export const VALUES_MAX = 200;
export const VALUE_MAX = 255;

/** One of the first rows of a file that are not empty, with its cells in one text. */
const firstRow = z.object({ number: z.int(), text: z.string() });
export type FirstRow = z.output<typeof firstRow>;

/** The survey of a column of a file. */
const columnSurvey = z.object({
  /** The number of cells with a value. */
  count: z.int(),
  /** The first three different values. */
  samples: z.array(z.string()),
  /** Each different value and its number, in the order of the file; at most the first 200. */
  values: z.array(z.object({ text: z.string(), count: z.int() })),
  /** True if there are more. */
  more: z.boolean(),
  /** Values that cannot be read as a day with the month first, and their number. */
  dayFirst: z.object({ count: z.int(), samples: z.array(z.string()) }),
  /** Values of which day and month can be exchanged. */
  eitherFirst: z.object({ count: z.int(), samples: z.array(z.string()) }),
  /** Days whose year has two digits. */
  shortYears: z.object({ count: z.int(), samples: z.array(z.string()) }),
  /** Numbers that spreadsheets store for days. */
  serials: z.object({ count: z.int(), samples: z.array(z.string()) }),
  /** Values with a comma, such as names that begin with the last name. */
  commas: z.object({ count: z.int(), samples: z.array(z.string()) }),
});
export type ColumnSurvey = z.output<typeof columnSurvey>;

const decisions = z.object({
  /** The key of a field. */
  key: z.string().check(z.maxLength(VALUE_MAX)),
  /** The readings of values: the value of an option, a day as `YYYY-MM-DD`, "" to leave the field blank, `+` to add it to the list. */
  values: z.optional(
    z
      .array(
        z.object({
          text: z.string().check(z.maxLength(VALUE_MAX, "is too long")),
          becomes: z.string().check(z.maxLength(VALUE_MAX, "is too long")),
        }),
      )
      .check(z.maxLength(VALUES_MAX * 5, "has too many values")),
  ),
  /** The order of the days in the column. */
  order: z.optional(z.enum(["month", "day"])),
  /** The century of years with two digits; `past`: the latest one that is not in the future. */
  century: z.optional(z.enum(["past", "1900", "2000"])),
  /** True if numbers count days from 1904. */
  since1904: z.optional(z.boolean()),
  /** True if names such as `Last, First` are turned. */
  turnNames: z.optional(z.boolean()),
  /** True if a value that is refused leaves the field blank instead of rejecting its row. */
  blankRefused: z.optional(z.boolean()),
});
export type ColumnDecisions = z.output<typeof decisions>;

/** How the values of a file become those of records. */
const mapping = z.object({
  /** True if texts stay exactly as they are: no word such as `none` is left blank, and no ZIP code gets its zeros. */
  asWritten: z.boolean(),
  columns: z.array(decisions).check(z.maxLength(COLUMNS_MAX, "has too many columns")),
});
export type Mapping = z.output<typeof mapping>;

/** A kind of problem with the number of rows that have it, and the first of them. */
const problemGroup = z.object({ problem: z.string(), count: z.int(), rows: z.array(z.int()) });
export type ProblemGroup = z.output<typeof problemGroup>;

/**
 * A value of a file that was left blank, with the label of its field, its number, and the first of its rows; "" for other
 * values of the field, if there are many.
 */
const leftBlank = z.object({ label: z.string(), text: z.string(), count: z.int(), rows: z.array(z.int()) });
export type LeftBlank = z.output<typeof leftBlank>;

/** A note on a row (`failed`, `duplicate`, `similar`) or on a record that an undo did not remove (`kept`). */
const importNote = z.object({
  about: z.enum(["failed", "duplicate", "similar", "kept"]),
  /** The row's number in the file, as a spreadsheet shows it; for `kept`, the record's id. */
  number: z.int(),
  problem: z.string(),
  /**
   * For `similar`, clients with similar names, including those of earlier rows. They continue the sentence in `problem`, which
   * names the rows that are no clients. For `failed`, the client of a refused form, if found. For `kept`, the client who stays or whose form
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
  /** The number of the row of headings, as a spreadsheet shows it; 0 if the file has none. */
  headingRow: z.int(),
  /** The rows above the headings, such as a title. They are not imported. */
  above: z.array(z.string()),
  /** The rows among which the headings can be, until the import starts. */
  firstRows: z.array(firstRow),
  /** The columns of the file, until the import starts. */
  columns: z.array(columnSurvey),
  /** The key of the field for each column; "" for a column that is left out. */
  matches: z.array(z.string()),
  /** The decisions about values, or those suggested by the latest import with the same headings. */
  mapping,
  fields: z.array(importField),
  ownerId: z.nullable(id()),
  /** True if the caller may download the refused rows: the user who uploaded the file, for seven days. */
  refusedRows: z.boolean(),
  /** At most the first 50 of each kind, fewer if they are large; none while the import is running. */
  notes: z.array(importNote),
  /** The problems of rejected rows by kind. Empty if a client is restricted from the caller. */
  problems: z.array(problemGroup),
  /** Values of imported rows that were left blank, such as `n/a`. Empty if a client is restricted from the caller. */
  blanks: z.array(leftBlank),
  /** The number of all notes of each kind. */
  noteCounts: z.object({ failed: z.int(), duplicate: z.int(), similar: z.int(), kept: z.int() }),
});
export type Import = z.output<typeof importWhole>;

export const importResponse = z.object({ import: importWhole });
export const importsResponse = z.object({ imports: z.array(importItem) });

export const importQuery = z.object({
  kind: z.enum(importKinds, { error: "is not known" }),
});

export const importHeadings = z.object({
  import: z.object({
    headingRow: z.int({ error: "must be a number" }).check(z.minimum(0, "must not be negative")),
  }),
});

export const importStart = z.object({
  import: z.object({
    dryRun: z.boolean({ error: "must be true or false" }),
    matches: z
      .array(z.string(), { error: "must be a list" })
      .check(z.maxLength(COLUMNS_MAX, "has too many columns")),
    ownerId: orBlank(id(), null),
    mapping: z.optional(mapping),
    /** The row of headings that the caller read. */
    headingRow: z.optional(z.int({ error: "must be a number" })),
  }),
});
export type ImportStart = z.output<typeof importStart>["import"];
