import { recordWords } from "@/lib/audit/words";
import { endpoints } from "@/lib/endpoints";

const declared = endpoints.flatMap(({ audit }) => (audit ? [audit.entity].flat() : []));

/** The options of the Audit Log's filter by record: all kinds that the audit trail names. Months go by the database. */
export const recordOptions = [...new Set([...declared, "auditMonth"])]
  .map((entity) => ({ value: entity, label: recordWords(entity, null) }))
  .sort((one, other) => one.label.localeCompare(other.label));
