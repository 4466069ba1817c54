import "server-only";
import { db } from "@/lib/core/database/client";
import { addDays, today } from "@/lib/core/text/format";
import { quarterOf } from "@/lib/reports/periods";

/**
 * Returns the first day of the first quarter that is due unless the setup says another: the one that ends after the day on
 * which the first account was activated. Null while no account is.
 */
export async function firstDue(): Promise<string | null> {
  const { _min } = await db().user.aggregate({ _min: { activatedAt: true } });
  return _min.activatedAt && quarterOf(addDays(today(_min.activatedAt), 1)).from;
}
