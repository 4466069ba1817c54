import "server-only";
import { forgetChecked, moveChecked } from "@/lib/clients/checked-forms";
import { type ClientHooks, type ClientMove, moveRecords } from "@/lib/clients/hooks";
import { formerIds } from "@/lib/clients/merged";
import type { SessionUser } from "@/lib/core/access/permissions";
import { withoutActor } from "@/lib/core/access/scope";
import type { Query } from "@/lib/core/database/client";
import { erasing } from "@/lib/core/database/erase";
import { sql } from "@/lib/core/sql";
import { removeDraftsAbout } from "@/lib/forms/drafts/drafts";
import { formSchema } from "@/lib/forms/schema";

async function moveForms(query: Query, actor: SessionUser, move: ClientMove, only?: readonly number[]) {
  const ids = await moveRecords(query, actor, { entity: "form", table: "forms" }, move, only);
  await query(moveChecked(move.from, move.to, only));
  return ids;
}

/** The values that a purge assigns to a form besides erasing its texts. */
const ERASED = {
  returned_at: sql`NULL`,
  returned_by_id: sql`NULL`,
  return_comment: sql`''`,
  answered_to_id: sql`NULL`,
  lock_version: sql`lock_version + 1`,
};

export const formHooks: ClientHooks = {
  name: "forms",
  merged: moveForms,
  unmerged: moveForms,
  async purged(query, clientId) {
    const visible = withoutActor("a client who is due is erased for everyone");
    const forms = sql`SELECT id FROM forms WHERE client_id = ${clientId} AND ${visible}`;
    await removeDraftsAbout(query, clientId);
    // The record of an imported attendance is its form, which may have left its session.
    await query(
      sql`DELETE FROM import_rows WHERE kind IN ('forms', 'attendances') AND record_id IN (${forms})`,
    );
    // Keys of former versions do not state what they created.
    await query(
      sql`DELETE FROM idempotency_keys WHERE entity IN ('form', '') AND record_id IN (${forms})
         OR entity = 'comment' AND record_id IN (SELECT id FROM form_comments WHERE form_id IN (${forms}))`,
    );
    for (const statement of erasing(formSchema, sql`client_id = ${clientId}`, ERASED)) await query(statement);
    const clientIds = [clientId, ...(await formerIds(query, clientId))];
    await query(forgetChecked(sql`SELECT unnest(${clientIds}::int[])`));
    await query(sql`DELETE FROM form_comments WHERE form_id IN (${forms})`);
  },
};
