import "server-only";
import { type AuditActor, audit } from "@/lib/audit/record";
import { lockClientWithoutHold, ON_LEGAL_HOLD } from "@/lib/clients/holds";
import { MERGED_INTO } from "@/lib/clients/merged";
import { clientSchema } from "@/lib/clients/schema";
import { REMOVED_CLIENT } from "@/lib/clients/words";
import type { SessionUser } from "@/lib/core/access/permissions";
import { assertAllowed, type Hiding, selectClients, withoutActor } from "@/lib/core/access/scope";
import { db, queryIn, rows } from "@/lib/core/database/client";
import { loadDefinitions } from "@/lib/core/database/definitions";
import { erasing } from "@/lib/core/database/erase";
import { asAppError } from "@/lib/core/database/errors";
import { invalid } from "@/lib/core/errors";
import { codeOf } from "@/lib/core/process/error-frames";
import { log, logError } from "@/lib/core/process/log";
import { constant, empty, type Sql, sql } from "@/lib/core/sql";
import { today } from "@/lib/core/text/format";
import { clientHooks } from "@/lib/records/client-hooks";
import { CLIENT_UNITS } from "@/lib/reports/submissions/withheld";
import { LISTED_DAYS } from "@/lib/retention/limits";
import { backupsUntil, CUTOFF, DUE, dueFor } from "@/lib/retention/retention";
import type { PurgeResponse } from "@/lib/retention/schema";

const visible = withoutActor("a client who is due is erased for everyone");

/** SQL for the ids of the clients merged into a client. */
const formerSql = (id: number) => sql`SELECT merged_id FROM ${MERGED_INTO} AS links WHERE client_id = ${id}`;

/** SQL that keeps the age on each day of service or in shelter, before the date of birth is erased. */
const keepAges = (id: number): Sql =>
  sql`INSERT INTO client_ages (client_id, since, age_bracket_id)
   SELECT client_id, min("on"), bracket FROM (
     SELECT b.client_id, days."on", (
       SELECT a.id FROM age_brackets a WHERE a.range_start <= extract(year FROM age(days."on", b.date_of_birth))
       ORDER BY a.range_start DESC, a.id LIMIT 1) AS bracket
     FROM client_biographical_entries b JOIN (
       SELECT f.service_on AS "on" FROM forms f WHERE f.client_id = ${id} AND ${visible}
       UNION SELECT night::date FROM stays st, generate_series(st.entered_on, st.left_on, interval '1 day') AS night
       WHERE st.client_id = ${id} AND ${visible}) AS days ON b.date_of_birth <= days."on"
     WHERE b.client_id = ${id}) AS ages
   WHERE bracket IS NOT NULL GROUP BY client_id, bracket`;

/** Returns the statement that deletes the texts that imports of the client left blank. The rows of the imports name them. */
const forgetBlanks = (id: number): Sql =>
  sql`DELETE FROM import_notes n USING import_rows r WHERE n.about = 'blanks' AND r.import_id = n.import_id AND (
    (r.kind = 'clients' AND (r.record_id = ${id} OR r.record_id IN (${formerSql(id)})))
    OR (r.kind IN ('forms', 'attendances') AND r.record_id IN (SELECT id FROM forms WHERE client_id = ${id} AND ${visible}))
    OR (r.kind = 'stays' AND r.record_id IN (SELECT id FROM stays WHERE client_id = ${id} AND ${visible})))`;

/**
 * Returns the statements that erase names and free text of a client's own record, and of reports and imports. Numbers,
 * choices and days stay.
 */
const erasingClient = (id: number): Sql[] => [
  // Data that imports store to recognize these rows, and their notes, which may contain refused forms.
  sql`DELETE FROM import_rows WHERE kind = 'clients' AND (record_id = ${id} OR record_id IN (${formerSql(id)}))`,
  sql`DELETE FROM import_notes WHERE clients && array_append(ARRAY(${formerSql(id)}), ${id}::int)`,
  ...erasing(clientSchema, sql`id = ${id}`, {
    name: constant(REMOVED_CLIENT),
    purged: sql`TRUE`,
    lock_version: sql`lock_version + 1`,
  }),
  // Keys of former versions do not state what they created.
  sql`DELETE FROM idempotency_keys WHERE entity IN ('client', '') AND record_id = ${id}`,
  // Readers who could not see the clients still see the numbers without them.
  sql`WITH gone AS (
     DELETE FROM report_submission_records WHERE client_id = ${id} OR client_id IN (${formerSql(id)})
       OR form_id IN (SELECT id FROM forms WHERE client_id = ${id} AND ${visible})
       OR stay_id IN (SELECT id FROM stays WHERE client_id = ${id} AND ${visible})
     RETURNING submission_id, line, client_id, amount),
   parts AS (
     SELECT submission_id, line, client_id, sum(amount) AS amount, count(*) AS rows FROM gone GROUP BY 1, 2, 3)
   INSERT INTO report_submission_withheld AS withheld (submission_id, line, user_id, count)
   SELECT p.submission_id, p.line, hidden.user_id, CASE WHEN l.unit IN (${CLIENT_UNITS}) THEN count(*) FILTER (
       WHERE p.rows = (SELECT count(*) FROM report_submission_records r
         WHERE r.submission_id = p.submission_id AND r.line = p.line AND r.client_id = p.client_id))
     ELSE sum(p.amount) END
   FROM parts p JOIN report_submission_lines l ON l.submission_id = p.submission_id AND l.line = p.line
     JOIN client_restrictions hidden ON hidden.client_id = p.client_id
   GROUP BY p.submission_id, p.line, l.unit, hidden.user_id
   ON CONFLICT (submission_id, line, user_id) DO UPDATE SET count = withheld.count + EXCLUDED.count`,
  // Without these keys, the client's values in the audit trail can never be read again. This includes keys shared with
  // other clients, and data of clients merged into this one.
  sql`DELETE FROM client_keys WHERE client_id = ${id}
     OR also_ids && array_append(ARRAY(${formerSql(id)}), ${id}::int)`,
];

