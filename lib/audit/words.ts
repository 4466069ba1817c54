import { AUDIT_ACTIONS, type AuditAction } from "@/lib/core/api/audit-acts";
import { plural } from "@/lib/core/fields/tables";
import { capitalize } from "@/lib/core/text/format";

// Plain words for the events of the audit trail.

const DONE: Record<AuditAction, string> = {
  "signed-in": "Signed in",
  "sign-in-failed": "Failed to sign in",
  "signed-out": "Signed out",
  refused: "Was denied access to",
  viewed: "Opened",
  listed: "Listed",
  searched: "Searched",
  printed: "Printed",
  revealed: "Viewed the phone number of",
  exported: "Exported",
  created: "Created",
  updated: "Changed",
  removed: "Removed",
  reconciled: "Reconciled",
  unreconciled: "Unreconciled",
  returned: "Returned",
  commented: "Commented on",
  withdrawn: "Withdrew",
  "reset-sent": "Sent a password link to",
  deactivated: "Deactivated",
  reactivated: "Reactivated",
  purged: "Purged",
  restricted: "Changed the restrictions of",
  merged: "Merged",
  unmerged: "Undid the merge of",
  imported: "Imported",
  alarm: "Opened unusually many clients",
};

/** Actions that concern only the account itself. */
const BARE: ReadonlySet<AuditAction> = new Set(["signed-in", "sign-in-failed", "signed-out", "alarm"]);

/** Returns the words for an action without its record. */
export const doneWords = (action: AuditAction): string => DONE[action].replace(/ (of|to|on)$/, "");

/** The options of the filter by kind of event. */
export const actionOptions = AUDIT_ACTIONS.map((action) => ({
  value: action,
  label: doneWords(action),
}));

/** `ageBracket` → `age bracket` */
const entityWords = (entity: string): string =>
  entity.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** `client`, 5 → `Client 5`; "" for an event about no record. */
export const recordWords = (entity: string | null, entityId: number | null): string =>
  entity ? `${capitalize(entityWords(entity))}${entityId === null ? "" : ` ${entityId}`}` : "";

type ReadEvent = { action: AuditAction; entity: string | null; entityId: number | null; rows: number | null };

/** `Opened client 5`; `Listed 25 clients`. */
export function sentence({ action, entity, entityId, rows }: ReadEvent): string {
  if (BARE.has(action) || !entity) return doneWords(action);
  if (rows !== null) {
    const done = action === "searched" ? "Searched and found" : DONE[action];
    return `${done} ${rows} ${entityWords(rows === 1 ? entity : plural(entity))}`;
  }
  const done = action === "revealed" && entity === "stay" ? "Viewed the client's name of" : DONE[action];
  return `${done} ${entityWords(entity)}${entityId === null ? "" : ` ${entityId}`}`;
}

/** The columns of the Audit Log. */
export const AUDIT_LABELS = {
  at: "When",
  userName: "Who",
  action: "What",
  fields: "Fields",
  address: "IP Address",
};

/**
 * Describes an update that changed nothing, such as that of a client when one of the client's forms is saved.
 */
export const UNCHANGED = "Saved without changes";

/** Returns the name of the actor. It is unknown if a sign-in failed with an unknown email. */
export const whoWords = (userName: string): string => userName || "Unknown";

/**
 * Returns the address a request came from, or "this server" for the server's own addresses; "" if unknown.
 */
export const addressWords = (address: string | null): string =>
  address !== null && /^(::1|(::ffff:)?127(\.\d+){3})$/i.test(address) ? "this server" : (address ?? "");
