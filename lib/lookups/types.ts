import type { z } from "zod/mini";
import { byKey, keysOf } from "@/lib/core/fields/by-key";
import { flag, optionalInPut } from "@/lib/core/fields/vocabulary";
import type { formType, serviceCode } from "@/lib/lookups/api-schema";

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

export type FormType = z.output<typeof formType>;
export type FormTypeFlags = Omit<FormType, "id" | "name">;
/** A form type without any section. */
export const NO_FLAGS: FormTypeFlags = byKey(keysOf(formTypeFlags), () => false);

export type ServiceCode = z.output<typeof serviceCode>;
