import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { type KeptSeal, newestSeal } from "@/lib/audit/seals";
import { verifyAudit } from "@/lib/audit/verify";
import { queryOn } from "@/lib/core/database/client";

/** The newest seal after each fault, kept outside the database. */
const kept: KeptSeal[] = [];

/**
 * What a fault of the drill has done to the audit trail: how many of the records that `select` finds for what was sent
 * have no event of their making, and how much `npm run audit:verify` finds once all is sealed.
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
    const { rows: made } = await client.query<{ unaudited: number }>(
      `SELECT count(*)::int AS unaudited FROM (${select}) r WHERE NOT EXISTS (
         SELECT FROM audit_events e WHERE e.entity = $2 AND e.entity_id = r.id AND e.action = 'created')`,
      [sent, entity],
    );
    // The server seals within seconds; rows that no seal covers yet say nothing.
    let verdict = await verifyAudit(client, kept);
    for (; verdict.unsealed > 0; verdict = await verifyAudit(client, kept)) await sleep(500);
    for (const finding of verdict.findings) console.log(`  ${finding}`);
    const newest = await newestSeal(queryOn(client));
    if (newest && !kept.some(({ id }) => id === newest.id)) kept.push(newest);
    return { unaudited: made[0]?.unaudited ?? 0, findings: verdict.findings.length };
  } finally {
    await client.end();
  }
}
