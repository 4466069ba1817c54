import * as z from "zod/mini";
import { custom } from "@/lib/core/fields/custom";
import { addRoot, fieldAtPath, isHidden } from "@/lib/core/fields/facts";
import { missingAnswers } from "@/lib/core/fields/required";
import { withoutUnasked } from "@/lib/core/fields/shapes";
import { id } from "@/lib/core/fields/validation";
import { choice, day, flag, lookup, optionalInPut, record, version } from "@/lib/core/fields/vocabulary";
import { REQUIRED } from "@/lib/core/fields/words";
import { byKey } from "@/lib/core/objects";
import { today } from "@/lib/core/text/format";
import { canine } from "@/lib/forms/sections/canine";
import { INTAKE_SECTION_NAMES, INTAKE_SECTIONS, intake } from "@/lib/forms/sections/intake";
import { legal } from "@/lib/forms/sections/legal";
import { serviceStatus } from "@/lib/forms/sections/service-status";
import { services, type Timed } from "@/lib/forms/sections/services";
import { DECLARED_FORM_LABELS, SERVICE_STATUSES, type ServiceStatusName } from "@/lib/forms/words";
import type { ServiceCode } from "@/lib/lookups/api-schema";
import type { FormTypeFlags } from "@/lib/lookups/types";

/** A form, made of its sections. Fields missing from an update keep their values. */
export const formSchema = record("Form", "forms", {
  clientId: lookup("clients", "Client", { required: true }),
  formTypeId: lookup("form_types", DECLARED_FORM_LABELS.formType, { required: true, inErrorReports: true }),
  serviceOn: day(DECLARED_FORM_LABELS.serviceOn, { required: true, initial: today, sensitive: false }),
  serviceStatus: choice(SERVICE_STATUSES, DECLARED_FORM_LABELS.serviceStatus, { inErrorReports: true }),
  verbalConfirmation: flag("Verbal Confirmation", {
    required: true,
    inErrorReports: true,
    alwaysShown: true,
  }),
  canineId: optionalInPut(lookup("canines", "Canine Assistance", { inErrorReports: true })),
  lockVersion: version(),
  custom: custom("form"),
  intakeForm: intake.schema,
  serviceEntry: services.schema,
  serviceStatusEntry: serviceStatus.schema,
});

addRoot("form", formSchema);

export type FormInput = z.output<typeof formSchema>;

/** A new form, and the contact from which it was started: saving the form links the contact to it. */
export const newFormSchema = z.extend(formSchema, { contactId: z.nullish(id()) });
export type NewForm = z.output<typeof newFormSchema>;

type FormRules = {
  formType: FormTypeFlags;
  noneCanineId: number | null;
  codes: ReadonlyMap<number, Pick<ServiceCode, "hotelShelter" | "videoconferencing" | "canBeMagistrate">>;
};

/**
 * Applies every clearing rule; pure and idempotent. Runs in the browser before sending and again on the server before
 * writing.
 */
export function clearForm<Form extends Omit<FormInput, "lockVersion" | "clientId">>(
  given: Form,
  rules: FormRules,
): Form {
  const form = withoutUnasked(formSchema, given);
  return {
    ...form,
    canineId: canine.clear(form.canineId ?? null, rules.formType, rules.noneCanineId),
    intakeForm: form.intakeForm && intake.clear(form.intakeForm, rules.formType),
    serviceEntry:
      services.shows(rules.formType) && form.serviceEntry
        ? services.clear(form.serviceEntry, rules.codes)
        : null,
    serviceStatusEntry: serviceStatus.shows(form.serviceStatus) ? form.serviceStatusEntry : null,
  };
}

/**
 * True if the client was served but no service minutes are recorded. Screens warn about this, but such a form is
 * valid.
 */
export const recordsNoTime = ({
  serviceStatus,
  serviceEntry,
}: {
  serviceStatus: ServiceStatusName | null;
  serviceEntry?: Timed | null;
}): boolean => serviceStatus === "Served" && Boolean(serviceEntry && services.hasNoTime(serviceEntry));

/**
 * Returns the type of a form with the parts that the form has values in, even if the type no longer has them. So
 * reading, printing, and saving a form lose nothing when a flag is taken from its type.
 */
