import type * as z from "zod/mini";
import { entry, lookup, text } from "@/lib/core/fields/vocabulary";
import { keysOf } from "@/lib/core/objects";
import { legal } from "@/lib/forms/sections/legal";
import { onCall } from "@/lib/forms/sections/on-call";
import { phone } from "@/lib/forms/sections/phone";
import { survivor } from "@/lib/forms/sections/survivor";
import type { FormTypeFlags } from "@/lib/lookups/types";

/** The sections of the intake, by their name in the API. */
export const INTAKE_SECTIONS = {
  phoneEntry: phone,
  onCallAdvocacyEntry: onCall,
  legalAdvocacyEntry: legal,
  survivorEntry: survivor,
} as const;
export const INTAKE_SECTION_NAMES = keysOf(INTAKE_SECTIONS);

const schema = entry("Intake", "intake_forms", {
  referralSourceId: lookup("referral_sources", "Referral Source", { inErrorReports: true, lasting: true }),
  referralSourceName: text("Referral Source Name"),
  phoneEntry: phone.schema,
  onCallAdvocacyEntry: onCall.schema,
  legalAdvocacyEntry: legal.schema,
  survivorEntry: survivor.schema,
});

type IntakeForm = NonNullable<z.output<typeof schema>>;

/** True if the form has the referral source: all types that are not intake-only. */
const showsReferral = (type: FormTypeFlags) => !type.intakeOnly;

/** True if the intake has a referral source. */
const hasReferral = (entry: Pick<IntakeForm, "referralSourceId" | "referralSourceName"> | null): boolean =>
  Boolean(entry?.referralSourceId || entry?.referralSourceName);

/** The intake: the referral source and the sections of the form type. */
export const intake = {
  schema,
  showsReferral,
  hasReferral,
  /** Removes the parts that the type does not have, and the court entries that the place does not have. */
  clear: (entry: IntakeForm, type: FormTypeFlags): IntakeForm => ({
    ...entry,
    ...(!showsReferral(type) && { referralSourceId: null, referralSourceName: "" }),
    phoneEntry: (phone.shows(type) && entry.phoneEntry) || null,
    onCallAdvocacyEntry: (onCall.shows(type) && entry.onCallAdvocacyEntry) || null,
    legalAdvocacyEntry:
      legal.shows(type) && entry.legalAdvocacyEntry ? legal.clear(entry.legalAdvocacyEntry) : null,
    survivorEntry: (survivor.shows(type) && entry.survivorEntry) || null,
  }),
};
