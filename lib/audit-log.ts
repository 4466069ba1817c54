import type * as z from "zod/mini";
import { labelsOf } from "@/lib/audit/change-words";
import type { Change } from "@/lib/audit/changes";
import type { EventWords } from "@/lib/audit/history";
import { doneWords, recordWords } from "@/lib/audit/words";
import { clientSchema } from "@/lib/clients/schema";
import { keysOf } from "@/lib/core/objects";
import { capitalize, date } from "@/lib/core/text/format";
import { endpoints } from "@/lib/endpoints";
import { formSchema } from "@/lib/forms/schema";
import { groupSchema, sessionSchema } from "@/lib/groups/schema";
import { lookupKeys, lookups } from "@/lib/lookups/registry";
import { recordKeys, records } from "@/lib/records/registry";
import { reports } from "@/lib/reports/definitions";
import { periodName } from "@/lib/reports/periods";
import { staySchema } from "@/lib/shelter/schema";

// The Audit Log's words for the records of all modules.

const SCHEMAS: ReadonlyMap<string, z.core.$ZodType> = new Map<string, z.core.$ZodType>([
  ["client", clientSchema],
  ["form", formSchema],
  ["stay", staySchema],
  ["group", groupSchema],
  ["groupSession", sessionSchema],
  ...recordKeys.map((key) => [records[key].entity, records[key].schema] as const),
  ...lookupKeys.map((key) => [lookups[key].singular, lookups[key].schema] as const),
]);

/**
 * Returns the labels of an audit event's changed fields, such as `Client Name` and `Client Demographics: Ethnicity,
 * Military`.
 */
const fieldLabels = (fields: readonly string[]): string[] =>
  labelsOf(SCHEMAS.get(fields[0]?.split(".")[0] ?? ""), fields);

/** Returns the new value of a field if it is text. */
function textIn(changes: readonly Change[], field: string): string | null {
  const value = changes.find((change) => change.field === field)?.to;
  return typeof value === "string" ? value : null;
}

/** `Closed months through 09/30/2026`. An earlier day than before reopens months. */
function closingWords(changes: readonly Change[]): string | null {
  const change = changes.find(({ field }) => field === "closedThrough");
  if (!change) return null;
  const through = textIn(changes, "closedThrough");
  if (!through) return "Reopened all months";
  const reopens = typeof change.from === "string" && through < change.from;
  return `${reopens ? "Reopened months after" : "Closed months through"} ${date(through)}`;
}

/** `Submitted OVC PMT, July–September 2026` */
function reportWords(done: string, entity: string, changes: readonly Change[]): string | null {
  const key = textIn(changes, `${entity}.report`);
  if (!key) return null;
  const report = keysOf(reports).find((known) => known === key);
  const name = report ? reports[report].title.replace(/ \(.*\)$/, "") : capitalize(key);
  const from = textIn(changes, `${entity}.from`);
  const to = textIn(changes, `${entity}.to`);
  return [`${done} ${name}`, ...(from && to ? [periodName({ from, to })] : [])].join(", ");
}

/** The words of events for the Audit Log. */
export const eventWords: EventWords = {
  entities: ["closedPeriods", "submission", "report"],
  sentenceOf({ action, entity }, changes) {
    if (entity === "closedPeriods") return closingWords(changes);
    if (!entity) return null;
    return reportWords(action === "created" ? "Submitted" : doneWords(action), entity, changes);
  },
  fieldLabels,
};

const declaredEntities = endpoints.flatMap(({ audit }) => (audit ? [audit.entity].flat() : []));

/**
 * The options of the Audit Log's filter by record: all kinds in the audit trail. `auditMonth` events come from the
 * database.
 */
export const recordOptions = [...new Set([...declaredEntities, "auditMonth"])]
  .map((entity) => ({ value: entity, label: recordWords(entity, null) }))
  .sort((one, other) => one.label.localeCompare(other.label));
