import { recordWords } from "@/lib/audit/words";
import { endpoints } from "@/lib/endpoints";

const declaredEntities = endpoints.flatMap(({ audit }) => (audit ? [audit.entity].flat() : []));

/**
 * The options of the Audit Log's filter by record: all kinds in the audit trail. `auditMonth` events come from the
 * database.
 */
export const recordOptions = [...new Set([...declaredEntities, "auditMonth"])]
  .map((entity) => ({ value: entity, label: recordWords(entity, null) }))
  .sort((one, other) => one.label.localeCompare(other.label));
