import "server-only";
import { AppError } from "@/lib/api/errors";
import { audit } from "@/lib/audit/record";
import type { SessionUser } from "@/lib/auth/permissions";
import { assertAllowed } from "@/lib/auth/scope";
import { db, type Query, queryIn, rows } from "@/lib/database/client";
import type { Statement } from "@/lib/database/record-write";
import { today } from "@/lib/fields/format";
import { closedMessage } from "@/lib/periods/schema";

const ID = 1;

/**
 * How the day is held until the transaction ends, so that nobody closes or opens a period between a check and the write
 * it is for. Take it after the locks of forms.
 */
type Lock = "FOR SHARE" | "FOR UPDATE";

/** The SQL of the last closed day as `YYYY-MM-DD`, null where nothing is closed. */
export const closedThroughSql = (lock: Lock | "" = "") =>
  `(SELECT closed_through::text FROM closed_periods WHERE id = ${ID} ${lock})`;

/** The last closed day as `YYYY-MM-DD`; null: nothing is closed. */
export async function closedThrough(query: Query = rows, lock?: Lock): Promise<string | null> {
  const [found] = await query<{ day: string | null }>(`SELECT ${closedThroughSql(lock)} AS day`);
  return found?.day ?? null;
}

/** Adds a part that has a row only while `through` is still the last closed day, which it then holds. */
export const stillClosedPart = (statement: Statement, through: string | null): string =>
  statement.with(
    `SELECT id FROM closed_periods
     WHERE id = ${ID} AND closed_through IS NOT DISTINCT FROM ${statement.bind(through)}::date FOR SHARE`,
  );

/** Refuses (409) a change of a form that was or will be of one of those days, where one of them is closed. */
export function assertOpen(through: string | null, ...days: (string | undefined)[]): void {
  if (through !== null && days.some((day) => day !== undefined && day <= through))
    throw new AppError("period_closed", closedMessage(through));
}

/** How many months back can be chosen. */
const MONTHS = 24;

/** The last days of the months that are over, newest first, and `through` if it is none of them. */
export function monthsToClose(through: string | null): string[] {
  const now = new Date(`${today().slice(0, 7)}-01T00:00:00Z`);
  const ends = Array.from({ length: MONTHS }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 0)).toISOString().slice(0, 10),
  );
  return [...new Set([...ends, ...(through ? [through] : [])])].sort().reverse();
}

/** Closes everything up to a day, or opens what lies after it; null opens everything. */
export async function closeThrough(
  actor: SessionUser,
  day: string | null,
): Promise<{ closedThrough: string | null }> {
  assertAllowed(actor, "close-periods");
  const lastDay = day && new Date(day);
  await db().$transaction(async (tx) => {
    const query = queryIn(tx);
    const former = await closedThrough(query, "FOR UPDATE");
    await tx.closedPeriod.update({ where: { id: ID }, data: { closedThrough: lastDay } });
    const changes = [{ field: "closedThrough", from: former, to: day }];
    await audit(query, actor, { action: "updated", entity: "closedPeriods", entityId: ID, changes });
  });
  return { closedThrough: day };
}