/**
 * Purges one client that is due, completely or not at all. Throws 404, 409 if it is on legal hold, and 422 if it is
 * not due.
 */
async function purge(actor: AuditActor & Hiding, clientId: number): Promise<void> {
  await db().$transaction(async (tx) => {
    const query = queryIn(tx);
    // New forms and stays, saves and holds of the client wait for these locks.
    await lockClientWithoutHold(query, actor, clientId);
    await query(
      sql`SELECT id FROM forms WHERE client_id = ${clientId} AND ${visible} ORDER BY id FOR UPDATE`,
    );
    const due = await query(selectClients(empty, visible, sql`c.id = ${clientId} AND ${DUE}`));
    if (due.length === 0) throw invalid("ids", "This client is not due to be purged.");
    await query(keepAges(clientId));
    // Before the modules delete the rows of imports.
    await query(forgetBlanks(clientId));
    // Before the keys are deleted, because they link to the clients merged into this one.
    for (const { purged } of clientHooks) await purged?.(query, clientId);
    for (const statement of erasingClient(clientId)) await query(statement);
    await audit(query, actor, { action: "purged", entity: "client", entityId: clientId, clientId });
  });
}

/**
 * Deletes the keys of clients removed longer ago than the retention period, including keys shared with others. The
 * audit trail can then no longer show their values. Deletes none if no number of years is set. After a failure the next
 * purge tries again.
 */
async function removeOrphanedKeys(): Promise<void> {
  await rows(
    sql`DELETE FROM client_keys k WHERE k.created_at < ${CUTOFF} AND EXISTS (
       SELECT FROM unnest(k.also_ids || k.client_id) AS key_client (id)
       WHERE NOT EXISTS (SELECT FROM clients c WHERE c.id = key_client.id AND ${visible})
         AND NOT EXISTS (SELECT FROM client_merges m WHERE m.merged_id = key_client.id)
         AND NOT EXISTS (SELECT FROM audit_events e WHERE e.entity = 'client' AND e.entity_id = key_client.id
           AND e.action = 'removed' AND e.at >= ${CUTOFF}))`,
  ).catch((error: unknown) => log.warn({ code: codeOf(error) }, "Could not delete keys of purged clients"));
}

/**
 * Purges clients that are due, each in its own transaction. Returns the reasons for those that were not purged. Also
 * deletes the keys of clients removed long ago.
 */
export async function purgeClients(actor: SessionUser, ids: readonly number[]): Promise<PurgeResponse> {
  assertAllowed(actor, "retention");
  const response: PurgeResponse = { done: [], failed: [], backupsUntil: backupsUntil() };
  for (const id of ids) {
    try {
      await purge(actor, id);
      response.done.push(id);
    } catch (error) {
      const { code, message } = asAppError(error);
      if (code === "failed") logError(error, "A client could not be purged");
      response.failed.push({ id, error: message, code });
    }
  }
  await removeOrphanedKeys();
  return response;
}

/** The actor of the nightly removal, which no user runs. */
const NIGHTLY = { userId: null, firstName: "Nightly", lastName: "removal", hiddenClients: [] };
/** The nightly removal starts between these hours, in the organization's time zone. */
const FROM_HOUR = 3;
const TO_HOUR = 6;
const BATCH = 50;
const MOST_A_NIGHT = 2_000;

/**
 * Purges the clients that have been due for `LISTED_DAYS`, if the organization wants that. One process claims the night
 * and purges at most 2,000 clients in batches. The rest, and failures, are retried the next night.
 */
export async function purgeByNight(stop: AbortSignal, now = new Date()): Promise<void> {
  const hour = now.getHours();
  if (hour < FROM_HOUR || hour >= TO_HOUR) return;
  const claimed = await rows(
    sql`UPDATE retention_settings SET ran_on = ${today()}::date WHERE nightly AND ran_on IS DISTINCT FROM ${today()}::date
     RETURNING id`,
  );
  if (claimed.length === 0) return;
  await loadDefinitions();
  let after = 0;
  for (let done = 0; done < MOST_A_NIGHT; done += BATCH) {
    const batch = await rows<{ id: number }>(
      sql`SELECT c.id FROM clients c WHERE c.id > ${after} AND ${visible}
         AND ${dueFor(LISTED_DAYS)} AND NOT ${ON_LEGAL_HOLD} ORDER BY c.id LIMIT ${constant(BATCH)}`,
    );
    for (const { id } of batch) {
      if (stop.aborted) return;
      after = id;
      await purge(NIGHTLY, id).catch((error: unknown) => {
        const { code } = asAppError(error);
        log.warn({ code: code === "failed" ? codeOf(error) : code }, "Could not purge a client");
      });
    }
    if (batch.length < BATCH) break;
  }
  await removeOrphanedKeys();
}
