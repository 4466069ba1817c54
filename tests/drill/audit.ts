import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { type ExternalSeal, newestSeal } from "@/lib/audit/seals";
import { verifyAudit } from "@/lib/audit/verify";
import { queryOn } from "@/lib/core/database/client";

/** The newest seal after each fault, stored outside the database. */
const externalSeals: ExternalSeal[] = [];

/** SQL for the `id` of the records of a kind that were saved, and if they were `changed`. `$1` is `sent`. */
export type SavedRecords = { entity: string; select: string; sent: readonly string[] };

/**
 * Returns the number of records without exactly one event of their creation, and one of their change if they were changed.
 * Also returns the number of findings of `npm run audit:verify` after sealing.
 */
export async function auditOf(
  url: string,
  saved: readonly SavedRecords[],
): Promise<{ unaudited: number; findings: number }> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    let unaudited = 0;
    for (const { entity, select, sent } of saved) {
      const { rows: result } = await client.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM (${select}) AS saved
         WHERE (SELECT array_agg(e.action ORDER BY e.id) FROM audit_events e
           WHERE e.entity = $2 AND e.entity_id = saved.id AND e.action IN ('created', 'updated')
             -- Each person in a session has an event besides.
             AND (e.entity <> 'groupSession' OR e.client_id IS NULL))
           IS DISTINCT FROM CASE WHEN saved.changed THEN ARRAY['created', 'updated'] ELSE ARRAY['created'] END`,
        [sent, entity],
      );
      unaudited += result[0]?.count ?? 0;
    }
    // The server seals within seconds. Rows without a seal prove nothing yet.
    let verdict = await verifyAudit(client, externalSeals);
    for (; verdict.unsealed > 0; verdict = await verifyAudit(client, externalSeals)) await sleep(500);
    for (const finding of verdict.findings) console.log(`  ${finding}`);
    const newest = await newestSeal(queryOn(client));
    if (newest && !externalSeals.some(({ id }) => id === newest.id)) externalSeals.push(newest);
    return { unaudited, findings: verdict.findings.length };
  } finally {
    await client.end();
  }
}
