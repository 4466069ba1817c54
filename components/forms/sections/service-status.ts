import { group, type SectionSpec } from "@/components/forms/fields";
import { REASONS, SERVICE_STATUS_REASONS } from "@/lib/forms/sections/service-status";

export const SERVICE_STATUS: SectionSpec = {
  groups: [
    group<typeof SERVICE_STATUS_REASONS>({
      path: "",
      fields: REASONS.map((name) => ({
        name,
        label: SERVICE_STATUS_REASONS[name],
        kind: "check" as const,
      })),
    }),
  ],
  complaintAt: REASONS[0],
};
