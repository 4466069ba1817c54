import "server-only";
import {
  type Access,
  allows,
  can,
  canAll,
  canAny,
  GROUP_PERMISSIONS,
  type Permission,
  type SessionUser,
} from "@/lib/core/access/permissions";
import { forbidden } from "@/lib/core/errors";
import { env } from "@/lib/core/process/env";
import { type Sql, sql } from "@/lib/core/sql";

declare const scope: unique symbol;
type ScopedRows = "forms" | "clients" | "contacts" | "stays" | "records" | "groups";
type Scoped<Of extends ScopedRows> = Sql & {
  readonly [scope]: { readonly [Key in Of]: true };
};

/** A condition on forms that an actor may see. Only this file makes one, so a query that requires one has an actor. */
export type VisibleForms = Scoped<"forms">;
/** The same for clients. */
export type VisibleClients = Scoped<"clients">;
/** The same for contacts. */
export type VisibleContacts = Scoped<"contacts">;
/** The same for stays. */
export type VisibleStays = Scoped<"stays">;
/** The same for declared records, which are about no client. */
export type VisibleRecords = Scoped<"records">;
/** A condition that hides an actor's hidden clients from rows of any table that refers to a client. */
type NotHidden = Scoped<"forms" | "clients" | "stays" | "groups">;
/** The same for groups, their rosters, and their sessions. */
export type VisibleGroups = Scoped<"groups">;

function scoped<Of extends ScopedRows>(condition: Sql): Scoped<Of>;
function scoped(condition: Sql): Sql {
  return condition;
}

/** Returns the condition of a read for no user. `_reason` explains why it may see every row. */
export const withoutActor = (_reason: string): NotHidden => scoped(sql`TRUE`);

/** The same as a Prisma filter. */
export const allRows = (_reason: string): Record<string, never> => ({});

/** Returns the user whose forms and contacts are visible to the actor; null with All Forms, which makes everyone's visible. */
const onlyOwner = (actor: SessionUser): number | null => (can(actor, "all-forms") ? null : actor.userId);

/** The clients hidden from an actor, who is a user or acts for one. */
export type Hiding = Pick<SessionUser, "hiddenClients">;

/** Reads for the organization as a whole, from which no client is hidden. */
export const NOBODY_HIDDEN: Hiding = { hiddenClients: [] };

/** Returns the condition that the client with this id, which must not be null, is not hidden from the actor. */
export const notHidden = ({ hiddenClients }: Hiding, clientId: Sql): NotHidden =>
  scoped(hiddenClients.length === 0 ? sql`TRUE` : sql`${clientId} <> ALL(${hiddenClients}::int[])`);

/**
 * Returns which forms the actor may see and change, as a condition on the alias `f`. The actor must hold Forms, which
 * `route()` and `page()` check. This is the only place where the rule of ownership is written. If everyone's forms are
 * visible, the condition names no user, so that indexes can be used in either case.
 */
export function visibleFormsWhere(actor: SessionUser): VisibleForms {
  const owner = onlyOwner(actor);
  const known = notHidden(actor, sql`f.client_id`);
  return scoped(owner === null ? known : sql`f.user_id = ${owner} AND ${known}`);
}

/** The same for reads that do not require Forms: FALSE for an actor without it. */
export const openFormsWhere = (actor: SessionUser): VisibleForms =>
  can(actor, "forms") ? visibleFormsWhere(actor) : scoped(sql`FALSE`);

/**
 * Returns the colleagues' forms that the actor may know only by date and type, as a condition on `f`. Without the
 * organization's setting there are none.
 */
export function colleaguesFormsWhere(actor: SessionUser): VisibleForms {
  const owner = onlyOwner(actor);
  if (owner === null || !env().SHOW_COLLEAGUES_FORMS) return scoped(sql`FALSE`);
  return scoped(sql`f.user_id <> ${owner} AND ${notHidden(actor, sql`f.client_id`)}`);
}

/**
 * Returns the contacts the actor may see and change, as a condition on `ct`: their own, or with All Forms all. FALSE
 * for an actor without Contacts.
 */
export const visibleContactsWhere = (actor: SessionUser): VisibleContacts =>
  scoped(recordsOf(actor, { permission: "contacts", seenBy: "owner" }, sql`ct`));

/**
 * The records of a kind that holders of its permission see: their own, and with All Forms all; all; or those of clients
 * who are not hidden from them.
 */
export type SeenBy = { permission: Permission; seenBy: "owner" | "all" | "client" };

