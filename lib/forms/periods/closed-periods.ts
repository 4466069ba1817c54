import "server-only";
import { auditSave } from "@/lib/audit/record";
import type { SessionUser } from "@/lib/core/access/permissions";
import { assertAllowed } from "@/lib/core/access/scope";
import { db, type Query, queryIn, rows } from "@/lib/core/database/client";
import { AppError } from "@/lib/core/errors";
import { constant, empty, type Sql, sql } from "@/lib/core/sql";
import { today, utcDay } from "@/lib/core/text/format";
import { closedMessage } from "@/lib/forms/words";

const ID = 1;

/**
 * The lock on the row until the transaction ends. It prevents closing or reopening the period between a check and the
 * write that relies on it. Lock forms first: a fixed order avoids deadlocks.
 */
type Lock = keyof typeof LOCKS;
const LOCKS = { "FOR SHARE": sql`FOR SHARE`, "FOR UPDATE": sql`FOR UPDATE` };

/** SQL for the last closed day as `YYYY-MM-DD`; null if nothing is closed. */
export const closedThroughSql = (lock?: Lock): Sql =>
  sql`(SELECT closed_through::text FROM closed_periods WHERE id = ${constant(ID)} ${lock ? LOCKS[lock] : empty})`;

/** Returns the last closed day as `YYYY-MM-DD`, or null if nothing is closed. */
export async function closedThrough(query: Query = rows, lock?: Lock): Promise<string | null> {
  const [row] = await query<{ day: string | null }>(sql`SELECT ${closedThroughSql(lock)} AS day`);
  return row?.day ?? null;
}

/** Throws 409 if one of a record's days, before or after a change, is in a closed period. */
export function assertOpen(through: string | null, ...days: (string | undefined)[]): void {
  if (through !== null && days.some((day) => day !== undefined && day <= through))
    throw new AppError("period_closed", closedMessage(through));
}

/** The number of past months the screen offers to close. */
const MONTHS = 24;

/** Returns the last days of the past months, newest first, and adds `through` if it is not one of them. */
export function monthsToClose(through: string | null): string[] {
  const now = new Date(`${today().slice(0, 7)}-01T00:00:00Z`);
  const ends = Array.from({ length: MONTHS }, (_, back) =>
    utcDay(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 0))),
  );
  return [...new Set([...ends, ...(through ? [through] : [])])].sort().reverse();
}

/** Closes all days through `day` and reopens all later days; null reopens everything. */
export async function closeThrough(
  actor: SessionUser,
  day: string | null,
): Promise<{ closedThrough: string | null }> {
  assertAllowed(actor, "close-periods");
  const lastDay = day && new Date(day);
  await db().$transaction(async (tx) => {
    const query = queryIn(tx);
    const former = await closedThrough(query, "FOR UPDATE");
    const changes = former === day ? [] : [{ field: "closedThrough", from: former, to: day }];
    if (changes.length > 0)
      await tx.closedPeriod.update({ where: { id: ID }, data: { closedThrough: lastDay } });
    await auditSave(query, actor, { entity: "closedPeriods", entityId: ID, changes });
  });
  return { closedThrough: day };
}
