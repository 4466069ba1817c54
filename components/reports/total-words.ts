import { counted } from "@/lib/core/text/format";
import type { ListKind, Totals } from "@/lib/reports/screen";

/** Returns the numbers of all records in the list, such as “30 contacts, 2 clients with forms”. */
export function totalWords(kind: ListKind, { clients, stays, contacts, events, surveys }: Totals): string {
  if (kind === "clients") return counted(clients, "client");
  if (kind === "stays") return counted(stays, "stay");
  if (kind === "events") return counted(events, "event");
  if (kind === "surveys") return counted(surveys, "outcome survey");
  const ofForms = `${counted(clients, "client")} with forms`;
  if (clients === 0) return counted(contacts, "contact");
  return contacts === 0 ? ofForms : `${counted(contacts, "contact")}, ${ofForms}`;
}
