import { z } from "zod";
import { namedItem } from "@/lib/core/api/response";
import { byKey, keysOf } from "@/lib/core/fields/by-key";
import { id } from "@/lib/core/fields/validation";

/** A form type as returned. Its flags say which sections its forms have. */
export const formType = namedItem.extend({
  intakeOnly: z.boolean(),
  phone: z.boolean(),
  serviceEntry: z.boolean(),
  onCallAdvocacyEntry: z.boolean(),
  phoneEntry: z.boolean(),
  legalAdvocacyEntry: z.boolean(),
  survivorEntry: z.boolean(),
  clientBiographicalEntry: z.boolean(),
  clientDemographicalEntry: z.boolean(),
});
export type FormType = z.output<typeof formType>;
export type FormTypeFlags = Omit<FormType, "id" | "name">;
/** A form type without any section. */
export const NO_FLAGS: FormTypeFlags = byKey(
  keysOf(formType.omit({ id: true, name: true }).shape),
  () => false,
);

/** The properties of a service code that the rules need. */
export const serviceCode = z.object({
  id: id(),
  code: z.string(),
  description: z.string(),
  hotelShelter: z.boolean(),
  videoconferencing: z.boolean(),
  canBeMagistrate: z.boolean(),
  onCallMainType: z.boolean(),
  hasReferral: z.boolean(),
});
export type ServiceCode = z.output<typeof serviceCode>;