export const withKeptParts = <Type extends FormTypeFlags>(
  type: Type,
  {
    intakeForm = null,
    serviceEntry,
    canineId,
  }: Pick<FormInput, "intakeForm" | "canineId"> & { serviceEntry?: object | null },
  noneCanineId: number | null,
): Type => ({
  ...type,
  intakeOnly: type.intakeOnly && !intake.hasReferral(intakeForm),
  phone: type.phone && (canineId ?? noneCanineId) === noneCanineId,
  serviceEntry: type.serviceEntry || Boolean(serviceEntry),
  ...byKey(INTAKE_SECTION_NAMES, (name) => type[name] || Boolean(intakeForm?.[name])),
});

/** Returns sections that were sent although the form type does not have them, as `{path: problem}`. */
export function refusedSections(form: FormInput, type: FormTypeFlags): Record<string, string> {
  const problem = "is not part of this form type";
  const problems: Record<string, string> = {};
  for (const name of INTAKE_SECTION_NAMES) {
    if (form.intakeForm?.[name] && !INTAKE_SECTIONS[name].shows(type))
      problems[`form.intakeForm.${name}`] = problem;
  }
  if (form.serviceEntry && !services.shows(type)) problems["form.serviceEntry"] = problem;
  return problems;
}

/** Returns required entries that the form lacks, as `{path: problem}`. A hidden entry is not required. */
export function missingEntries(sent: Pick<FormInput, "intakeForm">, form: Pick<FormInput, "intakeForm">) {
  const entry = sent.intakeForm?.legalAdvocacyEntry && form.intakeForm?.legalAdvocacyEntry;
  const missing = entry && legal.missing(entry);
  const path = `form.intakeForm.legalAdvocacyEntry.${missing}`;
  const field = missing ? fieldAtPath(path) : undefined;
  return field && !isHidden(field) ? { [path]: REQUIRED } : {};
}

type CodedRow = { id?: number; serviceCodeId?: number; minutes: number | null; _destroy?: boolean };

/**
 * Returns the codes that the form type does not offer, as `{path: problem}`, except those that a row of the stored form
 * already has: withdrawing a code must not make old forms impossible to save. After a change of form type, all codes
 * are checked again.
 */
export function refusedCodes(
  rows: readonly CodedRow[],
  formTypeId: number | null,
  stored: {
    formTypeId: number;
    serviceEntry: { serviceProvidedEntries: readonly { id: number; serviceCode: { id: number } }[] } | null;
  } | null,
  isOffered: (codeId: number) => boolean,
): Record<string, string> {
  const before = stored?.formTypeId === formTypeId ? stored.serviceEntry?.serviceProvidedEntries : [];
  const previousCodes = new Map(before?.map(({ id, serviceCode }) => [id, serviceCode.id]));
  return Object.fromEntries(
    rows.flatMap(({ id, serviceCodeId, minutes, _destroy }, index) => {
      if (_destroy || serviceCodeId === undefined || !services.isSpent(minutes)) return [];
      if ((id !== undefined && previousCodes.get(id) === serviceCodeId) || isOffered(serviceCodeId))
        return [];
      const path = `form.serviceEntry.serviceProvidedEntries.${index}.serviceCodeId`;
      return [[path, "is not offered for this form type"]];
    }),
  );
}

/**
 * Returns the fields that the organization requires on the form's day of service and that lack a value, as `{path:
 * problem}`. The clearing rules have been applied to the form.
 */
export function missingFields(
  form: Omit<FormInput, "lockVersion" | "clientId">,
  { formType, codes }: Pick<FormRules, "formType"> & { codes: ReadonlyMap<number, { hasReferral: boolean }> },
): Record<string, string> {
  const rows = form.serviceEntry?.serviceProvidedEntries ?? [];
  const isAskedFor = (path: string) => {
    const [, index] = /^form\.serviceEntry\.serviceProvidedEntries\.(\d+)\.referrals$/.exec(path) ?? [];
    if (index !== undefined) return codes.get(rows[Number(index)]?.serviceCodeId ?? 0)?.hasReferral ?? false;
    return intake.showsReferral(formType) || !/^form\.intakeForm\.referral/.test(path);
  };
  const missing = missingAnswers(formSchema, form, { path: "form", day: form.serviceOn });
  return Object.fromEntries(Object.entries(missing).filter(([path]) => isAskedFor(path)));
}
