import { DateField } from "@/components/ui/date-field";

/** The first day of service on which a field needs a value. */
export const RequiredFrom = () => (
  <DateField
    name="requiredFrom"
    label="Required From"
    hint="Forms with a service on or after this day need a value. Leave blank if the field is optional."
  />
);
