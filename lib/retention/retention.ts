import "server-only";
import type { Change } from "@/lib/audit/changes";
import { listedTable } from "@/lib/audit/list-export";
import { auditSave, listing } from "@/lib/audit/record";
import { ON_LEGAL_HOLD } from "@/lib/clients/holds";
import { nameSearch } from "@/lib/clients/names";
import { CLIENT_LABELS } from "@/lib/clients/words";
import { can, type SessionUser } from "@/lib/core/access/permissions";
import { assertAllowed, REMAINING, remainingClientsWhere, seesClients } from "@/lib/core/access/scope";
import type { Table } from "@/lib/core/api/files";
import type { InFile } from "@/lib/core/api/list-file";
import type { Meta } from "@/lib/core/api/list-query";
import { db, queryIn } from "@/lib/core/database/client";
import { type List, readPage } from "@/lib/core/database/list";
import { isoTimestamp } from "@/lib/core/database/record-read";
import type { Cells } from "@/lib/core/fields/columns";
import { ADVOCATE_NAME } from "@/lib/core/fields/words";
import { env } from "@/lib/core/process/env";
import { constant, type Sql, sql } from "@/lib/core/sql";
import { addDays, today } from "@/lib/core/text/format";
import type { RetainedClient, Retention, RetentionInput, retainedClientsQuery } from "@/lib/retention/schema";

const ID = 1;

/** Returns the last day on which a backup may still contain data removed today. */
export const backupsUntil = (): string => addDays(today(), env().BACKUP_KEEP_DAYS);

/** Returns the organization's retention settings. */
export async function readRetention(actor: SessionUser): Promise<Retention> {
  assertAllowed(actor, "retention");
  const { years, nightly } = await db().retentionSetting.findUniqueOrThrow({ where: { id: ID } });
  return { years, nightly, backupsUntil: backupsUntil() };
}

/** Sets the number of years after which clients are due, and whether nightly runs purge them. */
export async function saveRetention(actor: SessionUser, input: RetentionInput): Promise<Retention> {
  assertAllowed(actor, "retention");
  await db().$transaction(async (tx) => {
    const query = queryIn(tx);
    const [former] = await query<RetentionInput>(
      sql`SELECT years, nightly FROM retention_settings WHERE id = ${constant(ID)} FOR UPDATE`,
    );
    const changes: Change[] = (["years", "nightly"] as const)
      .filter((field) => former?.[field] !== input[field])
      .map((field) => ({ field: `retention.${field}`, from: former?.[field] ?? null, to: input[field] }));
    if (changes.length > 0) await tx.retentionSetting.update({ where: { id: ID }, data: input });
    await auditSave(query, actor, { entity: "retention", entityId: ID, changes });
  });
  return { ...input, backupsUntil: backupsUntil() };
}

/** SQL for a time: clients without activity since then have been due for `days` days. Null without a number of years. */
const cutoff = (days: number) =>
  sql`(SELECT now() - make_interval(years => years, days => ${constant(days)}) FROM retention_settings WHERE id = ${constant(ID)})`;
export const CUTOFF = cutoff(0);

/**
 * SQL condition on `c`: the client has been due for `days` days, because it had no activity. Activity is a save of the
 * record, a form, or a stay, or a day of service or in shelter. No client is due if no number of years is set.
 */
export const dueFor = (days: number) =>
  // biome-ignore lint/plugin: the forms and stays of the client `c`
  sql`${REMAINING} AND c.updated_at < ${cutoff(days)} AND NOT EXISTS (
  SELECT FROM forms f WHERE f.client_id = c.id AND (f.updated_at >= ${cutoff(days)} OR f.service_on >= ${cutoff(days)}))
  AND NOT EXISTS (SELECT FROM stays st WHERE st.client_id = c.id
    AND (st.updated_at >= ${cutoff(days)} OR st.left_on IS NULL OR st.left_on >= ${cutoff(days)}))`;
export const DUE = dueFor(0);

