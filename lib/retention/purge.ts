import "server-only";
import { type AuditActor, audit } from "@/lib/audit/record";
import { HELD, lockUnheld } from "@/lib/clients/holds";
import { MERGED_INTO } from "@/lib/clients/merged";
import { clientSchema } from "@/lib/clients/schema";
import { REMOVED_CLIENT } from "@/lib/clients/words";
import type { SessionUser } from "@/lib/core/access/permissions";
import { assertAllowed, type Hiding, selectClients, withoutActor } from "@/lib/core/access/scope";
import { asAppError, invalid } from "@/lib/core/api/errors";
import { db, queryIn, rows } from "@/lib/core/database/client";
import { constant, empty, type Sql, sql } from "@/lib/core/database/sql";
import { today } from "@/lib/core/fields/format";
import { codeOf } from "@/lib/core/server/error-frames";
import { log, logError } from "@/lib/core/server/log";
import { type DraftsByClient, readDraftsByClient, removeDraftsAbout } from "@/lib/forms/drafts/drafts";
import { formSchema } from "@/lib/forms/schema";
import { CLIENT_UNITS } from "@/lib/reports/submissions/withheld";
import { erasing } from "@/lib/retention/erase";
import { LISTED_DAYS } from "@/lib/retention/limits";
import { backupsUntil, CUTOFF, DUE, dueFor } from "@/lib/retention/retention";
import type { PurgeAnswer } from "@/lib/retention/schema";

const visible = withoutActor("a client who is due is erased for everyone");

/** SQL for the ids of the clients who were merged into a client. */
const formerSql = (id: number) => sql`SELECT merged_id FROM ${MERGED_INTO} AS links WHERE client_id = ${id}`;

