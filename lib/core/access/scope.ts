import "server-only";
import {
  type Access,
  allows,
  can,
  canAny,
  type Permission,
  type SessionUser,
} from "@/lib/core/access/permissions";
import { forbidden } from "@/lib/core/api/errors";
import { type Sql, sql } from "@/lib/core/database/sql";
import { env } from "@/lib/core/server/env";

declare const scope: unique symbol;
type ScopedRows = "forms" | "clients" | "contacts" | "stays" | "records";
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
type NotHidden = Scoped<"forms" | "clients" | "stays">;

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
export function visibleContactsWhere(actor: SessionUser): VisibleContacts {
  if (!can(actor, "contacts")) return scoped(sql`FALSE`);
  const owner = onlyOwner(actor);
  return scoped(owner === null ? sql`TRUE` : sql`ct.user_id = ${owner}`);
}

/**
 * Returns the declared records that the actor may see and change, as a condition on `r`. FALSE for an actor without their
 * permission.
 */
export function visibleRecordsWhere(
  actor: SessionUser,
  { permission, seenBy }: { permission: Permission; seenBy: "owner" | "all" },
): VisibleRecords {
  if (!can(actor, permission)) return scoped(sql`FALSE`);
  const owner = seenBy === "all" ? null : onlyOwner(actor);
  return scoped(owner === null ? sql`TRUE` : sql`r.user_id = ${owner}`);
}

/**
 * Returns SQL for the form of the contact `ct`, or null. Null too if the actor sees no clients, or the form's client is
 * hidden from the actor: to them the contact was never linked.
 */
export const knownFormOfContact = (actor: SessionUser): Sql => {
  if (!seesClients(actor)) return sql`NULL::int`;
  return actor.hiddenClients.length === 0
    ? sql`ct.form_id`
    : sql`(SELECT f.id FROM forms f WHERE f.id = ct.form_id AND ${notHidden(actor, sql`f.client_id`)})`;
};

/**
 * Returns the stays the actor may see and change, as a condition on `st`. With Shelter, those of all clients who are
 * not hidden. FALSE for an actor without Shelter.
 */
export const visibleStaysWhere = (actor: SessionUser): VisibleStays =>
  can(actor, "shelter") ? notHidden(actor, sql`st.client_id`) : scoped(sql`FALSE`);

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
