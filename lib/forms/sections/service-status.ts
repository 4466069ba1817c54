import { entry, flag } from "@/lib/core/fields/vocabulary";
import { keysOf } from "@/lib/core/objects";
import type { ServiceStatusName } from "@/lib/forms/words";

const reason = (words: string, summary: string) => flag(words, { inErrorReports: true, summary });

/** The labels are the organization's own words. */
const reasons = {
  appropriateServices: reason("Services not appropriate for victim/survivor", "services not appropriate"),
  languageCapacities: reason("Inadequate language capacity", "language"),
  agencyCapacity: reason("Lack of Agency Capacity", "agency capacity"),
  transportationOrAccess: reason("Insufficient transportation/access to service", "transportation"),
  culturallyAppropriate: reason(
    "Insufficient or lack of culturally appropriate services",
    "culturally appropriate services",
  ),
  disabilities: reason(
    "Insufficient services for people with disabilities",
    "services for people with disabilities",
  ),
  other: reason("Other", "other reason"),
};
export const REASONS = keysOf(reasons);

const schema = entry("Service Status", "service_status_entries", reasons, {
  rule(entry, context) {
    if (!REASONS.some((name) => entry[name])) context.addIssue("Choose at least one reason");
  },
});

/** The reasons: shown, sent and required only if the client was not fully served. */
export const serviceStatus = {
  shows: (status: ServiceStatusName | null | undefined) =>
    status === "Partially Served" || status === "Not Served",
  schema,
};
