import { AUDIT_ACTIONS, type AuditAction } from "@/lib/audit/acts";
import { capitalize } from "@/lib/fields/format";

// The audit trail in plain words.

const DONE: Record<AuditAction, string> = {
  "signed-in": "Signed in",
  "sign-in-failed": "Failed to sign in",
  "signed-out": "Signed out",
  refused: "Was refused",
  viewed: "Opened",
  listed: "Listed",
  searched: "Searched",
  printed: "Printed",
  revealed: "Was shown the phone number of",
  exported: "Exported",
  created: "Created",
  updated: "Changed",
  removed: "Removed",
  reconciled: "Reconciled",
  unreconciled: "Took back the reconciliation of",
  returned: "Returned",
  "reset-sent": "Sent a password link to",
  deactivated: "Deactivated",
  reactivated: "Brought back",
  purged: "Purged",
  restricted: "Restricted",
  merged: "Merged",
  imported: "Imported",
  alarm: "Opened unusually many clients",
};

/** About nothing but the account itself. */
const BARE: ReadonlySet<AuditAction> = new Set(["signed-in", "sign-in-failed", "signed-out", "alarm"]);

/** The kinds of events to choose from. */
export const actionOptions = AUDIT_ACTIONS.map((action) => ({
  value: action,
  label: DONE[action].replace(/ (of|to)$/, ""),
}));

/** `ageBracket` → `age bracket` */
export const entityWords = (entity: string): string =>
  entity.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** `client`, 5 → `Client 5`; "" where it is about no record. */
export const recordWords = (entity: string | null, entityId: number | null): string =>
  entity ? `${capitalize(entityWords(entity))}${entityId === null ? "" : ` ${entityId}`}` : "";

type Told = { action: AuditAction; entity: string | null; entityId: number | null; shown: number[] | null };

/** `Opened client 5`; a list says how many records it showed. */
export function sentence({ action, entity, entityId, shown }: Told): string {
  if (BARE.has(action) || !entity) return DONE[action];
  if (shown) return `${DONE[action]} the list “${entityWords(entity)}”, ${shown.length} shown`;
  return `${DONE[action]} ${entityWords(entity)}${entityId === null ? "" : ` ${entityId}`}`;
}

/** The same in the history of one record. */
export const doneWords = (action: AuditAction): string => DONE[action].replace(/ (of|to)$/, "");
