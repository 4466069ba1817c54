import "server-only";
import { addRecordsIn, removeRecordsIn, updateRecordsIn } from "@/lib/audit/save";
import type { SessionUser } from "@/lib/core/access/permissions";
import { asSession, notHidden, visibleFormsWhere, withoutActor } from "@/lib/core/access/scope";
import type { Query } from "@/lib/core/database/client";
import { isRemoved } from "@/lib/core/fields/removed-rows";
import { sql } from "@/lib/core/sql";
import { sessionFormSaves } from "@/lib/forms/save";
import { auditAttendances } from "@/lib/forms/session-link";
import type { GroupSession } from "@/lib/groups/api-schema";
import type { AttendanceInput } from "@/lib/groups/schema";

// The attendances of a session and their forms. Forms are saved as all forms are; the session is their author.

const visible = withoutActor("a session writes the forms of all its attendances");

/** An attendance that a transaction has locked together with its form. */
export type Attended = {
  id: number;
  clientId: number;
  name: string;
  formId: number;
  minutes: number | null;
  edited: boolean;
  /** True if the actor sees the client, and if the actor may open the form. */
  isKnown: boolean;
  mayOpen: boolean;
  formTypeId: number;
  serviceOn: string;
  verbalConfirmation: boolean;
  reconciled: boolean;
  returned: boolean;
  commented: boolean;
  /** The row of the service that the session wrote; null if it was removed. */
  rowId: number | null;
};

/** Locks the forms of a session, and returns all its attendances. */
export async function lockAttended(
  query: Query,
  actor: SessionUser,
  sessionId: number | null,
): Promise<Attended[]> {
  await query(
    sql`SELECT f.id FROM forms f WHERE f.id IN (SELECT a.form_id FROM attendances a WHERE a.group_session_id = ${sessionId}::int)
       AND ${visible} ORDER BY f.id FOR UPDATE`,
  );
  return query<Attended>(
    sql`SELECT a.id, a.client_id AS "clientId", c.name, a.form_id AS "formId", a.minutes, a.edited,
       ${notHidden(actor, sql`a.client_id`)} AS "isKnown", ${visibleFormsWhere(actor)} AS "mayOpen",
       f.form_type_id AS "formTypeId", f.service_on::text AS "serviceOn", f.verbal_confirmation AS "verbalConfirmation",
       f.reconciled, f.returned_at IS NOT NULL AS returned,
       EXISTS (SELECT FROM form_comments k WHERE k.form_id = f.id) AS commented,
       (SELECT p.id FROM service_provided_entries p JOIN service_entries e ON e.id = p.service_entry_id
         WHERE e.form_id = f.id AND p.of_session LIMIT 1) AS "rowId"
     FROM attendances a JOIN forms f ON f.id = a.form_id JOIN clients c ON c.id = a.client_id
     WHERE a.group_session_id = ${sessionId}::int ORDER BY a.id`,
  );
}

/** True if the session no longer writes the form: it was reviewed or edited since the session last did. */
const isBlocked = ({ reconciled, returned, commented, edited, rowId }: Attended): boolean =>
  reconciled || returned || commented || edited || rowId === null;

/** Returns the reason why a form is blocked, in a word. */
export function blockedWords({ reconciled, returned, commented }: Attended): string {
  if (reconciled) return "reconciled";
  if (returned) return "returned";
  return commented ? "has comments" : "edited";
}

type Times = { heldOn: string; minutes: number };
type Change = { attended: Attended; minutes: number | null };

/** The changes that a save of a session makes to its attendances and their forms. */
export type Plan = {
  added: { clientId: number; minutes: number | null; at: number }[];
  removed: Attended[];
  /** Those whose own minutes change. */
  renewed: Change[];
  /** Those whose forms get another day or other minutes. */
  altered: Change[];
  /** The forms that the actor sees and that forbid the change. */
  blocked: Attended[];
  /** The problems of the rows, by plain path. */
  problems: Record<string, string>;
};

/**
 * Returns the plan of a save. Without rows, everyone stays. Rows are about the people that the actor sees: hidden ones stay,
 * and their forms follow the day and the minutes unless they are blocked.
 */
export function planOf(
  stored: GroupSession | null,
  attended: readonly Attended[],
  rows: readonly AttendanceInput[] | undefined,
  next: Times,
): Plan {
  const known = attended.filter(({ isKnown }) => isKnown);
  const plan: Plan = { added: [], removed: [], renewed: [], altered: [], blocked: [], problems: {} };
  const kept = new Map<number, number | null>(attended.map(({ id, minutes }) => [id, minutes]));
  if (rows) {
    const there = new Set<number>();
    const clients = new Set<number>();
    for (const [at, row] of rows.entries()) {
      const path = `groupSession.attendances.${at}`;
      const found = known.find(({ id, clientId }) =>
        row.id === undefined ? clientId === row.clientId : id === row.id,
      );
      const clientId = row.clientId ?? found?.clientId;
      if (row.id !== undefined && !found) plan.problems[`${path}.id`] = "belongs to another record";
      else if (isRemoved(row)) continue;
      else if (clientId === undefined) plan.problems[`${path}.clientId`] = "is required";
      else if (found && clientId !== found.clientId) plan.problems[`${path}.clientId`] = "cannot be changed";
      else if (clients.has(clientId)) plan.problems[`${path}.clientId`] = "is given twice";
      else if (found) {
        there.add(found.id);
        kept.set(found.id, row.minutes === undefined ? found.minutes : row.minutes);
      } else plan.added.push({ clientId, minutes: row.minutes ?? null, at });
      if (clientId !== undefined) clients.add(clientId);
    }
    plan.removed = known.filter(({ id }) => !there.has(id));
  }
  for (const one of attended) {
    if (plan.removed.includes(one) || !stored) continue;
    const minutes = kept.get(one.id) ?? null;
    const isOther =
      next.heldOn !== stored.heldOn || (minutes ?? next.minutes) !== (one.minutes ?? stored.minutes);
    if (isOther && !(isBlocked(one) && !one.isKnown)) plan.altered.push({ attended: one, minutes });
    if (minutes !== one.minutes) plan.renewed.push({ attended: one, minutes });
  }
  plan.blocked = [...plan.removed, ...plan.altered.map(({ attended }) => attended)].filter(isBlocked);
  return plan;
}

