import "server-only";
import { isChanged } from "@/lib/audit/changes";
import { listedTable, wholeTable } from "@/lib/audit/list-export";
import { auditRead, listing } from "@/lib/audit/record";
import type { SessionUser } from "@/lib/core/access/permissions";
import { assertAllowed } from "@/lib/core/access/scope";
import type { Table } from "@/lib/core/api/files";
import type { InColumns } from "@/lib/core/api/list-file";
import type { Meta } from "@/lib/core/api/list-query";
import { queryIn, rows, type Tx } from "@/lib/core/database/client";
import { readPage } from "@/lib/core/database/list";
import { byKey } from "@/lib/core/objects";
import type { LookupItem, LookupValues } from "@/lib/core/records/lookup-item";
import { join, type Sql, sql } from "@/lib/core/sql";
import type { JsonText } from "@/lib/core/text/json-text";
import type { Actor } from "@/lib/identity/session";
import type { Special } from "@/lib/identity/special";
import { roles, users } from "@/lib/identity/users";
import { lookupColumns } from "@/lib/lookups/columns";
import { formTypes, serviceCodes } from "@/lib/lookups/flags";
import { outcomeQuestions } from "@/lib/lookups/outcome-questions";
import { type Lookup, type LookupKey, lookupKeys, lookups } from "@/lib/lookups/registry";
import { addsReportRow } from "@/lib/lookups/report-rows";
import { lookupCells } from "@/lib/lookups/schema";
import {
  type LookupListQuery,
  type LookupSource,
  listOf,
  lookupSource,
  readItem,
} from "@/lib/lookups/source";
import { removeItem, removeItemIn, saveItem, saveItemIn } from "@/lib/lookups/write";

type Store = {
  list(actor: SessionUser, query: LookupListQuery): Promise<{ items: JsonText<LookupItem[]>; meta: Meta }>;
  /** Returns the whole list as a file. */
  export(actor: SessionUser, query: InColumns<LookupListQuery>): Promise<Table>;
  /** Throws 404 if there is no such record. */
  get(actor: SessionUser, id: number): Promise<LookupItem>;
  /** Throws 422 with the fields: a name already used, or a reference to no record. */
  create(actor: Actor, values: LookupValues): Promise<LookupItem>;
  /** Changes only these values. */
  update(actor: Actor, id: number, values: LookupValues): Promise<LookupItem>;
  /** Does the same in the caller's transaction. */
  createIn(tx: Tx, actor: Actor, values: LookupValues): Promise<LookupItem>;
  updateIn(tx: Tx, actor: Actor, id: number, values: LookupValues): Promise<LookupItem>;
  /** True if a record with all these values exists. */
  holds(tx: Tx, values: LookupValues): Promise<boolean>;
  /** Throws 409 with the number of records that use it. */
  remove(actor: Actor, id: number): Promise<void>;
  removeIn(tx: Tx, actor: Actor, id: number): Promise<void>;
  /** The whole list in its default order, as one SQL expression. */
  allSql: Sql;
};

/** The reads and writes of a list, made from its registry entry. */
function storeOf(key: LookupKey): Store {
  const source = lookupSource(key, SPECIAL[key] ?? {});
  const { singular, permission } = source;
  return {
    allSql: allInDefaultOrder(source),
    async list(actor, query) {
      assertAllowed(actor, permission);
      return readPage<LookupItem>(listOf(source, query), query, listing(actor, singular, query.search));
    },
    async export(actor, query) {
      assertAllowed(actor, permission);
      const exporting = { actor, entity: singular, list: listOf(source, query), query };
      return query.columns === "all"
        ? wholeTable(key, exporting, lookupColumns(key))
        : listedTable<LookupItem>(key, exporting, lookupCells(key));
    },
    async get(actor, id) {
      assertAllowed(actor, permission);
      const item = await readItem(source, rows, id);
      await auditRead(actor, { action: "viewed", entity: singular, entityId: id });
      return item;
    },
    holds: (tx, values) => holds(source, tx, values),
    create: (actor, values) => saveItem(source, actor, null, values),
    update: (actor, id, values) => saveItem(source, actor, id, values),
    createIn: (tx, actor, values) => saveItemIn(source, tx, actor, null, values),
    updateIn: (tx, actor, id, values) => saveItemIn(source, tx, actor, id, values),
    remove: (actor, id) => removeItem(source, actor, id),
    removeIn: (tx, actor, id) => removeItemIn(source, tx, actor, id),
  };
}

function allInDefaultOrder({ key, item, from, sorts }: LookupSource): Sql {
  const { defaultSort }: Lookup = lookups[key];
  const keys = [...(defaultSort && sorts[defaultSort] ? [sorts[defaultSort]] : []), sql`t.id`];
  return sql`(SELECT COALESCE(json_agg(${item} ORDER BY ${join(keys)}), '[]') FROM ${from})`;
}

async function holds(source: LookupSource, tx: Tx, values: LookupValues): Promise<boolean> {
  const { schema, unique, item, from, expression } = source;
  if (!unique) return false;
  const named = await queryIn(tx)<{ item: LookupItem }>(
    sql`SELECT ${item} AS item FROM ${from} WHERE ${expression(unique.name)}::text = ${values[unique.name]}`,
  );
  return named.some((stored) => !isChanged(schema, stored.item, values));
}

/** The parts of lists that the registry cannot describe. */
const SPECIAL: Partial<Record<LookupKey, Special>> = {
  contact_kinds: { saved: addsReportRow("contact_kinds") },
  form_types: {
    ...formTypes,
    async saved(...saved) {
      await formTypes.saved?.(...saved);
      await addsReportRow("form_types")(...saved);
    },
  },
  shelters: { saved: addsReportRow("shelters") },
  outcome_questions: outcomeQuestions,
  service_codes: serviceCodes,
  users,
  roles,
};

/** The store of each list. */
export const lookupStores = byKey(lookupKeys, storeOf);