/**
 * Returns the declared records that the actor may see and change, as a condition on the alias `row`. FALSE for an actor
 * without their permission.
 */
export const visibleRecordsWhere = (actor: SessionUser, kind: SeenBy, row = sql`r`): VisibleRecords =>
  scoped(recordsOf(actor, kind, row));

function recordsOf(actor: SessionUser, { permission, seenBy }: SeenBy, row: Sql): Sql {
  if (!can(actor, permission)) return sql`FALSE`;
  if (seenBy === "client") return notHidden(actor, sql`${row}.client_id`);
  const owner = seenBy === "all" ? null : onlyOwner(actor);
  return owner === null ? sql`TRUE` : sql`${row}.user_id = ${owner}`;
}

/**
 * Returns the condition that the actor may see the group with this id, its roster, and its sessions: its leaders and
 * holders of All Forms do. This is the only place where the rule is written.
 */
export function visibleGroupsWhere(actor: SessionUser, groupId: Sql): VisibleGroups {
  if (!canAll(actor, GROUP_PERMISSIONS)) return scoped(sql`FALSE`);
  if (can(actor, "all-forms")) return scoped(sql`TRUE`);
  return scoped(
    sql`EXISTS (SELECT FROM group_users gu WHERE gu.group_id = ${groupId} AND gu.user_id = ${actor.userId})`,
  );
}

/**
 * Returns the actor as one who may write every form of a session that they may change: a session writes the forms of all
 * its attendees, of any advocate. Nothing that is read in this way may be returned.
 */
export const asSession = (actor: SessionUser): SessionUser => ({
  ...actor,
  permissions: [...actor.permissions, { id: 0, name: "All Forms" }],
  hiddenClients: [],
});

/**
 * Returns SQL for the form of the contact `ct`, or null. Null too if the actor sees no clients, or the form's client is
 * hidden from the actor: to them the contact was never linked.
 */
export const knownFormOfContact = (actor: SessionUser, formId = sql`ct.form_id`): Sql => {
  if (!seesClients(actor)) return sql`NULL::int`;
  return actor.hiddenClients.length === 0
    ? formId
    : sql`(SELECT f.id FROM forms f WHERE f.id = ${formId} AND ${notHidden(actor, sql`f.client_id`)})`;
};

/**
 * Returns the stays the actor may see and change, as a condition on `st`. With Shelter, those of all clients who are
 * not hidden. FALSE for an actor without Shelter.
 */
export const visibleStaysWhere = (actor: SessionUser): VisibleStays =>
  scoped(recordsOf(actor, { permission: "shelter", seenBy: "client" }, sql`st`));

/** Returns a SELECT of columns of the visible forms `f` that meet the condition. */
export const selectForms = (columns: Sql, visible: VisibleForms, where: Sql): Sql =>
  sql`SELECT ${columns} FROM forms f WHERE ${where} AND ${visible}`;

/** Returns a SELECT of columns of the visible clients `c` that meet the condition. */
export const selectClients = (columns: Sql, visible: VisibleClients, where: Sql): Sql =>
  sql`SELECT ${columns} FROM clients c WHERE ${where} AND ${visible}`;

/** Throws 403 if the actor lacks the permission that a read needs. */
export function assertAllowed(actor: SessionUser, need: Access): void {
  if (!allows(need, actor)) throw forbidden();
}

/**
 * True if the actor may see clients. Holders of Clients or Forms see all who are not hidden from them; others see none.
 * This is the only place where the rule is written.
 */
export const seesClients = (actor: SessionUser): boolean => canAny(actor, ["clients", "forms"]);

/** The same as a condition on the alias `c`. A purged client is no longer there. */
export const visibleClientsWhere = (actor: SessionUser): VisibleClients =>
  seesClients(actor) ? remainingClientsWhere(actor) : scoped(sql`FALSE`);

/** SQL: true if the client `c` was not purged. */
export const REMAINING = sql`NOT c.purged`;

/** Returns the condition that the client `c` exists for the actor. It allows nothing more than that. */
export const remainingClientsWhere = (actor: Hiding): VisibleClients =>
  scoped(sql`${REMAINING} AND ${notHidden(actor, sql`c.id`)}`);

/** The same, including purged clients, which reports still count with their forms. */
export const countedClientsWhere = (actor: SessionUser): VisibleClients =>
  seesClients(actor) ? notHidden(actor, sql`c.id`) : scoped(sql`FALSE`);
