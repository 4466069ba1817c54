import type { Besides } from "@/lib/audit/save";
import type { Tx } from "@/lib/core/database/client";
import type { LookupItem, LookupValues } from "@/lib/core/records/lookup-item";
import type { Sql } from "@/lib/core/sql";
import type { Actor } from "@/lib/identity/session";

type Hook = (tx: Tx, actor: Actor, values: LookupValues, stored: LookupItem | null) => Promise<void>;

/**
 * The parts of a settings list that its entry in lib/lookups/registry.ts cannot describe. The simple lists and referral
 * sources have none.
 */
export type Special = {
  /** Joins to the list's table, whose alias is `t`. */
  joins?: Sql;
  /** SQL for keys in responses that are not their own columns. */
  expressions?: Readonly<Record<string, Sql>>;
  /** SQL to sort by, for columns that do not sort by their own value. */
  sorts?: Readonly<Record<string, Sql>>;
  /** Columns that may be null. */
  nullable?: readonly string[];
  searched?: readonly Sql[];
  /** Runs each change inside its transaction; a removal has no values. */
  runChange?: <T>(tx: Tx, change: () => Promise<T>, values?: LookupValues) => Promise<T>;
  /** Throws if the record must not be saved with these values, of which none is missing. */
  check?: Hook;
  /** Runs after a save, in its transaction. */
  saved?: (tx: Tx, item: LookupItem, stored: LookupItem | null, actor: Actor) => Promise<void>;
  /** Returns what an update does besides storing the fields that differ. */
  besides?: (values: LookupValues, stored: LookupItem | null) => Besides;
  /** Throws if the record must not be removed. Runs after the check that nothing uses it. */
  checkRemoval?: (tx: Tx, actor: Actor, item: LookupItem) => Promise<void>;
};