/** The statements that erase what names a client or holds free text; the numbers, choices and days of it stay. */
const erasingClient = (id: number): Sql[] => [
  // The age on each day of service, before the date of birth goes.
  sql`INSERT INTO client_ages (client_id, since, age_bracket_id)
   SELECT client_id, min(service_on), bracket FROM (
     SELECT f.client_id, f.service_on, (
       SELECT a.id FROM age_brackets a WHERE a.range_start <= extract(year FROM age(f.service_on, b.date_of_birth))
       ORDER BY a.range_start DESC, a.id LIMIT 1) AS bracket
     FROM forms f JOIN client_biographical_entries b ON b.client_id = f.client_id
     WHERE f.client_id = ${id} AND ${visible} AND b.date_of_birth <= f.service_on) AS ages
   WHERE bracket IS NOT NULL GROUP BY client_id, bracket`,
  // What imports keep to know these rows again, and their notes, which may hold refused forms.
  sql`DELETE FROM import_rows WHERE kind = 'clients' AND (record_id = ${id} OR record_id IN (${formerSql(id)}))
     OR kind = 'forms' AND record_id IN (SELECT id FROM forms WHERE client_id = ${id} AND ${visible})`,
  sql`DELETE FROM import_notes WHERE clients && array_append(ARRAY(${formerSql(id)}), ${id}::int)`,
  ...erasing(formSchema, sql`client_id = ${id}`, {
    returned_at: sql`NULL`,
    returned_by_id: sql`NULL`,
    return_comment: sql`''`,
    lock_version: sql`lock_version + 1`,
  }),
  ...erasing(clientSchema, sql`id = ${id}`, {
    name: constant(REMOVED_CLIENT),
    purged: sql`TRUE`,
    lock_version: sql`lock_version + 1`,
  }),
  sql`DELETE FROM idempotency_keys WHERE entity <> 'form' AND record_id = ${id}
     OR entity <> 'client' AND record_id IN (SELECT id FROM forms WHERE client_id = ${id} AND ${visible})`,
  // Readers from whom the clients are hidden still see the numbers without them.
  sql`WITH gone AS (
     DELETE FROM report_submission_records WHERE client_id = ${id} OR client_id IN (${formerSql(id)})
       OR form_id IN (SELECT id FROM forms WHERE client_id = ${id} AND ${visible})
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
  // Without them, what the audit trail holds of the client's values can never be read again. So go the keys shared with
  // others, and what was kept of clients who were merged into this one.
  sql`DELETE FROM client_keys WHERE client_id = ${id}
     OR also_ids && array_append(ARRAY(${formerSql(id)}), ${id}::int)`,
];

/** Purges one client who is due, or nothing of it. 404; 409 where a legal hold stands, 422 where the client is not due. */
async function purge(actor: AuditActor & Hiding, clientId: number, drafts: DraftsByClient): Promise<void> {
  await db().$transaction(async (tx) => {
    const query = queryIn(tx);
    // New forms, saves and holds of the client wait for these locks.
    await lockUnheld(query, actor, clientId);
    await query(
      sql`SELECT id FROM forms WHERE client_id = ${clientId} AND ${visible} ORDER BY id FOR UPDATE`,
    );
    const due = await query(selectClients(empty, visible, sql`c.id = ${clientId} AND ${DUE}`));
    if (due.length === 0) throw invalid("ids", "This client is not due to be removed.");
    // Before the keys go, and with them who was merged into this client.
    await removeDraftsAbout(query, clientId, drafts);
    for (const statement of erasingClient(clientId)) await query(statement);
    await audit(query, actor, { action: "purged", entity: "client", entityId: clientId, clientId });
  });
}

/**
 * Deletes the keys of clients who were removed longer ago than records are kept, also those shared with others, so that
 * the audit trail no longer tells their values either; none while no number of years is set. What fails is left to the
 * next purge.
 */
async function removeOrphanedKeys(): Promise<void> {
  await rows(
    sql`DELETE FROM client_keys k WHERE k.created_at < ${CUTOFF} AND EXISTS (
       SELECT FROM unnest(k.also_ids || k.client_id) AS held (id)
       WHERE NOT EXISTS (SELECT FROM clients c WHERE c.id = held.id AND ${visible})
         AND NOT EXISTS (SELECT FROM client_merges m WHERE m.merged_id = held.id)
         AND NOT EXISTS (SELECT FROM audit_events e WHERE e.entity = 'client' AND e.entity_id = held.id
           AND e.action = 'removed' AND e.at >= ${CUTOFF}))`,
  ).catch((error: unknown) =>
    log.warn({ code: codeOf(error) }, "Keys of removed clients could not be deleted"),
  );
}

/**
 * Purges clients who are due, each in a transaction of its own, and says of each that was refused or failed why. What
 * is left of clients who were removed long ago goes too.
 */
export async function purgeClients(actor: SessionUser, ids: readonly number[]): Promise<PurgeAnswer> {
  assertAllowed(actor, "retention");
  const answer: PurgeAnswer = { done: [], failed: [], backupsUntil: backupsUntil() };
  const drafts = await readDraftsByClient();
  for (const id of ids) {
    try {
      await purge(actor, id, drafts);
      answer.done.push(id);
    } catch (error) {
      const { code, message } = asAppError(error);
      if (code === "failed") logError(error, "A client could not be removed");
      answer.failed.push({ id, error: message, code });
    }
  }
  await removeOrphanedKeys();
  return answer;
}

/** Who does it by night: nobody who is signed in. */
const NIGHTLY = { userId: null, firstName: "Nightly", lastName: "removal", hiddenClients: [] };
/** The organisation's hours in which it begins. */
const [FROM_HOUR, TO_HOUR] = [3, 6];
const BATCH = 50;
const MOST_A_NIGHT = 2_000;

/**
 * Purges who has been due for `LISTED_DAYS`, where the organisation wants that: once a night, by the one process that
 * takes the night on, at most 2,000 clients in batches. What is left, or fails, comes the next night.
 */
export async function purgeByNight(stop: AbortSignal, now = new Date()): Promise<void> {
  const hour = now.getHours();
  if (hour < FROM_HOUR || hour >= TO_HOUR) return;
  const taken = await rows(
    sql`UPDATE retention_settings SET ran_on = ${today()}::date WHERE nightly AND ran_on IS DISTINCT FROM ${today()}::date
     RETURNING id`,
  );
  if (taken.length === 0) return;
  let after = 0;
  for (let done = 0; done < MOST_A_NIGHT; done += BATCH) {
    const batch = await rows<{ id: number }>(
      sql`SELECT c.id FROM clients c WHERE c.id > ${after} AND ${visible}
         AND ${dueFor(LISTED_DAYS)} AND NOT ${HELD} ORDER BY c.id LIMIT ${constant(BATCH)}`,
    );
    const drafts = await readDraftsByClient();
    for (const { id } of batch) {
      if (stop.aborted) return;
      after = id;
      await purge(NIGHTLY, id, drafts).catch((error: unknown) => {
        const { code } = asAppError(error);
        log.warn({ code: code === "failed" ? codeOf(error) : code }, "A client could not be removed");
      });
    }
    if (batch.length < BATCH) break;
  }
  await removeOrphanedKeys();
}
