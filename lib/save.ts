import "server-only";
import type { Tx } from "@/lib/db";
import { conflict, notFound } from "@/lib/errors";
import { problemSentence } from "@/lib/validation";
import { wirePath } from "@/lib/wire";

type Held = { lock_version: number; changed_by: string | null };

/**
 * Holds the record's row for this transaction and refuses an old version (contract §4, "lost updates").
 * Racing saves of one record thus pass one after the other, and each loser is told who was faster.
 */
export async function assertVersion(
  tx: Tx,
  table: "clients" | "forms",
  id: number,
  version: number | undefined,
) {
  const [held] = await tx.$queryRawUnsafe<Held[]>(
    `SELECT r.lock_version, u.first_name || ' ' || u.last_name AS changed_by
     FROM ${table} r LEFT JOIN users u ON u.id = r.updated_by_id WHERE r.id = $1 FOR UPDATE OF r`,
    id,
  );
  if (!held) throw notFound();
  if (version !== undefined && version !== held.lock_version) {
    throw conflict(`This record was changed by ${held.changed_by ?? "another user"} since you opened it`);
  }
}

/** Problems by plain path as the sentences and paths that a caller knows. */
export const problemsOnWire = (problems: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(problems).map(([path, problem]) => [wirePath(path), problemSentence(path, problem)]),
  );
