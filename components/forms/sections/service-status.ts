import { section } from "@/components/record/section";
import { REASONS, serviceStatus } from "@/lib/forms/sections/service-status";

export const SERVICE_STATUS = section(
  "form.serviceStatusEntry",
  serviceStatus.schema,
  ({ fields }) => [fields(REASONS)],
  {
    showsItsError: true,
  },
);