/** Removes attendances with their forms. Throws 409 for a client on legal hold. */
export async function removeForms(
  query: Query,
  actor: SessionUser,
  sessionId: number,
  removed: readonly Attended[],
): Promise<void> {
  const ids = removed.map(({ id }) => id);
  await query(sql`DELETE FROM attendances a WHERE a.id = ANY(${ids}::int[]) AND ${visible}`);
  await removeRecordsIn(
    sessionFormSaves,
    query,
    asSession(actor),
    removed.map(({ formId }) => formId),
  );
  const members = removed.map(({ clientId }) => ({ from: clientId, to: null }));
  await auditAttendances(query, actor, sessionId, members);
}

/** Removes the remaining attendances of a session: their forms stay, and no longer name it. */
export async function releaseForms(query: Query, sessionId: number): Promise<void> {
  await query(sql`DELETE FROM attendances a WHERE a.group_session_id = ${sessionId} AND ${visible}`);
}

type Session = Times & {
  plan: Plan;
  ownerId: number;
  formTypeId: number;
  serviceCodeId: number;
  clients: readonly { id: number; verbalConfirmation: boolean }[];
};

/** Writes the forms of a plan and its attendances, in the order in which they were sent. */
export async function writeForms(
  query: Query,
  actor: SessionUser,
  sessionId: number,
  { plan, heldOn, minutes, ownerId, formTypeId, serviceCodeId, clients }: Session,
): Promise<void> {
  const author = asSession(actor);
  const of = { serviceOn: heldOn, serviceStatus: "Served" as const, lockVersion: undefined };
  const servicesOf = (row: { id?: number; minutes: number }) => ({
    ...BLANK_SERVICES,
    serviceProvidedEntries: [{ ...row, ...BLANK_ROW, serviceCodeId }],
  });
  const altered = plan.altered.map(({ attended, minutes: own }) => {
    const { formId, clientId, formTypeId, verbalConfirmation, rowId } = attended;
    const serviceEntry = servicesOf({ id: rowId ?? 0, minutes: own ?? minutes });
    return { id: formId, input: { ...of, clientId, formTypeId, verbalConfirmation, serviceEntry } };
  });
  await updateRecordsIn(sessionFormSaves, query, author, altered);
  const { renewed, added } = plan;
  if (renewed.length > 0)
    await query(
      sql`UPDATE attendances a SET minutes = given.minutes
       FROM unnest(${renewed.map(({ attended }) => attended.id)}::int[], ${renewed.map(({ minutes }) => minutes)}::int[])
         AS given (id, minutes) WHERE a.id = given.id AND ${visible}`,
    );
  if (added.length === 0) return;
  const confirmations = new Map(clients.map(({ id, verbalConfirmation }) => [id, verbalConfirmation]));
  const inputs = added.map(({ clientId, minutes: own }) => ({
    ...of,
    clientId,
    formTypeId,
    verbalConfirmation: confirmations.get(clientId) ?? false,
    serviceEntry: servicesOf({ minutes: own ?? minutes }),
  }));
  const formIds = await addRecordsIn(sessionFormSaves, query, author, inputs, { ownerId });
  await query(
    sql`INSERT INTO attendances (group_session_id, client_id, form_id, minutes)
     SELECT ${sessionId}::int, given.client_id, given.form_id, given.minutes
     FROM unnest(${added.map(({ clientId }) => clientId)}::int[], ${formIds}::int[], ${added.map(({ minutes }) => minutes)}::int[])
       WITH ORDINALITY AS given (client_id, form_id, minutes, place) ORDER BY given.place`,
  );
  await auditAttendances(
    query,
    actor,
    sessionId,
    added.map(({ clientId }) => ({ from: null, to: clientId })),
  );
  // The leaders' minutes are those of the session, so these rows leave the time of the form's advocate.
  await query(
    sql`UPDATE service_provided_entries p SET of_session = TRUE FROM service_entries e
     WHERE p.service_entry_id = e.id AND e.form_id = ANY(${formIds}::int[])`,
  );
}

const BLANK_SERVICES = { otherService: "", otherServiceMinutes: 0 };
const BLANK_ROW = { magisterial: false, referrals: "", _destroy: false };
