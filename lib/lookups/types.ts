import { z } from "zod/mini";
import { namedItem } from "@/lib/core/api/response";
import { byKey, keysOf } from "@/lib/core/fields/by-key";
import { id } from "@/lib/core/fields/validation";
import { flag, optionalInPut } from "@/lib/core/fields/vocabulary";

const part = (label: string, hint?: string) => optionalInPut(flag(label, { hint, inErrorReports: true }));

/** The flags of a form type as fields. They decide which sections its forms have. */
export const formTypeFlags = {
  intakeOnly: part("Intake Only", "Forms have no referral source."),
  phone: part("By Phone", "Forms have no canine assistance."),
  serviceEntry: part("Services"),
  onCallAdvocacyEntry: part("On-Call Advocacy"),
  phoneEntry: part("Phone"),
  legalAdvocacyEntry: part("Legal Advocacy"),
  survivorEntry: part("Survivor"),
  clientBiographicalEntry: part("Client Biographical"),
  clientDemographicalEntry: part("Client Demographics"),
};

/** A form type as returned with its forms and as a choice. */
export const formType = z.extend(
  namedItem,
  byKey(keysOf(formTypeFlags), () => z.boolean()),
);
export type FormType = z.output<typeof formType>;
export type FormTypeFlags = Omit<FormType, "id" | "name">;
/** A form type without any section. */
export const NO_FLAGS: FormTypeFlags = byKey(keysOf(formTypeFlags), () => false);

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
