import "server-only";
import { conflict, notFound, unavailable } from "@/lib/api/errors";
import { db, rows, type Tx } from "@/lib/database/client";

type Table = "clients" | "forms";
type Held = { lock_version: number; changed_by: string | null };

/** Whoever waited longer may have been answered already that the database is silent (lib/api/route.ts): not saved. */
const TURN_MS = 4_000;
const turns = new Map<string, Promise<unknown>>();

/**
 * Saves of one record take turns within this process, so that a thousand racers wait here and not for the
 * connections that everyone else needs. Between processes the row's own lock decides.
 */
async function inTurn<Answer>(record: string, save: () => Promise<Answer>): Promise<Answer> {
  const since = Date.now();
  const mine = (turns.get(record) ?? Promise.resolve())
    .catch(() => {})
    .then(() => {
      if (Date.now() - since > TURN_MS) throw unavailable();
      return save();
    });
  turns.set(record, mine);
  try {
    return await mine;
  } finally {
    if (turns.get(record) === mine) turns.delete(record);
  }
}

/** Rows that anyone may save: a condition on the alias `f` with one parameter, as lib/auth/scope.ts makes them. */
const EVERY_ROW = { sql: "$2::int IS NULL", value: null };

/**
 * Runs `save` in one transaction that holds the record's row, and refuses an old `version` (contract §4, "lost
 * updates"): 409 that tells the loser who was faster, 404 when the record is gone or out of `scope` ($2).
 */
export function saveVersion<Answer>(
  table: Table,
  id: number,
  version: number | undefined,
  save: (tx: Tx) => Promise<Answer>,
  scope: { sql: string; value: number | null } = EVERY_ROW,
): Promise<Answer> {
  const held = `SELECT f.lock_version, u.first_name || ' ' || u.last_name AS changed_by
     FROM ${table} f LEFT JOIN users u ON u.id = f.updated_by_id WHERE f.id = $1 AND ${scope.sql}`;
  return inTurn(`${table} ${id}`, async () => {
    // Most losers are known by now, and cost one statement instead of a transaction.
    assertVersion(await rows<Held>(held, [id, scope.value]), version);
    return db().$transaction(async (tx) => {
      assertVersion(await tx.$queryRawUnsafe<Held[]>(`${held} FOR UPDATE OF f`, id, scope.value), version);
      return save(tx);
    });
  });
}

function assertVersion([held]: Held[], version: number | undefined): void {
  if (!held) throw notFound();
  if (version !== undefined && version !== held.lock_version) {
    throw conflict(`This record was changed by ${held.changed_by ?? "another user"} since you opened it`);
  }
}
