import type * as z from "zod/mini";
import type { Permission } from "@/lib/core/access/permissions";
import type { Query, Tx } from "@/lib/core/database/client";
import type { Sql } from "@/lib/core/sql";
import type { Actor } from "@/lib/identity/session";
import type { Column, Values } from "@/lib/transfer/imports/columns";
import type { FileRow } from "@/lib/transfer/imports/file/store";

export type Cell = readonly [column: Column, cell: string];

/** A cell with a value that is left blank: the number of its row, the label of its field, and its text. */
export type LeftBlankCell = { number: number; label: string; text: string };

export type ImportRecord = {
  rows: FileRow[];
  /** The filled cells of each row. */
  lines: readonly (readonly Cell[])[];
  /** The reason why the cells cannot be trusted, or undefined. Such a record is refused before it is compared. */
  unreadable: string | undefined;
  /** A keyed hash of the values. */
  content: string;
  /** The text of the cells, by the keys of their columns. */
  texts: ReadonlyMap<string, string>;
  keys: string[];
  ownerId: number;
  values: Values;
  problems: string[];
  /** Returns the cells that are left blank, such as `n/a`. */
  blanks: () => LeftBlankCell[];
};

/** The import rules for one kind of record. */
export type Kind = {
  /** The permissions needed in addition to Import. */
  permissions: readonly Permission[];
  schema: z.ZodMiniObject;
  table: string;
  /** Returns the columns that a file can have, with those of the current custom fields. */
  columns: () => Column[];
  /** Returns the errors in a record's values as sentences, by their paths in a request. */
  problems(values: Values): Record<string, string>;
  /** True for clients: existing ones with the same name are noted, and merged ones count as existing. */
  people: boolean;
  /** SQL for the id of the client that the imported row `r` is about; null if there is none. */
  clientId: Sql;
  /** True if equal rows of a file are different records, such as two calls on one day. */
  hasEqualRows?: true;
  /**
   * For kinds whose rows with the same Id form one record: the columns that may differ between them, and the function
   * that joins them.
   */
  lines?: { differ(column: Column): boolean; join(lines: readonly Values[]): Values };
  /** Adds values that only the database has to the records, or a problem. */
  complete?(query: Query, actor: Actor, records: readonly ImportRecord[]): Promise<void>;
  /**
   * True if a record with these values exists, no matter who created it: a new installation starts with lists.
   */
  isThere?(tx: Tx, actor: Actor, values: Values): Promise<boolean>;
  /**
   * Adds a record in the transaction and returns its id. Throws 422 with the invalid fields, and 409 in a closed
   * period.
   */
  add(tx: Tx, actor: Actor, values: Values, ownerId: number): Promise<number>;
  /** Removes it. Throws 409 with the reason if it must stay, and 404 if it no longer exists. */
  remove(tx: Tx, actor: Actor, id: number): Promise<void>;
};
