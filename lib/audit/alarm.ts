import "server-only";
import { auditPart, ITSELF } from "@/lib/audit/record";
import { rows } from "@/lib/core/database/client";
import { Statement } from "@/lib/core/database/record-write";
import { env } from "@/lib/core/process/env";
import { log } from "@/lib/core/process/log";
import { sql } from "@/lib/core/sql";

/**
 * Events that showed a record to an account. A save that changed nothing is one of them, because its response is the
 * record. An exported list counts no client here, because its event names none.
 */
const OPENED = sql`(action IN ('viewed', 'revealed', 'printed', 'exported') OR (action = 'updated' AND fields IS NULL))`;

/**
 * Raises an alarm for each account that has opened more than ALARM_CLIENTS_AN_HOUR different clients within the last
 * hour. Opening a client's form counts too. An alarm is a line in the log (ids and counts only) and an event in the
 * audit trail. An account has at most one alarm per hour.
 */
export async function raiseAlarms(): Promise<void> {
  const statement = new Statement();
  const alarmed = statement.with(
    sql`SELECT user_id AS id, count(DISTINCT client_id)::int AS clients FROM audit_events e
     WHERE ${OPENED} AND at > now() - interval '1 hour' AND NOT EXISTS (
       SELECT FROM audit_events a
       WHERE a.action = 'alarm' AND a.at > now() - interval '1 hour' AND a.user_id = e.user_id)
     GROUP BY user_id HAVING count(DISTINCT client_id) > ${env().ALARM_CLIENTS_AN_HOUR}::int`,
  );
  auditPart(statement, ITSELF, { action: "alarm", entity: "user" }, alarmed);
  const raised = await rows<{ id: number; clients: number }>(
    statement.sql(sql`SELECT id, clients FROM ${alarmed}`),
  );
  for (const { id, clients } of raised)
    log.error({ alarm: "many_clients_opened", userId: id, clients }, "An account has opened many clients");
}
