import "server-only";
import { sentencesOf } from "@/lib/audit/change-words";
import { changesOf, type Values } from "@/lib/audit/changes";
import { historyRows, openChanges } from "@/lib/audit/history";
import type { SessionUser } from "@/lib/core/access/permissions";
import { selectForms, visibleFormsWhere, withoutActor } from "@/lib/core/access/scope";
import { recordJson } from "@/lib/core/database/record-read";
import type { Statement } from "@/lib/core/database/record-write";
import { type Sql, sql } from "@/lib/core/sql";
import { whole } from "@/lib/core/text/format";
import type { Form } from "@/lib/forms/api-schema";
import { NOTHING_CHANGED, type SinceCheck } from "@/lib/forms/review/since-check";
import { formSchema } from "@/lib/forms/schema";

// Compares a form with the version that a reviewer has checked. A check itself changes no field of a form, so the form is copied into form_checks by the
// first change after the check. The copy is compared with the form as it is now: no number of saves in between hides a
// change, and each change belongs to the row of services that has it.

/** SQL for the values of a form `f`, without what the API adds to them. */
const VALUES_JSON = recordJson(formSchema, "f", {});

/**
 * Adds the copy of a checked form to the statement that changes it: `row` is the part that updates the form. A form that
 * was changed before since its last check already has its copy.
 */
export function keepCheckedPart(statement: Statement, row: Sql): void {
  // All parts of a statement read the form as it was before the statement.
  statement.with(
    sql`INSERT INTO form_checks (form_id, client_id, checked_at, content)
     SELECT f.id, f.client_id, f.checked_at, ${VALUES_JSON} FROM ${row} JOIN forms f ON f.id = ${row}.id
     WHERE f.checked_at IS NOT NULL AND ${withoutActor("the form that this statement updates")}
       AND NOT EXISTS (SELECT FROM form_checks k WHERE k.form_id = f.id AND k.checked_at = f.checked_at)
     ON CONFLICT (form_id) DO UPDATE SET client_id = excluded.client_id, checked_at = excluded.checked_at,
       content = excluded.content`,
  );
}

/**
 * Returns the changes of the form `id` since it was last reconciled or returned. None if it never was, is reconciled now,
 * or is not visible to the actor. Values about a client who is hidden from the actor are left out. `opening` is the form
 * as the caller reads it, so that its values are not read again.
 */
export async function changesSinceCheck(
  actor: SessionUser,
  id: number,
  opening: Form | Promise<Form>,
): Promise<SinceCheck> {
  const [[found], after] = await Promise.all([
    historyRows<{ clientId: number; before: Values | null }>(
      selectForms(
        sql`(SELECT k.client_id FROM form_checks k WHERE k.form_id = f.id) AS "clientId",
          (SELECT k.content FROM form_checks k WHERE k.form_id = f.id) AS before`,
        visibleFormsWhere(actor),
        sql`f.id = ${id} AND NOT f.reconciled
          AND EXISTS (SELECT FROM form_checks k WHERE k.form_id = f.id AND k.checked_at = f.checked_at)`,
      ),
    ),
    opening,
  ]);
  if (!found) return NOTHING_CHANGED;
  const { clientId, before } = found;
  if (!before) return { changes: [], isUnknown: true };
  // A merge moves forms to another client, which is no change of theirs.
  const all = changesOf(formSchema, { ...before, clientId }, after, "form");
  const isHidden = actor.hiddenClients.includes(clientId);
  const changes = isHidden
    ? all.flatMap((change) => (change.to === null ? [] : [{ ...change, from: null }]))
    : all;
  const text = await openChanges(historyRows, formSchema, changes);
  const valueText: typeof text = (facts, value) => briefly(text(facts, value));
  return {
    changes: sentencesOf(formSchema, changes, { valueText, readable: true, whole: false }),
    isUnknown: false,
  };
}

/** The characters of a value that a change shows. */
const SHOWN_MAX = 500;

/**
 * Returns the beginning of a long text, with its length. The screen shows the present value as a whole next to the change,
 * and the history the former one.
 */
function briefly(text: string): string {
  if (text.length <= SHOWN_MAX) return text;
  const beginning = text.slice(0, SHOWN_MAX).replace(/[\uD800-\uDBFF]$/, "");
  return `${beginning}… (${whole(text.length)} characters: see History)`;
}
