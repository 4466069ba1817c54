import "server-only";
import { asAppError, invalid } from "@/lib/api/errors";
import { type AuditActor, audit } from "@/lib/audit/record";
import type { SessionUser } from "@/lib/auth/permissions";
import { assertAllowed, type Hiding } from "@/lib/auth/scope";
import { MERGED_INTO } from "@/lib/clients/merged";
import { clientSchema } from "@/lib/clients/schema";
import { REMOVED_CLIENT } from "@/lib/clients/words";
import { db, queryIn, rows } from "@/lib/database/client";
import { type DraftsByClient, readDraftsByClient, removeDraftsAbout } from "@/lib/drafts/data";
import { today } from "@/lib/fields/format";
import { formSchema } from "@/lib/forms/schema";
import { erasing } from "@/lib/purge/erase";
import { backupsUntil, CUTOFF, DUE, dueFor, HELD, lockUnheld } from "@/lib/retention/data";
import { LISTED_DAYS } from "@/lib/retention/limits";
import type { PurgeAnswer } from "@/lib/retention/schema";
import { codeOf, describeError, errorLine } from "@/lib/server/error-reports";

/** SQL: the ids of the clients who were merged into the client $1. */
const FORMER = `SELECT merged_id FROM ${MERGED_INTO} AS links WHERE client_id = $1`;

/** Everything of the client $1 that names a person or holds free text; the numbers, choices and days of it stay. */
const STATEMENTS = [
  // The age on each day of service, before the date of birth goes.
  `INSERT INTO client_ages (client_id, since, age_bracket_id)
   SELECT client_id, min(service_on), bracket FROM (
     SELECT f.client_id, f.service_on, (
       SELECT a.id FROM age_brackets a WHERE a.range_start <= extract(year FROM age(f.service_on, b.date_of_birth))
       ORDER BY a.range_start DESC, a.id LIMIT 1) AS bracket
     FROM forms f JOIN client_biographical_entries b ON b.client_id = f.client_id
     WHERE f.client_id = $1 AND b.date_of_birth <= f.service_on) AS ages
   WHERE bracket IS NOT NULL GROUP BY client_id, bracket`,
  // What imports keep to know these rows again, and their notes, which may hold refused forms.
  `DELETE FROM import_rows WHERE kind = 'clients' AND (record_id = $1 OR record_id IN (${FORMER}))
     OR kind = 'forms' AND record_id IN (SELECT id FROM forms WHERE client_id = $1)`,
  `DELETE FROM import_notes WHERE clients && array_append(ARRAY(${FORMER}), $1)`,
  ...erasing(formSchema, "client_id = $1", {
    returned_at: "NULL",
    returned_by_id: "NULL",
    return_comment: "''",
    lock_version: "lock_version + 1",
  }),
  ...erasing(clientSchema, "id = $1", {
    name: `'${REMOVED_CLIENT}'`,
    purged: "TRUE",
    lock_version: "lock_version + 1",
  }),
  `DELETE FROM idempotency_keys WHERE entity <> 'form' AND record_id = $1
     OR entity <> 'client' AND record_id IN (SELECT id FROM forms WHERE client_id = $1)`,
  "DELETE FROM report_submission_records WHERE client_id = $1 OR form_id IN (SELECT id FROM forms WHERE client_id = $1)",
  // Without them, what the audit trail holds of the client's values can never be read again. So go the keys shared with
  // others, and what was kept of clients who were merged into this one.
  `DELETE FROM client_keys WHERE client_id = $1
     OR also_ids && array_append(ARRAY(${FORMER}), $1)`,
];

/** Purges one client who is due, or nothing of it. 404; 409 where a legal hold stands, 422 where the client is not due. */
async function purge(actor: AuditActor & Hiding, clientId: number, drafts: DraftsByClient): Promise<void> {
  await db().$transaction(async (tx) => {
    const query = queryIn(tx);
    // New forms, saves and holds of the client wait for these locks.
    await lockUnheld(query, actor, clientId);
    await query("SELECT id FROM forms WHERE client_id = $1 ORDER BY id FOR UPDATE", [clientId]);
    const due = await query(`SELECT FROM clients c WHERE c.id = $1 AND ${DUE}`, [clientId]);
    if (due.length === 0) throw invalid("ids", "This client is not due to be removed.");
    // Before the keys go, and with them who was merged into this client.
    await removeDraftsAbout(query, clientId, drafts);
    for (const statement of STATEMENTS) await tx.$executeRawUnsafe(statement, clientId);
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
    `DELETE FROM client_keys k WHERE k.created_at < ${CUTOFF} AND EXISTS (
       SELECT FROM unnest(k.also_ids || k.client_id) AS held (id)
       WHERE NOT EXISTS (SELECT FROM clients c WHERE c.id = held.id)
         AND NOT EXISTS (SELECT FROM client_merges m WHERE m.merged_id = held.id)
         AND NOT EXISTS (SELECT FROM audit_events e WHERE e.entity = 'client' AND e.entity_id = held.id
           AND e.action = 'removed' AND e.at >= ${CUTOFF}))`,
  ).catch((error: unknown) => console.warn(`Keys of removed clients could not be deleted: ${codeOf(error)}`));
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
      if (code === "failed") console.error(errorLine(describeError(error)));
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
    `UPDATE retention_settings SET ran_on = $1::date WHERE nightly AND ran_on IS DISTINCT FROM $1::date RETURNING id`,
    [today()],
  );
  if (taken.length === 0) return;
  let after = 0;
  for (let done = 0; done < MOST_A_NIGHT; done += BATCH) {
    const batch = await rows<{ id: number }>(
      `SELECT c.id FROM clients c WHERE c.id > $1 AND ${dueFor(LISTED_DAYS)} AND NOT ${HELD} ORDER BY c.id LIMIT ${BATCH}`,
      [after],
    );
    const drafts = await readDraftsByClient();
    for (const { id } of batch) {
      if (stop.aborted) return;
      after = id;
      await purge(NIGHTLY, id, drafts).catch((error: unknown) =>
        console.warn(`A client could not be removed: ${codeOf(error)}`),
      );
    }
    if (batch.length < BATCH) break;
  }
  await removeOrphanedKeys();
}