const holdJson = (
  reason: Sql,
) => sql`(SELECT json_build_object('reason', ${reason}, 'at', ${isoTimestamp(sql`h.held_at`)},
    'by', (SELECT u.first_name || ' ' || u.last_name FROM users u WHERE u.id = h.held_by_id))
  FROM client_holds h WHERE h.client_id = c.id)`;

type RetainedQuery = ReturnType<typeof retainedClientsQuery.parse>;

/**
 * Returns the list of clients that are due, oldest records first, or of those on legal hold. An actor who may not see
 * clients gets no names and nothing that reveals one. Search returns no client, names sort by id, and reasons are
 * omitted.
 */
function retainedList(actor: SessionUser, { filters }: RetainedQuery): List {
  assertAllowed(actor, "retention");
  const showsNames = seesClients(actor);
  // Today would reveal the stay to users who may not see stays.
  const lastDayOfOpenStay = can(actor, "shelter") ? sql`${today()}::date` : sql`st.entered_on`;
  return {
    name: "retained clients",
    from: sql`clients c`,
    id: sql`c.id`,
    joins: sql`JOIN users u ON u.id = c.user_id`,
    // biome-ignore lint/plugin: the number and the days of forms and stays, whose client the actor may see
    item: sql`json_build_object('id', c.id, 'advocate', u.first_name || ' ' || u.last_name,
      'hold', ${holdJson(showsNames ? sql`h.reason` : sql`NULL`)}, 'name', ${showsNames ? sql`c.name` : sql`'Client ' || c.id`},
      'forms', (SELECT count(*)::int FROM forms f WHERE f.client_id = c.id),
      'lastActivityOn', (SELECT greatest((c.updated_at AT TIME ZONE ${env().TZ})::date, max(latest)) FROM (
        SELECT greatest((f.updated_at AT TIME ZONE ${env().TZ})::date, f.service_on) AS latest
          FROM forms f WHERE f.client_id = c.id
        UNION ALL SELECT greatest((st.updated_at AT TIME ZONE ${env().TZ})::date, COALESCE(st.left_on, ${lastDayOfOpenStay}))
          FROM stays st WHERE st.client_id = c.id) AS activity))`,
    where: [
      remainingClientsWhere(actor),
      ...(filters.held ? [ON_LEGAL_HOLD] : [DUE, sql`NOT ${ON_LEGAL_HOLD}`]),
    ],
    sorts: { name: { keys: showsNames ? [sql`c.name_folded`] : [] } },
    search: async (search) =>
      showsNames ? nameSearch(search, { name: sql`c.name_folded`, clientId: sql`c.id` }) : sql`FALSE`,
  };
}

/** Returns a page of the clients that are due or on hold. */
export async function listRetained(
  actor: SessionUser,
  query: RetainedQuery,
): Promise<{ clients: RetainedClient[]; meta: Meta }> {
  const record = listing(actor, "client", query.search);
  const { items, meta } = await readPage<RetainedClient>(retainedList(actor, query), query, record);
  return { clients: items.value(), meta };
}

const FORMS = "Forms";

const retainedCells = (): Cells<RetainedClient> => [
  [CLIENT_LABELS.name, ({ name }) => name],
  [ADVOCATE_NAME, ({ advocate }) => advocate],
  ["Last Activity", ({ lastActivityOn }) => lastActivityOn, "day"],
  [FORMS, ({ forms }) => forms],
];
const heldCells = (): Cells<RetainedClient> => [
  ...retainedCells(),
  ["Legal Hold", ({ hold }) => hold?.reason ?? ""],
  ["Held By", ({ hold }) => hold?.by ?? ""],
  ["Held On", ({ hold }) => (hold ? today(new Date(hold.at)) : ""), "day"],
];

/** Returns all of them as a table and records the export. */
export const exportRetained = (actor: SessionUser, query: InFile<RetainedQuery>): Promise<Table> =>
  listedTable(
    query.filters.held ? "clients_held" : "clients_due",
    { actor, entity: "client", list: retainedList(actor, query), query },
    query.filters.held ? heldCells() : retainedCells(),
  );
