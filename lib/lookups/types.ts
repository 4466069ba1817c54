import type { NamedItem } from "@/lib/core/access/permissions";
import { flag, optionalInPut } from "@/lib/core/fields/vocabulary";
import { byKey, keysOf } from "@/lib/core/objects";

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

export type FormTypeFlags = Record<keyof typeof formTypeFlags, boolean>;
/** A form type as returned with its forms and as a choice. */
export type FormType = NamedItem & FormTypeFlags;
/** A form type without any section. */
export const NO_FLAGS: FormTypeFlags = byKey(keysOf(formTypeFlags), () => false);

/** The measures of questions on outcome cards. A report counts their yes answers. */
export const MEASURES = [
  { value: "resources", label: "Resources" },
  { value: "safety", label: "Safety" },
] as const;
export type Measure = (typeof MEASURES)[number]["value"];
