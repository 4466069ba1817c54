import { DateField } from "@/components/ui/date-field";

/** The first service day on which a field needs a value. */
export const RequiredFrom = () => (
  <DateField
    name="requiredFrom"
    label="Required From"
    hint="Forms with a service on this day or later need a value. Leave it blank if the field is optional."
  />
);
