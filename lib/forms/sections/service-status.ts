import { z } from "zod";
import { flag, id } from "@/lib/fields/validation";

export const SERVICE_STATUSES = ["Served", "Partially Served", "Not Served"] as const;
export type ServiceStatusName = (typeof SERVICE_STATUSES)[number];

/** The reasons in the words of spec §3. */
export const SERVICE_STATUS_REASONS = {
  appropriateServices: "Services not appropriate for victim/survivor",
  languageCapacities: "Inadequate language capacity",
  agencyCapacity: "Lack of Agency Capacity",
  transportationOrAccess: "Insufficient transportation/access to service",
  culturallyAppropriate: "Insufficient or lack of culturally appropriate services",
  disabilities: "Insufficient services for people with disabilities",
  other: "Other",
} as const;

type Reason = keyof typeof SERVICE_STATUS_REASONS;
export const REASONS = Object.keys(SERVICE_STATUS_REASONS) as Reason[];

const schema = z
  .object({
    id: id().optional(),
    appropriateServices: flag(),
    languageCapacities: flag(),
    agencyCapacity: flag(),
    transportationOrAccess: flag(),
    culturallyAppropriate: flag(),
    disabilities: flag(),
    other: flag(),
  })
  .refine((entry) => REASONS.some((reason) => entry[reason]), { error: "Choose at least one reason" });

/** The reasons checklist: shown, sent and required only when the client was not fully served (spec §4, §5). */
export const serviceStatus = {
  shows: (status: string | null | undefined) => status === "Partially Served" || status === "Not Served",
  schema,
  defaults: () => Object.fromEntries(REASONS.map((reason) => [reason, false])) as Record<Reason, boolean>,
};
