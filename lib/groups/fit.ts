import type * as z from "zod/mini";
import { type FieldFacts, fieldsOf, isHidden, isNested } from "@/lib/core/fields/facts";
import { canBeMissing, requires } from "@/lib/core/fields/required";
import { asksCustom, missingCustomOfForm } from "@/lib/forms/custom";
import { missingFields } from "@/lib/forms/schema";
import { INTAKE_SECTION_NAMES, INTAKE_SECTIONS } from "@/lib/forms/sections/intake";
import { services } from "@/lib/forms/sections/services";
import type { FormType } from "@/lib/lookups/types";

/** The service code of a group, as far as its forms depend on it. */
type GroupCode = { id: number; hasReferral: boolean; isOffered: boolean };

const isRequired = (facts: FieldFacts, day: string) =>
  facts.required || (canBeMissing(facts) && requires(facts, day));

const asksRequired = (section: z.core.$ZodType, day: string): boolean =>
  !isHidden(section) &&
  fieldsOf(section).some(({ facts, schema }) =>
    isNested(facts) ? asksRequired(schema, day) : !isHidden(schema) && isRequired(facts, day),
  );

/**
 * Returns the reason why a session of that day cannot write its forms with this type and code, as the end of a sentence
 * about the form type. Returns null if it can: such a form has one service and requires nothing else.
 */
export function unfitReason(type: FormType, code: GroupCode, day: string): string | null {
  if (!services.shows(type)) return "must have services";
  if (type.phone) return "must not be by phone";
  if (!code.isOffered) return "must offer the service code";
  const section = INTAKE_SECTION_NAMES.find(
    (name) => INTAKE_SECTIONS[name].shows(type) && asksRequired(INTAKE_SECTIONS[name].schema, day),
  );
  const form = {
    formTypeId: type.id,
    serviceOn: day,
    serviceStatus: "Served" as const,
    verbalConfirmation: false,
    canineId: 1,
    custom: {},
    intakeForm: { referralSourceId: null, referralSourceName: "" },
    serviceEntry: {
      otherService: "",
      otherServiceMinutes: 0,
      serviceProvidedEntries: [
        { serviceCodeId: code.id, minutes: 1, referrals: "", magisterial: false, _destroy: false },
      ],
    },
  };
  const missing = {
    ...missingFields(form, { formType: type, codes: new Map([[code.id, code]]) }),
    ...missingCustomOfForm(form, (field) => asksCustom(field, type, form.serviceStatus)),
  };
  return section || Object.keys(missing).length > 0
    ? "must not require values that a session does not have"
    : null;
}
