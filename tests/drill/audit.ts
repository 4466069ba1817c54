import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { type ExternalSeal, newestSeal } from "@/lib/audit/seals";
import { verifyAudit } from "@/lib/audit/verify";
import { queryOn } from "@/lib/core/database/client";

/** The newest seal after each fault, stored outside the database. */
const externalSeals: ExternalSeal[] = [];

/**
 * Returns the number of records from `select` without a creation event, and of findings of `npm run audit:verify` after
 * sealing.
 */
export async function auditOf(
  url: string,
  entity: string,
  select: string,
  sent: readonly string[],
): Promise<{ unaudited: number; findings: number }> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows: result } = await client.query<{ unaudited: number }>(
      `SELECT count(*)::int AS unaudited FROM (${select}) r WHERE NOT EXISTS (
         SELECT FROM audit_events e WHERE e.entity = $2 AND e.entity_id = r.id AND e.action = 'created')`,
      [sent, entity],
    );
    // The server seals within seconds. Rows without a seal prove nothing yet.
    let verdict = await verifyAudit(client, externalSeals);
    for (; verdict.unsealed > 0; verdict = await verifyAudit(client, externalSeals)) await sleep(500);
    for (const finding of verdict.findings) console.log(`  ${finding}`);
    const newest = await newestSeal(queryOn(client));
    if (newest && !externalSeals.some(({ id }) => id === newest.id)) externalSeals.push(newest);
    return { unaudited: result[0]?.unaudited ?? 0, findings: verdict.findings.length };
  } finally {
    await client.end();
  }
}
