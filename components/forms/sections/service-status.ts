import { group, type SectionSpec } from "@/components/forms/fields";
import { fieldsOf } from "@/lib/fields/facts";
import { REASONS, serviceStatus } from "@/lib/forms/sections/service-status";

export const SERVICE_STATUS: SectionSpec = {
  groups: [
    group<Record<string, boolean>>({
      path: "",
      fields: fieldsOf(serviceStatus.schema).flatMap(({ name, facts }) =>
        facts.kind === "flag" ? [{ name, label: facts.label, kind: "check" as const }] : [],
      ),
    }),
  ],
  complaintAt: REASONS[0],
};
