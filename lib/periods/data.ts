import "server-only";
import { AppError } from "@/lib/api/errors";
import { audit } from "@/lib/audit/record";
import type { SessionUser } from "@/lib/auth/permissions";
import { assertAllowed } from "@/lib/auth/scope";
import { db, type Query, queryIn, rows } from "@/lib/database/client";
import { today } from "@/lib/fields/format";
import { closedMessage } from "@/lib/periods/schema";

const ID = 1;

/** The SQL of the last closed day as `YYYY-MM-DD`, null where nothing is closed. */
export const CLOSED_THROUGH = `(SELECT closed_through::text FROM closed_periods WHERE id = ${ID})`;

/** The last closed day as `YYYY-MM-DD`; null: nothing is closed. */
export async function closedThrough(query: Query = rows): Promise<string | null> {
  const [found] = await query<{ day: string | null }>(`SELECT ${CLOSED_THROUGH} AS day`);
  return found?.day ?? null;
}

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
    const former = await closedThrough(query);
    await tx.closedPeriod.upsert({
      where: { id: ID },
      create: { id: ID, closedThrough: lastDay },
      update: { closedThrough: lastDay },
    });
    const changes = [{ field: "closedThrough", from: former, to: day }];
    await audit(query, actor, { action: "updated", entity: "closedPeriods", entityId: ID, changes });
  });
  return { closedThrough: day };
}
