import "server-only";
import { type ClientHooks, type ClientMove, moveRecords } from "@/lib/clients/hooks";
import type { SessionUser } from "@/lib/core/access/permissions";
import { withoutActor } from "@/lib/core/access/scope";
import type { Query } from "@/lib/core/database/client";
import { erasing } from "@/lib/core/database/erase";
import { sql } from "@/lib/core/sql";
import { includeInConstraint, overlapsStayOf } from "@/lib/shelter/overlap";
import { staySchema } from "@/lib/shelter/schema";

async function moveStays(query: Query, actor: SessionUser, move: ClientMove, only?: readonly number[]) {
  const columns = sql`, overlapping = r.overlapping OR ${overlapsStayOf(move.to)}`;
  const ids = await moveRecords(query, actor, { entity: "stay", table: "stays", columns }, move, only);
  await includeInConstraint(query, move.from);
  await includeInConstraint(query, move.to);
  return ids;
}

export const stayHooks: ClientHooks = {
  name: "stays",
  merged: moveStays,
  unmerged: moveStays,
  async purged(query, clientId) {
    const visible = withoutActor("a client who is due is erased for everyone");
    const stays = sql`SELECT id FROM stays WHERE client_id = ${clientId} AND ${visible}`;
    await query(sql`DELETE FROM import_rows WHERE kind = 'stays' AND record_id IN (${stays})`);
    await query(sql`DELETE FROM idempotency_keys WHERE entity = 'stay' AND record_id IN (${stays})`);
    const next = { lock_version: sql`lock_version + 1` };
    for (const statement of erasing(staySchema, sql`client_id = ${clientId}`, next)) await query(statement);
  },
};
